/** What standard input is attached to. One call of the operating system that Effect's `Stdio` does not offer. */
import * as fs from "node:fs"

export type StdinKind = "terminal" | "pipe" | "socket" | "file" | "none"

/** `none`: closed, or `/dev/null`. */
export const stdinKind = (): StdinKind => {
  if (process.stdin.isTTY) return "terminal"
  try {
    const stat = fs.fstatSync(0)
    if (stat.isFIFO()) return "pipe"
    if (stat.isSocket()) return "socket"
    return stat.isFile() ? "file" : "none"
  } catch {
    return "none"
  }
}
