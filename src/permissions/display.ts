/**
 * What a person is shown before saying yes can not lie (spec 03, field case C22): controls, direction marks and invisible
 * characters are visible, long runs of blanks are counted, all lines are there. Pure.
 */

const HIDDEN =
  // Controls, soft hyphen, zero-width, blanks that are no space to the shell, direction marks and overrides, variation
  // selectors of tags, byte order mark.
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000B-\u001F\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu

/** The whole text, with everything in it to be seen. */
export const displaySubject = (raw: string): string => {
  const visible = raw
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`)
    .replaceAll(/[ \t]{24,}|\t{8,}/g, (blanks) => ` [${blanks.length} blanks] `)
  const lines = visible.split("\n")
  return lines.length > 12 ? `[${lines.length} lines]\n${visible}` : visible
}
