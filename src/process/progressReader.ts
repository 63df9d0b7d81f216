/** Reads what was added to a running command's output and reports it (spec 02, "progress"). Reads that file only. */
import { Effect } from "effect"
import { readAt, sizeOf } from "./outputFile.ts"
import { decodeOutput } from "./decodeOutput.ts"
import { reduceTerminalText } from "./terminalText.ts"

/** More new bytes than this are not shown while they arrive; the result has them. */
const maxStep = 8192

/** Each run reports what is new since the last one. */
export const progressReader = (
  descriptor: number,
  report: (text: string) => Effect.Effect<void>
): Effect.Effect<void> => {
  let shown = 0
  return Effect.suspend(() => {
    const size = sizeOf(descriptor)
    // Emptied by the command: begin again.
    if (size < shown) shown = 0
    if (size === shown) return Effect.void
    const from = Math.max(shown, size - maxStep)
    const bytes = readAt(descriptor, from, size - from)
    shown = size
    const decoded = decodeOutput(bytes, { cutBefore: from > 0, cutAfter: true })
    return report(decoded.kind === "text" ? reduceTerminalText(decoded.text) : `[binary output, ${bytes.length} bytes]`)
  })
}
