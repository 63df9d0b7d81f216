/**
 * The text being edited: content, cursor, what was killed, what can be undone (spec 07 "Input"). Immutable. Motions are in
 * `motions.ts`, kills in `kills.ts`.
 */
import { concat, EMPTY, plainContent, slice, splice, type Content } from "./content.ts"
import { boundaryFrom, nextBoundary, previousBoundary } from "./graphemes.ts"
import { cleanPaste } from "./pasteReader.ts"

interface Snapshot {
  readonly content: Content
  readonly cursor: number
}

export interface EditBuffer {
  readonly content: Content
  /** Offset in UTF-16 units, always between graphemes. */
  readonly cursor: number
  /** The last text killed; `yank` brings it back. */
  readonly killed: Content
  /** Oldest first. */
  readonly undone: ReadonlyArray<Snapshot>
  /** What the last key did: runs of typing are undone together, runs of kills are yanked together. */
  readonly last: "type" | "kill" | "vertical" | "other"
  /** Column that ↑ and ↓ aim at; kept while `last` is `vertical`. */
  readonly column: number
}

export const EMPTY_BUFFER: EditBuffer = {
  content: EMPTY,
  cursor: 0,
  killed: EMPTY,
  undone: [],
  last: "other",
  column: 0
}

/** Steps of undo; fewer where the text is long. */
const MOST_STEPS = 200
/** UTF-16 units that all steps together may hold. */
const MOST_UNDO_UNITS = 4_000_000

/** Replaces what is between two boundaries; the cursor goes behind what came in, or to `cursor`. */
export const replaceRange = (
  buffer: EditBuffer,
  from: number,
  to: number,
  insert: Content,
  options: { readonly last?: EditBuffer["last"]; readonly cursor?: number } = {}
): EditBuffer => {
  const { last = "other", cursor = from + insert.text.length } = options
  const content = splice(buffer.content, from, to, insert)
  const joins = last === "type" && buffer.last === "type" && !startsWord(buffer, insert)
  return {
    ...buffer,
    content,
    cursor: boundaryFrom(content, cursor),
    undone: joins ? buffer.undone : withSnapshot(buffer),
    last
  }
}

/** Typed words are undone one by one. */
const startsWord = ({ content, cursor }: EditBuffer, insert: Content): boolean =>
  /\s/.test(content.text[cursor - 1] ?? "") && !/^\s/.test(insert.text)

const withSnapshot = ({ undone, content, cursor }: EditBuffer): ReadonlyArray<Snapshot> => {
  const most = Math.max(10, Math.min(MOST_STEPS, Math.floor(MOST_UNDO_UNITS / (content.text.length + 1))))
  return [...undone.slice(-(most - 1)), { content, cursor }]
}

/** Text as typed; control characters that have no place in an input are dropped. */
export const type = (buffer: EditBuffer, text: string): EditBuffer =>
  replaceRange(buffer, buffer.cursor, buffer.cursor, plainContent(cleanPaste(text)), { last: "type" })

export const insert = (buffer: EditBuffer, content: Content): EditBuffer =>
  replaceRange(buffer, buffer.cursor, buffer.cursor, content)

/** Another content, cursor at its end; can be undone. */
export const setContent = (buffer: EditBuffer, content: Content): EditBuffer =>
  replaceRange(buffer, 0, buffer.content.text.length, content)

export const deleteBackward = (buffer: EditBuffer): EditBuffer =>
  buffer.cursor === 0
    ? rest(buffer)
    : replaceRange(buffer, previousBoundary(buffer.content, buffer.cursor), buffer.cursor, EMPTY)

export const deleteForward = (buffer: EditBuffer): EditBuffer => {
  const { content, cursor } = buffer
  if (cursor === content.text.length) return rest(buffer)
  return replaceRange(buffer, cursor, nextBoundary(content, cursor), EMPTY)
}

/** Takes a range out; kills that follow each other are yanked as one. */
export const kill = (buffer: EditBuffer, from: number, to: number): EditBuffer => {
  if (from === to) return { ...buffer, last: buffer.last === "kill" ? "kill" : "other" }
  const taken = slice(buffer.content, from, to)
  const isBackward = to <= buffer.cursor && from < buffer.cursor
  const before = buffer.last === "kill" ? buffer.killed : EMPTY
  const killed = isBackward ? concat(taken, before) : concat(before, taken)
  return { ...replaceRange(buffer, from, to, EMPTY, { last: "kill" }), killed }
}

export const yank = (buffer: EditBuffer): EditBuffer =>
  buffer.killed.text === "" ? rest(buffer) : insert(buffer, buffer.killed)

export const undo = (buffer: EditBuffer): EditBuffer => {
  const step = buffer.undone.at(-1)
  return step === undefined ? rest(buffer) : { ...buffer, ...step, undone: buffer.undone.slice(0, -1), last: "other" }
}

/** Exchanges the graphemes on both sides of the cursor; at the end of a line, the two before it. */
export const transpose = (buffer: EditBuffer): EditBuffer => {
  const { content, cursor } = buffer
  const isAtEnd = cursor === content.text.length || content.text[cursor] === "\n"
  const middle = isAtEnd ? previousBoundary(content, cursor) : cursor
  const start = previousBoundary(content, middle)
  const end = nextBoundary(content, middle)
  const [first, second] = [slice(content, start, middle), slice(content, middle, end)]
  if (middle === 0 || first.text === "\n" || second.text === "\n" || second.text === "") return rest(buffer)
  return replaceRange(buffer, start, end, concat(second, first))
}

/** The cursor elsewhere. */
export const moveTo = (buffer: EditBuffer, cursor: number): EditBuffer => ({
  ...buffer,
  cursor: boundaryFrom(buffer.content, cursor),
  last: "other"
})

/** Nothing to do, but it ends a run. */
const rest = (buffer: EditBuffer): EditBuffer => ({ ...buffer, last: "other" })

/** `\` before the cursor at the end of a line, and not `\\`: Enter is meant as a line end. */
export const continuesLine = ({ content, cursor }: EditBuffer): boolean => {
  const { text } = content
  if (cursor < text.length && text[cursor] !== "\n") return false
  let slashes = 0
  while (text[cursor - 1 - slashes] === "\\") slashes++
  return slashes % 2 === 1
}

/** The line end that `\` and Enter mean. */
export const continueLine = (buffer: EditBuffer): EditBuffer =>
  replaceRange(buffer, buffer.cursor - 1, buffer.cursor, plainContent("\n"))
