/** A tool call in a few words, for the progress of a sub-agent. Pure. */
import { Predicate } from "effect"
import { cut } from "../../domain/text.ts"

/** Characters. */
const MAX = 80

/** The name, and the first text among the arguments, on one line. */
export const callText = (name: string, input: unknown): string => {
  const values: ReadonlyArray<unknown> = Predicate.isObject(input) ? Object.values(input) : []
  const first = values.find((value) => typeof value === "string")
  const line = `${name} ${typeof first === "string" ? first : ""}`.replaceAll(/[\s\p{C}]+/gu, " ").trim()
  return line.length > MAX ? `${cut(line, MAX)}…` : line
}
