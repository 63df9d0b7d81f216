/**
 * What the terminal is told beside its screen (spec 07): the window's title, and a word when something wants the user after a
 * while. Pure; all of it passes `safeLine`, since a title is a sink for escapes too (field case G6).
 */
import { text } from "../../domain/text.ts"
import { safeLine } from "../text/safeText.ts"
import { truncate } from "../text/width.ts"
import type { UiState } from "./state.ts"

/** Milliseconds of work after which its end, or a question of it, is worth a notice. */
const LONG = 10_000
/** Cells of a title. */
const TITLE = 80

const STATES = {
  asks: text("asks", "demande"),
  works: text("working", "au travail"),
  done: text("has finished", "a terminé"),
  waits: text("waits for your answer", "attend votre réponse")
} as const

export const titleOf = ({ language, question, status, turn, waiting }: UiState): string => {
  const busy = turn !== undefined || waiting !== undefined
  const word = question !== undefined ? STATES.asks[language] : busy ? STATES.works[language] : ""
  const mark = question !== undefined ? "? " : busy ? "● " : ""
  return truncate([`${mark}maia`, word, safeLine(status.session)].filter((part) => part !== "").join(" · "), TITLE)
}

/** What to notify of, going from one state to the next; nothing while the user is looking. */
export const noticeOf = (before: UiState, after: UiState): string | undefined => {
  if (after.focused === true || after.closed) return undefined
  const { language } = after
  const began = before.turn?.startedAt ?? after.turn?.startedAt
  if (began === undefined || after.now - began < LONG) return undefined
  if (before.turn !== undefined && after.turn === undefined) return `maia ${STATES.done[language]}`
  if (before.question === undefined && after.question !== undefined) return `maia ${STATES.waits[language]}`
  return undefined
}
