/** Keys while the list of candidates is open, and what opens, follows and closes it (spec 07 "Input"). Pure. */
import type { Candidate } from "./completion/candidate.ts"
import { completionToken, type CompletionToken } from "./completion/completionToken.ts"
import { plainContent } from "./content.ts"
import { replaceRange } from "./editBuffer.ts"
import { step, type CompletionState, type InputState, type Step } from "./inputState.ts"

/** Undefined: the key is none of the list's. A list that is empty so far takes Tab only. */
export const completionKey = (state: InputState, list: CompletionState, chord: string): Step | undefined => {
  switch (chord) {
    case "tab":
      if (list.waiting) return step({ ...state, completion: { ...list, acceptFirst: true } })
      return list.candidates.length === 0 ? step(state, { type: "bell" }) : accept(state, list)
    case "enter":
      return enterAccepts(state, list) ? accept(state, list) : undefined
    case "up":
    case "C-p":
    case "S-tab":
      return select(state, list, -1)
    case "down":
    case "C-n":
      return select(state, list, 1)
    case "escape":
    case "C-g":
      if (list.candidates.length === 0) return undefined
      return step({ ...state, completion: undefined, dismissed: list.token.start })
    default:
      return undefined
  }
}

const select = (state: InputState, list: CompletionState, by: number): Step | undefined => {
  const { length } = list.candidates
  if (length === 0) return undefined
  const selected = (list.selected + by + length) % length
  return step({ ...state, completion: { ...list, selected, navigated: true } })
}

/**
 * Enter sends what is complete as it stands, a folder too. Of a list that has not come yet, or that a word of a sentence has
 * opened, it takes nothing.
 */
const enterAccepts = ({ buffer }: InputState, list: CompletionState): boolean => {
  const candidate = list.candidates[list.selected]
  if (candidate === undefined || list.waiting) return false
  if (list.navigated) return true
  const { kind, query, spaced, start, end } = list.token
  if (spaced === true || query === "" || query.endsWith("/") || kind === "argument") return false
  return !list.candidates.some(({ insert }) => insert === buffer.content.text.slice(start, end))
}

/** Puts the selected candidate in the token's place; of a folder, the list goes on. */
const accept = (state: InputState, list: CompletionState): Step => {
  const candidate = list.candidates[list.selected]
  if (candidate === undefined) return step(state)
  const { buffer } = state
  const { start, end } = list.token
  const quote = /["']$/.test(candidate.insert) && candidate.continues
  const text = candidate.insert + spaceAfter(candidate, buffer.content.text[end])
  const cursor = start + text.length - (quote ? 1 : 0)
  const next: InputState = {
    ...state,
    buffer: replaceRange(buffer, start, end, plainContent(text), { cursor }),
    completion: undefined,
    dismissed: undefined
  }
  return candidate.continues || list.token.kind === "command" ? refresh(next, true) : step(next)
}

const spaceAfter = ({ continues }: Candidate, next: string | undefined): string =>
  continues || (next !== undefined && /[\s.,;:!?)]/.test(next)) ? "" : " "

/**
 * The list after a key. `open`: the key typed or deleted, so a list may open; else one that is open follows the cursor or
 * closes.
 */
export const refresh = (state: InputState, open: boolean): Step => {
  const { buffer, completion, dismissed } = state
  if (!open && completion === undefined) return step(state)
  const token = completionToken(buffer.content, buffer.cursor)
  if (token === undefined) return step({ ...state, completion: undefined, dismissed: undefined })
  if (token.start === dismissed) return step({ ...state, completion: undefined })
  if (completion !== undefined && sameToken(completion.token, token)) return step(state)
  if (!open && completion?.token.start !== token.start) return step({ ...state, completion: undefined })
  return ask({ ...state, dismissed: undefined }, token)
}

/** Tab without a list: opens it even where Esc has closed it. */
export const openList = (state: InputState): Step => {
  const token = completionToken(state.buffer.content, state.buffer.cursor)
  return token === undefined ? step(state) : ask({ ...state, dismissed: undefined }, token)
}

const ask = (state: InputState, token: CompletionToken): Step => {
  const { completion } = state
  const isSame = completion?.token.start === token.start && completion.token.kind === token.kind
  const list: CompletionState = {
    token,
    candidates: isSame ? completion.candidates : [],
    selected: 0,
    waiting: true,
    navigated: false,
    acceptFirst: false
  }
  return step({ ...state, completion: list }, { type: "complete", token })
}

export const sameToken = (a: CompletionToken, b: CompletionToken): boolean =>
  a.kind === b.kind && a.start === b.start && a.end === b.end && a.query === b.query && a.command === b.command

/** Candidates have come; those for a token that is no longer the one at the cursor are dropped. */
export const completionsFound = (
  state: InputState,
  token: CompletionToken,
  candidates: ReadonlyArray<Candidate>
): Step => {
  const list = state.completion
  if (list === undefined || !sameToken(list.token, token)) return step(state)
  const ready = { ...list, candidates, selected: 0, waiting: false, acceptFirst: false }
  const next = { ...state, completion: ready }
  if (!list.acceptFirst) return step(next)
  return candidates.length === 0 ? step(next, { type: "bell" }) : accept(next, ready)
}
