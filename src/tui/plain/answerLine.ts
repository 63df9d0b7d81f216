/** A typed line as the answer to a question, for the interface without redraws. Pure. */
import type { LineInput, Question } from "../store/state.ts"
import type { Reaction } from "../control/questionKeys.ts"

const IGNORED: Reaction = { type: "ignored" }

/** `ignored`: the line says nothing here, the question stays. Nothing is ever allowed by an empty line. */
export const answerLine = (question: Question, line: string): Reaction => {
  const typed = line.trim()
  switch (question.type) {
    case "confirm": {
      const letter = typed.slice(0, 1).toLowerCase()
      if (letter === "o" || letter === "y") return { type: "answered", answer: true }
      return letter === "n" ? { type: "answered", answer: false } : IGNORED
    }
    case "choice":
      return number(typed, question.choices.length, (index) => ({ type: "answered", answer: index }))
    case "line":
      return { type: "answered", answer: line === "" ? question.line.text : line }
    case "permission":
      return permission(question, typed)
  }
}

const permission = (question: Extract<Question, { type: "permission" }>, typed: string): Reaction => {
  const { always, step } = question
  const emptyLine: LineInput = { text: "", cursor: 0 }
  switch (step.at) {
    case "ask": {
      const [, letter = "", rest = ""] = /^(\p{L})(?:\p{L}*)\s*([\s\S]*)$/u.exec(typed.toLowerCase()) ?? []
      if (letter === "o" || letter === "y") return { type: "answered", answer: { answer: "yes" } }
      if (letter === "n") {
        const reason = typed.slice(typed.length - rest.length)
        if (rest !== "") return { type: "answered", answer: { answer: "no", reason } }
        return { type: "changed", question: { ...question, step: { at: "reason", line: emptyLine } } }
      }
      if ((letter === "t" || letter === "a") && always.length > 0) {
        return { type: "changed", question: { ...question, step: { at: "always", selected: 0 } } }
      }
      return IGNORED
    }
    case "reason":
      return { type: "answered", answer: typed === "" ? { answer: "no" } : { answer: "no", reason: typed } }
    case "always":
      if (typed === "") return { type: "changed", question: { ...question, step: { at: "ask" } } }
      return number(typed, always.length, (index) => {
        const option = always[index ?? 0]
        return option === undefined
          ? IGNORED
          : { type: "answered", answer: { answer: "always", rule: option.rule, scope: option.scope } }
      })
  }
}

/** A number from 1; an empty line chooses nothing. */
const number = (typed: string, most: number, make: (index: number | undefined) => Reaction): Reaction => {
  if (typed === "") return make(undefined)
  const chosen = /^\d{1,6}$/.test(typed) ? Number(typed) : 0
  return chosen >= 1 && chosen <= most ? make(chosen - 1) : IGNORED
}
