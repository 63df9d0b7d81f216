/**
 * What a person is shown before saying yes can not lie (spec 03, field case C22): controls, direction marks and invisible
 * characters are visible, long runs of blanks are counted, all lines are there. Pure.
 */
import { showHidden } from "../process/sanitizeForTerminal.ts"

/** Characters that are harmless to a terminal and yet look like another: blanks that are no space to the shell, joiners. */
const LOOK_ALIKES = /[\u00A0\u1680\u2000-\u200D\u202F\u205F\u2800\u3000]/g

const asEscape = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`

/** The whole text, with everything in it to be seen. */
export const displaySubject = (raw: string): string => {
  const visible = showHidden(raw.replaceAll("\r\n", "\n"), asEscape)
    .replace(LOOK_ALIKES, asEscape)
    .replaceAll(/[ \t]{24,}|\t{8,}/g, (blanks) => ` [${blanks.length} blanks] `)
  const lines = visible.split("\n")
  return lines.length > 12 ? `[${lines.length} lines]\n${visible}` : visible
}
