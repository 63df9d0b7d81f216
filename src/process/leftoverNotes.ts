/** What the model is told about processes that outlived their command (field cases E1, E2). Reads their names only. */
import { commandLine, type Leftovers, type ProcessEntry } from "./processTable.ts"
import { sanitizeForTerminal } from "./sanitizeForTerminal.ts"

const maxNamed = 5

export const leftoverNotes = (left: Leftovers): ReadonlyArray<string> => {
  const notes: Array<string> = []
  if (left.inside.length > 0) {
    notes.push(`Still running in the background: ${named(left.inside)}. It is ended when maia exits.`)
  }
  if (left.outside.length > 0) {
    const pids = left.outside.map((entry) => entry.pid).join(" ")
    notes.push(
      `Left the command's session and still runs: ${named(left.outside)}. maia does not end it: kill ${pids} does.`
    )
  }
  return notes
}

const named = (entries: ReadonlyArray<ProcessEntry>): string => {
  const names = entries.slice(0, maxNamed).map(({ pid }) => {
    const line = sanitizeForTerminal(commandLine(pid, 60)).replaceAll("\n", " ")
    return line === "" ? String(pid) : `${pid} (${line})`
  })
  const more = entries.length - names.length
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ")
}
