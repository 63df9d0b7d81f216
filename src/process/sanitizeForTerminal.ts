/**
 * Makes text from models, tools, files and the network safe to draw (field cases G6, C22): nothing in it can move the
 * cursor, set a title or the clipboard, ask the terminal something, reverse or hide text. Everything is made visible,
 * nothing is dropped, so what is shown is what is there. Pure; works on any piece of a stream.
 */
const pattern =
  // C0 but tab and newline, DEL, C1; Arabic letter mark, zero width space, marks, separators, embeddings, isolates and
  // other invisible format characters; interlinear annotations; tag characters (text nobody sees).
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g

export const sanitizeForTerminal = (text: string): string => text.replaceAll("\r\n", "\n").replace(pattern, visible)

/** `␛` for ESC and so on; `‹U+202E›` for what has no picture. */
export const visible = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return "␡"
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`
}
