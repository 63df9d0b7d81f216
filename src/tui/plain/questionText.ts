/** A question as plain lines: lists are numbered, keys are typed with Enter. Pure. */
import { scopeText } from "../control/alwaysOptions.ts"
import type { Question } from "../store/state.ts"
import { diffLines } from "../text/diff.ts"
import { safeLine, safeText } from "../text/safeText.ts"
import type { View } from "../text/view.ts"
import { text } from "../../domain/text.ts"
import * as phrases from "../views/phrases.ts"

/** Lines of a change that are read out: there is no key that shows more. */
const MOST_CHANGES = 400

export const questionText = (question: Question, view: View): ReadonlyArray<string> => {
  const { language } = view
  const numbered = (labels: ReadonlyArray<string>): ReadonlyArray<string> =>
    labels.map((label, at) => `${at + 1}. ${safeLine(label)}`)
  switch (question.type) {
    case "confirm":
      return [
        safeText(question.title),
        ...(question.detail === "" ? [] : [safeText(question.detail)]),
        phrases.confirmKeys[language]
      ]
    case "choice":
      return [
        safeText(question.title),
        ...numbered(question.choices.map(({ hint, label }) => (hint === undefined ? label : `${label}  ${hint}`))),
        chooseNumber[language]
      ]
    case "line":
      return [safeText(question.title) + (question.line.text === "" ? "" : ` [${safeLine(question.line.text)}]`)]
    case "permission": {
      const { always, diff, step, tool } = question
      if (step.at === "reason") return [phrases.reason[language]]
      if (step.at === "always") {
        const labels = always.map(({ rule, scope }) => `${rule}  ${scopeText[scope][language]}`)
        return [phrases.alwaysTitle[language], ...numbered(labels), chooseNumber[language]]
      }
      return [
        safeLine(phrases.allow(tool, question.question.asker)[language]),
        safeText(question.question.subject),
        ...(diff === undefined ? [] : diffLines(diff, view, { most: MOST_CHANGES })),
        safeText(question.question.reason[language]),
        (always.length === 0 ? phrases.askKeys : phrases.askAlwaysKeys)[language]
      ]
    }
  }
}

const chooseNumber = text("Number (empty: none):", "Numéro (vide : aucun) :")
