/** What the model reads of a command: its output within the limit, what to know besides, how it ended (spec 02). Pure. */
import type { CapturedOutput } from "../../process/outputFile.ts"
import { cutMiddle, outputText } from "../../process/outputText.ts"
import type { ShellStatus } from "../../process/Shell.ts"
import { describeStatus } from "../../process/shellStatus.ts"
import { headAndTail } from "../outputLimit.ts"

export interface CommandText {
  readonly text: string
  /** The text names the file, which must stay. */
  readonly namesFile: boolean
}

export const commandText = (
  output: CapturedOutput,
  status: ShellStatus,
  notes: ReadonlyArray<string>,
  limit: number
): CommandText => {
  const end = [...notes, describeStatus(status).en].join("\n")
  const { head, tail } = outputText(output)
  const room = Math.max(0, limit - end.length - 1)
  if (tail !== undefined) {
    const notice = `[… most of ${output.size} bytes left out. The whole output is in ${output.path} — read a part of it with Read (offset, limit) or search it with Grep …]`
    return { text: `${cutMiddle(head, tail, room, notice)}\n${end}`, namesFile: true }
  }
  if (head.length > room) return { text: `${headAndTail(head, room, output.path)}\n${end}`, namesFile: true }
  if (head === "") return { text: status.kind === "couldNotStart" ? end : `(no output)\n${end}`, namesFile: false }
  return { text: `${head}\n${end}`, namesFile: false }
}
