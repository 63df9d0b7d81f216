/**
 * What every key does to the input (spec 07 "Input"): one pure step from a state and an event to the next state and the
 * effects that the front end carries out (`inputState.ts`). Answers to effects come in through `completionsFound`,
 * `setInput`, `imageMissing` and `historyLoaded`.
 */
import type { Candidate } from "./completion/candidate.ts"
import type { CompletionToken } from "./completion/completionToken.ts"
import { completionKey, completionsFound as found, openList, refresh } from "./completionKeys.ts"
import { EMPTY, expand, plainContent, splice, trim, type Content } from "./content.ts"
import { continueLine, continuesLine, insert, replaceRange, setContent, type as typeText } from "./editBuffer.ts"
import { chordOf, EDIT_KEYS, MOTION_KEYS } from "./editKeys.ts"
import { isRemembered, leave, remember, withEntries } from "./history.ts"
import { prefixKey, searchKey, startSearch, takeFound, verticalKey } from "./historyKeys.ts"
import type { InputEvent, KeyEvent } from "./inputEvent.ts"
import {
  ESCAPE_TWICE,
  step,
  TWICE,
  type InputContext,
  type InputEffect,
  type InputState,
  type Step
} from "./inputState.ts"
import { drawingOf, topRow } from "./layout.ts"
import { longText, pasted } from "./paste.ts"
import { cleanPaste } from "./pasteReader.ts"
import { rowAt, rowsOf } from "./rows.ts"

/** The next state; the same object where nothing changes. */
export const stepInput = (state: InputState, event: InputEvent, context: InputContext): Step => {
  if (event.type === "paste") return settle(paste(state, event.text), context)
  if (event.type !== "key") return step(state)
  return settle(keyStep(disarmed(state, event), event, context), context)
}

/** Candidates for `token`, as an answer to the effect `complete`. */
export const completionsFound = (
  state: InputState,
  token: CompletionToken,
  candidates: ReadonlyArray<Candidate>,
  context: InputContext
): Step => settle(found(state, token, candidates), context)

/** Another text: from the editor, the queue, or an earlier message. Undo brings the old one back. */
export const setInput = (state: InputState, given: string | Content, context: InputContext): Step => {
  const content = typeof given === "string" ? longText(cleanPaste(given), state.nextToken) : given
  return settle(step({ ...closed(state), buffer: setContent(state.buffer, content) }), context)
}

/** An image's path leads to no file: it was text after all. */
export const imageMissing = (state: InputState, number: number, context: InputContext): Step => {
  const { buffer } = state
  const mark = buffer.content.marks.find(({ token }) => token.kind === "image" && token.number === number)
  if (mark === undefined) return step(state)
  const text = cleanPaste(mark.token.pasted ?? mark.token.text)
  const shift = buffer.cursor > mark.at ? text.length - 1 : 0
  const content = splice(buffer.content, mark.at, mark.at + 1, plainContent(text))
  return settle(step({ ...state, buffer: { ...buffer, content, cursor: buffer.cursor + shift } }), context)
}

/** Entries of earlier sessions, oldest first. */
export const historyLoaded = (state: InputState, entries: ReadonlyArray<Content>): InputState => ({
  ...state,
  history: withEntries(state.history, entries)
})

/** A window of another size: the cursor stays visible. */
export const resized = (state: InputState, context: InputContext): InputState => settle(step(state), context).state

/** Scrolls so that the cursor can be seen, and numbers the next token behind those that are there. */
const settle = (done: Step, context: InputContext): Step => {
  const { buffer, nextToken, top } = done.state
  const rows = rowsOf(buffer.content, drawingOf(context))
  const nextTop = topRow(rowAt(rows, buffer.cursor), rows.length, Math.max(1, context.height), top)
  const next = nextTokenAfter(done.state)
  return nextTop === top && next === nextToken
    ? done
    : { ...done, state: { ...done.state, top: nextTop, nextToken: next } }
}

const nextTokenAfter = ({ buffer, nextToken }: InputState): number =>
  Math.max(nextToken, ...buffer.content.marks.map(({ token }) => token.number + 1))

/** A second Ctrl+C or Esc counts only where no other key came between. */
const disarmed = (state: InputState, event: KeyEvent): InputState => {
  const leaveAt = event.ctrl && event.name === "c" ? state.leaveAt : undefined
  const escapeAt = event.name === "escape" ? state.escapeAt : undefined
  return leaveAt === state.leaveAt && escapeAt === state.escapeAt ? state : { ...state, leaveAt, escapeAt }
}

/** Without list and search. */
const closed = (state: InputState): InputState => ({
  ...state,
  completion: undefined,
  search: undefined,
  dismissed: undefined,
  recalled: undefined
})

