/** The keys that edit or move, as in readline (spec 07 "Input"). A table from the key's short name. Pure. */
import { deleteBackward, deleteForward, insert, moveTo, transpose, undo, yank, type EditBuffer } from "./editBuffer.ts"
import { plainContent, type Content } from "./content.ts"
import type { KeyEvent } from "./inputEvent.ts"
import { killSpacedWord, killToLineEnd, killToLineStart, killWordLeft, killWordRight } from "./kills.ts"
import { left, lineEnd, lineStart, right, wordLeft, wordRight } from "./motions.ts"

/** `C-` Ctrl, `M-` Alt, `S-` Shift, then the name: `C-M-x`, `S-tab`. */
export const chordOf = ({ alt, ctrl, name, shift }: KeyEvent): string =>
  `${ctrl ? "C-" : ""}${alt ? "M-" : ""}${shift ? "S-" : ""}${name}`

type Edit = (buffer: EditBuffer) => EditBuffer

const motion =
  (move: (content: Content, at: number) => number): Edit =>
  (buffer) =>
    moveTo(buffer, move(buffer.content, buffer.cursor))

const newline: Edit = (buffer) => insert(buffer, plainContent("\n"))

const toStart: Edit = (buffer) => moveTo(buffer, 0)
const toEnd: Edit = (buffer) => moveTo(buffer, buffer.content.text.length)

/** Motions, which open no list of candidates. */
export const MOTION_KEYS: ReadonlyMap<string, Edit> = new Map([
  ["left", motion(left)],
  ["C-b", motion(left)],
  ["right", motion(right)],
  ["C-f", motion(right)],
  ["home", motion(lineStart)],
  ["C-a", motion(lineStart)],
  ["end", motion(lineEnd)],
  ["C-e", motion(lineEnd)],
  ["M-b", motion(wordLeft)],
  ["C-left", motion(wordLeft)],
  ["M-left", motion(wordLeft)],
  ["M-f", motion(wordRight)],
  ["C-right", motion(wordRight)],
  ["M-right", motion(wordRight)],
  ["C-home", toStart],
  ["M-<", toStart],
  ["M-S-,", toStart],
  ["C-end", toEnd],
  ["M->", toEnd],
  ["M-S-.", toEnd]
])

export const EDIT_KEYS: ReadonlyMap<string, Edit> = new Map([
  ["backspace", deleteBackward],
  ["S-backspace", deleteBackward],
  ["C-h", deleteBackward],
  ["delete", deleteForward],
  ["S-delete", deleteForward],
  ["C-d", deleteForward],
  ["C-w", killSpacedWord],
  ["M-backspace", killWordLeft],
  ["C-backspace", killWordLeft],
  ["C-M-h", killWordLeft],
  ["M-d", killWordRight],
  ["M-delete", killWordRight],
  ["C-delete", killWordRight],
  ["C-u", killToLineStart],
  ["C-k", killToLineEnd],
  ["C-y", yank],
  ["C-t", transpose],
  // Ctrl+_ as terminals tell it: the control character, Ctrl+/ and Ctrl+Shift+- where keys are told apart.
  ["C-_", undo],
  ["C-S-_", undo],
  ["C-S--", undo],
  ["C-/", undo],
  ["S-enter", newline],
  ["M-enter", newline],
  ["C-enter", newline],
  ["M-S-enter", newline],
  ["C-S-enter", newline],
  ["C-M-enter", newline],
  ["C-j", newline],
  ["C-M-j", newline]
])
