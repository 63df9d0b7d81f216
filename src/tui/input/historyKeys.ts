/** ↑, ↓, search by beginning and Ctrl+R (spec 07 "Input"). Pure. */
import { moveTo, setContent, type EditBuffer } from "./editBuffer.ts"
import { findNewer, findOlder, newer, older, type Found, type Recalled } from "./history.ts"
import type { KeyEvent } from "./inputEvent.ts"
import { step, type InputContext, type InputState, type SearchState, type Step } from "./inputState.ts"
import { drawingOf } from "./layout.ts"
import { moveRows } from "./vertical.ts"

/** ↑ and ↓: through the rows of the input, from its first and last through history. */
export const verticalKey = (state: InputState, by: -1 | 1, context: InputContext): Step => {
  const moved = state.recalled === state.buffer ? undefined : moveRows(state.buffer, by, drawingOf(context))
  if (moved !== undefined) return step({ ...state, buffer: moved })
  const { content } = state.buffer
  if (by === -1 && content.text === "" && context.queued > 0) return step(state, { type: "takeBack" })
  return recall(state, by === -1 ? older(state.history, content, "") : newer(state.history, content, ""))
}

/** Alt+P, Alt+N, PageUp, PageDown: entries that begin like what stands before the cursor. */
export const prefixKey = (state: InputState, by: -1 | 1): Step => {
  const { content, cursor } = state.buffer
  const goesOn = state.recalled === state.buffer && state.history.at !== undefined
  const prefix = goesOn ? state.history.prefix : content.text.slice(0, cursor)
  return recall(state, by === -1 ? older(state.history, content, prefix) : newer(state.history, content, prefix))
}

const recall = (state: InputState, found: Recalled | undefined): Step => {
  if (found === undefined) return step(state)
  const buffer = setContent(state.buffer, found.content)
  const isDraft = found.history.at === undefined
  return step({ ...state, buffer, history: found.history, recalled: isDraft ? undefined : buffer })
}

export const startSearch = (state: InputState): Step =>
  step({ ...state, completion: undefined, search: { query: "", at: undefined, before: state.buffer } })

/** A key while searching; undefined: the entry is taken and the key then does what it does. */
export const searchKey = (state: InputState, search: SearchState, event: KeyEvent, chord: string): Step | undefined => {
  if (event.text !== undefined) return find(state, search, search.query + event.text)
  switch (chord) {
    case "C-r":
      return again(state, search, findOlder(state.history, search.query, search.at))
    case "C-s":
      return again(
        state,
        search,
        search.at === undefined ? undefined : findNewer(state.history, search.query, search.at)
      )
    case "backspace":
    case "C-h":
      return find(state, search, dropLast(search.query))
    case "escape":
    case "C-g":
    case "C-c":
      return step({ ...state, buffer: search.before, search: undefined })
    case "enter":
    case "tab":
      return step(takeFound(state, search))
    default:
      return undefined
  }
}

/** Ends the search with what it shows. */
export const takeFound = (state: InputState, search: SearchState): InputState => {
  const { content, cursor } = state.buffer
  const isSame = content === search.before.content
  const buffer = isSame ? search.before : moveTo(setContent(search.before, content), cursor)
  return { ...state, buffer, search: undefined }
}

/** A changed query is looked for from the newest entry again. */
const find = (state: InputState, search: SearchState, query: string): Step => {
  if (query === "") return step({ ...state, buffer: search.before, search: { ...search, query, at: undefined } })
  const found = findOlder(state.history, query)
  if (found === undefined) return step({ ...state, search: { ...search, query, at: undefined } }, { type: "bell" })
  return show(state, { ...search, query }, found)
}

const again = (state: InputState, search: SearchState, found: Found | undefined): Step =>
  found === undefined ? step(state, { type: "bell" }) : show(state, search, found)

const show = (state: InputState, search: SearchState, found: Found): Step => {
  const content = state.history.entries[found.at] ?? search.before.content
  const buffer: EditBuffer = moveTo({ ...search.before, content }, found.offset)
  return step({ ...state, buffer, search: { ...search, at: found.at } })
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

const dropLast = (query: string): string => query.slice(0, [...segmenter.segment(query)].at(-1)?.index ?? 0)
