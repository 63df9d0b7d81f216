/**
 * What a key does to the question on the screen (spec 07, MAIA §15.5). Pure. The letters of both languages work; Enter alone
 * never allows anything.
 */
import type { InputEvent, KeyEvent } from "../input/inputEvent.ts"
import type { AlwaysOption, Question } from "../store/state.ts"
import type { Answers } from "../Ui.ts"
import { editLine } from "./editLine.ts"

export type Reaction =
  | { readonly type: "answered"; readonly answer: Answers[keyof Answers] }
  | { readonly type: "changed"; readonly question: Question }
  | { readonly type: "ignored" }

const IGNORED: Reaction = { type: "ignored" }

/** Rows a page key moves. */
const PAGE = 9

export const reactTo = (question: Question, event: InputEvent): Reaction => {
  switch (question.type) {
    case "permission":
      return permission(question, event)
    case "confirm":
      return confirm(event)
    case "choice":
      return choice(question, event)
    case "line":
      return line(question, event)
  }
}

const answered = (answer: Answers[keyof Answers]): Reaction => ({ type: "answered", answer })

/** The letter typed, small; undefined for every other key. */
const letterOf = (event: InputEvent): string | undefined =>
  event.type === "key" && event.text !== undefined ? event.text.toLowerCase() : undefined

const isPlain = (event: InputEvent, name: string): event is KeyEvent =>
  event.type === "key" && event.name === name && !event.ctrl && !event.alt

const isYes = (letter: string | undefined): boolean => letter === "o" || letter === "y"

const permission = (question: Extract<Question, { type: "permission" }>, event: InputEvent): Reaction => {
  const { step } = question
  const go = (next: typeof step): Reaction => ({ type: "changed", question: { ...question, step: next } })
  switch (step.at) {
    case "ask": {
      const letter = letterOf(event)
      if (isYes(letter)) return answered({ answer: "yes" })
      if (letter === "n") return go({ at: "reason", line: { text: "", cursor: 0 } })
      if ((letter === "t" || letter === "a") && question.always.length > 0) return go({ at: "always", selected: 0 })
      return isPlain(event, "escape") ? answered({ answer: "no" }) : IGNORED
    }
    case "reason": {
      if (isPlain(event, "escape")) return go({ at: "ask" })
      if (isPlain(event, "enter")) {
        const reason = step.line.text.trim()
        return answered(reason === "" ? { answer: "no" } : { answer: "no", reason })
      }
      const next = editLine(step.line, event)
      return next === undefined ? IGNORED : go({ at: "reason", line: next })
    }
    case "always": {
      if (isPlain(event, "escape")) return go({ at: "ask" })
      const option: AlwaysOption | undefined = question.always[step.selected]
      if (isPlain(event, "enter") && option !== undefined) {
        return answered({ answer: "always", rule: option.rule, scope: option.scope })
      }
      const selected = moved(step.selected, question.always.length, event)
      return selected === undefined ? IGNORED : go({ at: "always", selected })
    }
  }
}

const confirm = (event: InputEvent): Reaction => {
  const letter = letterOf(event)
  if (isYes(letter)) return answered(true)
  return letter === "n" || isPlain(event, "escape") ? answered(false) : IGNORED
}

const choice = (question: Extract<Question, { type: "choice" }>, event: InputEvent): Reaction => {
  if (isPlain(event, "escape")) return answered(undefined)
  if (isPlain(event, "enter")) return answered(question.selected)
  const selected = moved(question.selected, question.choices.length, event)
  return selected === undefined ? IGNORED : { type: "changed", question: { ...question, selected } }
}

const line = (question: Extract<Question, { type: "line" }>, event: InputEvent): Reaction => {
  if (isPlain(event, "escape")) return answered(undefined)
  if (isPlain(event, "enter")) return answered(question.line.text)
  const next = editLine(question.line, event)
  return next === undefined ? IGNORED : { type: "changed", question: { ...question, line: next } }
}

/** The row a key goes to, in a list that begins again at its end; undefined for other keys. */
const moved = (selected: number, length: number, event: InputEvent): number | undefined => {
  if (event.type !== "key" || event.ctrl || event.alt || length === 0) return undefined
  switch (event.name) {
    case "up":
    case "k":
      return (selected + length - 1) % length
    case "down":
    case "j":
    case "tab":
      return (selected + 1) % length
    case "pageup":
      return Math.max(0, selected - PAGE)
    case "pagedown":
      return Math.min(length - 1, selected + PAGE)
    case "home":
      return 0
    case "end":
      return length - 1
    default:
      return undefined
  }
}
