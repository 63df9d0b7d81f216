/**
 * Makes text from models, tools, files and the network safe to draw (field cases G6, C22): nothing in it can move the
 * cursor, set a title or the clipboard, ask the terminal something, reverse or hide text. Everything is made visible,
 * nothing is dropped, so what is shown is what is there. Pure, linear.
 */

/**
 * Everything that is drawn as nothing, or that a terminal obeys: controls but tab and newline, format characters
 * (direction, zero width, tags, annotations), fillers, line separators. Not these, where they do what they are for: joiners
 * in emoji and in scripts that join, one variation selector after its character, the number signs of Arabic and its
 * neighbours, the flags of England, Scotland and Wales.
 */
const HIDDEN =
  // oxlint-disable-next-line no-misleading-character-class
  /(?<flag>\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F})|[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\t\n\u200C\u200D\uFE0E\uFE0F\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}\u180B-\u180D\u180F\u{E0100}-\u{E0105}]]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\p{M}[\p{L}--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}]]])[\u200C\u200D]|(?<!\p{Emoji})[\uFE0E\uFE0F]|(?<!\p{Script=Han})[\u{E0100}-\u{E0105}]/gv

/** Rewrites each hidden character with `spell`. A lone half of a surrogate pair becomes U+FFFD. */
export const showHidden = (text: string, spell: (character: string) => string): string =>
  PLAIN.test(text)
    ? text
    : text.toWellFormed().replace(HIDDEN, (found, flag: string | undefined) => flag ?? spell(found))

const PLAIN = /^[\t\n\u0020-\u007E]*$/

/** `\r\n` becomes `\n`; the pictures of controls (`␛`), and `‹U+202E›` for what has none. */
export const sanitizeForTerminal = (text: string): string => showHidden(text.replaceAll("\r\n", "\n"), visible)

/** `␛` for ESC and so on; `‹U+202E›` for what has no picture. */
export const visible = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return "␡"
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`
}
