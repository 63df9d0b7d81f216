/** A point of a session's tree on one line, for `/tree`. Pure. */
import { safeLine } from "./safeText.ts"

export interface TreePoint {
  /** Branches to the left of it. */
  readonly lane: number
  /** It is on the way to where the conversation stands. */
  readonly isCurrent: boolean
  /** What was said there; its first line is shown. */
  readonly text: string
  /** The name a person gave it. */
  readonly label: string | undefined
}

/** Deeper branches are not moved further to the right. */
const LANES = 6
/** UTF-16 units of the text. */
const LONGEST = 120

/** `│ ● the request [label]`; without styles, safe. */
export const treeLine = ({ isCurrent, label, lane, text }: TreePoint): string => {
  const named = label === undefined ? "" : ` [${safeLine(label)}]`
  return `${"│ ".repeat(Math.min(lane, LANES))}${isCurrent ? "●" : "○"} ${firstLine(text)}${named}`
}

/** The first line of a text that may be long. */
export const firstLine = (text: string): string => {
  const line = text.trim().split("\n", 1)[0] ?? ""
  return safeLine(line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line)
}
