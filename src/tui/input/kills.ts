/** Readline's kills (spec 07 "Input"): what Ctrl+U, K, W and Alt+D, Backspace take. */
import { kill, type EditBuffer } from "./editBuffer.ts"
import { lineEnd, lineStart, spacedWordLeft, wordLeft, wordRight } from "./motions.ts"

/** Ctrl+U: to the beginning of the line; there, the line end before it. */
export const killToLineStart = (buffer: EditBuffer): EditBuffer => {
  const start = lineStart(buffer.content, buffer.cursor)
  return kill(buffer, start === buffer.cursor ? Math.max(0, start - 1) : start, buffer.cursor)
}

/** Ctrl+K: to the end of the line; there, the line end. */
export const killToLineEnd = (buffer: EditBuffer): EditBuffer => {
  const { content, cursor } = buffer
  const end = lineEnd(content, cursor)
  return kill(buffer, cursor, end === cursor ? Math.min(content.text.length, end + 1) : end)
}

/** Ctrl+W: back to a space. */
export const killSpacedWord = (buffer: EditBuffer): EditBuffer =>
  kill(buffer, spacedWordLeft(buffer.content, buffer.cursor), buffer.cursor)

/** Alt+Backspace: back to the beginning of a word. */
export const killWordLeft = (buffer: EditBuffer): EditBuffer =>
  kill(buffer, wordLeft(buffer.content, buffer.cursor), buffer.cursor)

/** Alt+D: to the end of a word. */
export const killWordRight = (buffer: EditBuffer): EditBuffer =>
  kill(buffer, buffer.cursor, wordRight(buffer.content, buffer.cursor))
