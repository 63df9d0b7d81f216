/**
 * State, surroundings and effects of the input (spec 07 "Input"). `inputMachine.ts` makes the next state; the front end
 * carries the effects out. Data only.
 */
import type { Candidate } from "./completion/candidate.ts"
import type { CompletionToken } from "./completion/completionToken.ts"
import type { Content, Token } from "./content.ts"
import { EMPTY_BUFFER, type EditBuffer } from "./editBuffer.ts"
import { EMPTY_HISTORY, type HistoryState } from "./history.ts"
import type { Language } from "./paste.ts"

export interface InputState {
  readonly buffer: EditBuffer
  readonly history: HistoryState
  /** The list of candidates, from when it is asked for until it is closed. */
  readonly completion: CompletionState | undefined
  /** Ctrl+R; the buffer shows the entry found. */
  readonly search: SearchState | undefined
  /** Place of a token (its `start`) whose list Esc has closed. */
  readonly dismissed: number | undefined
  /** The buffer as history has set it: until a key changes it, ↑ and ↓ stay with history. */
  readonly recalled: EditBuffer | undefined
  /** Number of the next paste or image of this draft. */
  readonly nextToken: number
  /** First visible row; for `layoutInput`. */
  readonly top: number
  /** Milliseconds: when Ctrl+C, or Esc, was pressed on an empty input. */
  readonly leaveAt: number | undefined
  readonly escapeAt: number | undefined
}

export interface CompletionState {
  readonly token: CompletionToken
  /** Best first; those of a shorter query while new ones are looked for. */
  readonly candidates: ReadonlyArray<Candidate>
  readonly selected: number
  /** The candidates for this token have not come yet. */
  readonly waiting: boolean
  /** An arrow has chosen: Enter accepts whatever it is. */
  readonly navigated: boolean
  /** Tab was pressed while `waiting`. */
  readonly acceptFirst: boolean
}

export interface SearchState {
  readonly query: string
  /** Entry shown; undefined: nothing holds the query. */
  readonly at: number | undefined
  /** The input before the search. */
  readonly before: EditBuffer
}

/** What the machine must know of the rest of the program at a key. */
export interface InputContext {
  /** Milliseconds; any clock that does not go back. */
  readonly now: number
  /** Columns and rows of the input's box, as given to `layoutInput`. */
  readonly width: number
  readonly height: number
  readonly language: Language
  /** Something runs that Esc stops. */
  readonly busy: boolean
  /** Messages in the queue. */
  readonly queued: number
}

export type InputEffect =
  /** Enter: `text` is sent, `content` shown in the log. */
  | { readonly type: "submit"; readonly text: string; readonly content: Content }
  /** What is sent is kept for later sessions (`InputHistory.add`); not where a space stood before it. */
  | { readonly type: "remember"; readonly content: Content }
  /** Find candidates and answer with `completionsFound`; a later one replaces it. */
  | { readonly type: "complete"; readonly token: CompletionToken }
  /** Images came in: look whether each is a file, answer with `imageMissing` where it is none. */
  | { readonly type: "checkImages"; readonly images: ReadonlyArray<Token> }
  /** Esc or Ctrl+C while something runs. */
  | { readonly type: "interrupt" }
  /** Say that a second Ctrl+C leaves; it does within `TWICE` milliseconds. */
  | { readonly type: "leaveHint" }
  | { readonly type: "leave" }
  /** ↑ on an empty input while messages wait: take the newest out of the queue and answer with `setInput`. */
  | { readonly type: "takeBack" }
  /** Esc Esc on an empty input. */
  | { readonly type: "editEarlier" }
  /** Say that a second Esc edits an earlier message. */
  | { readonly type: "escapeHint" }
  | { readonly type: "cycleMode" }
  | { readonly type: "expand" }
  /** Ctrl+G: open the text in the user's editor and answer with `setInput`. */
  | { readonly type: "editor"; readonly text: string }
  | { readonly type: "redraw" }
  | { readonly type: "suspend" }
  /** There is nothing to find, accept or undo. */
  | { readonly type: "bell" }

export interface Step {
  readonly state: InputState
  readonly effects: ReadonlyArray<InputEffect>
}

export const EMPTY_INPUT: InputState = {
  buffer: EMPTY_BUFFER,
  history: EMPTY_HISTORY,
  completion: undefined,
  search: undefined,
  dismissed: undefined,
  recalled: undefined,
  nextToken: 1,
  top: 0,
  leaveAt: undefined,
  escapeAt: undefined
}

/** Milliseconds in which a second Ctrl+C leaves. */
export const TWICE = 2_000
/** Milliseconds in which a second Esc edits an earlier message. */
export const ESCAPE_TWICE = 1_000

export const step = (state: InputState, ...effects: ReadonlyArray<InputEffect>): Step => ({ state, effects })
