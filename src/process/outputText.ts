/** What was captured of a command's output, as text, and cutting it in the middle. Pure. */
import type { CapturedOutput } from "./outputFile.ts"
import { decodeOutput, type Edges } from "./decodeOutput.ts"
import { reduceTerminalText } from "./terminalText.ts"

export interface OutputText {
  /** All of the output when `tail` is undefined. Well-formed, without escape sequences or a last newline. */
  readonly head: string
  readonly tail: string | undefined
}

/** Reduced to what a terminal would finally show; binary data is named, not shown. */
export const outputText = ({ head, tail, size }: CapturedOutput): OutputText => {
  const first = toText(head, { cutAfter: tail !== undefined })
  const last = tail === undefined ? undefined : toText(tail, { cutBefore: true })
  if (first === undefined || (tail !== undefined && last === undefined)) {
    return { head: `[binary output, ${size} bytes]`, tail: undefined }
  }
  return last === undefined
    ? { head: withoutLastNewline(first), tail: undefined }
    : { head: first, tail: withoutLastNewline(last) }
}

const toText = (bytes: Uint8Array, edges: Edges): string | undefined => {
  const decoded = decodeOutput(bytes, edges)
  return decoded.kind === "text" ? reduceTerminalText(decoded.text) : undefined
}

const withoutLastNewline = (text: string): string => (text.endsWith("\n") ? text.slice(0, -1) : text)

/** Head and tail around `notice`, `limit` characters together; no half characters. */
export const cutMiddle = (head: string, tail: string, limit: number, notice: string): string => {
  const room = Math.max(0, limit - notice.length - 2)
  const first = head.slice(0, Math.ceil(room * 0.6)).replace(/[\uD800-\uDBFF]$/, "")
  const last = tail.slice(Math.max(0, tail.length - Math.floor(room * 0.4))).replace(/^[\uDC00-\uDFFF]/, "")
  return `${first}\n${notice}\n${last}`
}