const keyStep = (state: InputState, event: KeyEvent, context: InputContext): Step => {
  const chord = chordOf(event)
  if (state.search !== undefined) {
    const done = searchKey(state, state.search, event, chord)
    return done ?? keyStep(takeFound(state, state.search), event, context)
  }
  if (state.completion !== undefined && (state.completion.candidates.length > 0 || state.completion.waiting)) {
    const done = completionKey(state, state.completion, chord)
    if (done !== undefined) return done
  }
  if (event.text !== undefined) return edited({ ...state, buffer: typeText(state.buffer, event.text) })
  const command = commandKey(state, chord, context)
  if (command !== undefined) return command
  const motion = MOTION_KEYS.get(chord)
  if (motion !== undefined) return refresh({ ...state, buffer: motion(state.buffer) }, false)
  const edit = EDIT_KEYS.get(chord)
  return edit === undefined ? step(state) : edited({ ...state, buffer: edit(state.buffer) })
}

/** A list opens where something was typed or deleted. */
const edited = (state: InputState): Step => refresh(state, true)

const commandKey = (state: InputState, chord: string, context: InputContext): Step | undefined => {
  const isEmpty = state.buffer.content.text === ""
  switch (chord) {
    case "enter":
      return enter(state)
    case "up":
    case "C-p":
      return followed(verticalKey(state, -1, context))
    case "down":
    case "C-n":
      return followed(verticalKey(state, 1, context))
    case "pageup":
    case "M-p":
      return followed(prefixKey(state, -1))
    case "pagedown":
    case "M-n":
      return followed(prefixKey(state, 1))
    case "C-r":
      return startSearch(state)
    case "tab":
      return openList(state)
    case "C-c":
      return controlC(state, isEmpty, context)
    case "C-d":
      return isEmpty ? step(state, { type: "leave" }) : undefined
    case "escape":
      return escape(state, isEmpty, context)
    case "S-tab":
      return step(state, { type: "cycleMode" })
    case "C-o":
      return step(state, { type: "expand" })
    case "C-g":
      return step(state, { type: "editor", text: expand(state.buffer.content) })
    case "C-l":
      return step(state, { type: "redraw" })
    case "C-z":
      return step(state, { type: "suspend" })
    default:
      return undefined
  }
}

/** History and rows close a list that no longer fits. */
const followed = ({ state, effects }: Step): Step => {
  const { state: next, effects: more } = refresh(state, false)
  return { state: next, effects: [...effects, ...more] }
}

const enter = (state: InputState): Step => {
  const { buffer } = state
  if (continuesLine(buffer)) return edited({ ...state, buffer: continueLine(buffer) })
  const content = trim(buffer.content)
  if (content.text === "") return step(state)
  const isKept = isRemembered(buffer.content.text)
  const next: InputState = {
    ...closed(state),
    buffer: { ...replaceRange(buffer, 0, buffer.content.text.length, EMPTY), undone: [] },
    history: isKept ? remember(state.history, content) : leave(state.history),
    nextToken: 1,
    top: 0
  }
  const submit: InputEffect = { type: "submit", text: expand(content), content }
  return isKept ? step(next, submit, { type: "remember", content }) : step(next, submit)
}

const controlC = (state: InputState, isEmpty: boolean, context: InputContext): Step => {
  if (state.leaveAt !== undefined && context.now - state.leaveAt <= TWICE) return step(state, { type: "leave" })
  if (!isEmpty && !context.busy) {
    const buffer = setContent(state.buffer, EMPTY)
    return step({ ...closed(state), buffer, nextToken: 1, history: leave(state.history) })
  }
  const armed = { ...state, leaveAt: context.now }
  return context.busy ? step(armed, { type: "interrupt" }, { type: "leaveHint" }) : step(armed, { type: "leaveHint" })
}

const escape = (state: InputState, isEmpty: boolean, context: InputContext): Step => {
  if (context.busy) return step({ ...state, escapeAt: undefined }, { type: "interrupt" })
  if (!isEmpty) return step(state)
  if (state.escapeAt !== undefined && context.now - state.escapeAt <= ESCAPE_TWICE) {
    return step({ ...state, escapeAt: undefined }, { type: "editEarlier" })
  }
  return step({ ...state, escapeAt: context.now }, { type: "escapeHint" })
}

const paste = (state: InputState, given: string): Step => {
  if (given === "") return step(state)
  if (state.search !== undefined) return paste(takeFound(state, state.search), given)
  const { content, images } = pasted(given, state.nextToken)
  const next = { ...state, buffer: insert(state.buffer, content), leaveAt: undefined, escapeAt: undefined }
  const done = refresh(next, false)
  return images.length === 0 ? done : { ...done, effects: [...done.effects, { type: "checkImages", images }] }
}
