/** Puts questions on the screen one at a time and waits for their answers; each is replaced by its `◆` line (MAIA §15.2). */
import { Effect, Semaphore } from "effect"
import type { PermissionAnswer, PermissionQuestion } from "../domain/agent-event.ts"
import { cut, text, type Text } from "../domain/text.ts"
import type { Diff } from "../tools/files/diff.ts"
import { alwaysOptions, scopeText } from "./control/alwaysOptions.ts"
import { append } from "./store/log.ts"
import type { Choice, Language, QuestionBody } from "./store/state.ts"
import type { UiStore } from "./store/UiStore.ts"
import type { Answers, LineOptions } from "./Ui.ts"
import { byAsker } from "./views/phrases.ts"

interface Pending {
  readonly id: number
  readonly resolve: (answer: Answers[keyof Answers]) => void
}

export class Questions {
  private readonly store: UiStore
  private readonly turns = Semaphore.makeUnsafe(1)
  private nextId = 1
  private pending: Pending | undefined

  constructor(store: UiStore) {
    this.store = store
  }

  /** From the controller; an answer to a question that is gone does nothing. */
  answer(id: number, answer: Answers[keyof Answers]): void {
    if (this.pending?.id === id) this.pending.resolve(answer)
  }

  permission(tool: string, question: PermissionQuestion, diff: Diff | undefined): Effect.Effect<PermissionAnswer> {
    return this.ask(
      () => ({
        type: "permission",
        tool,
        question,
        diff,
        always: alwaysOptions(question.suggestions),
        step: { at: "ask" }
      }),
      (answer, language) => ({
        question: byAsker(allowTool(tool, question.subject), question.asker)[language],
        choice: permissionChoice(answer)[language]
      })
    )
  }

  choose(title: Text, choices: ReadonlyArray<Choice>, selected = 0): Effect.Effect<number | undefined> {
    return this.ask(
      (language) => ({ type: "choice", title: title[language], choices, selected }),
      (answer, language) => ({
        question: title[language],
        choice: answer === undefined ? none[language] : (choices[answer]?.label ?? "")
      })
    )
  }

  confirm(title: Text, detail = ""): Effect.Effect<boolean> {
    return this.ask(
      (language) => ({ type: "confirm", title: title[language], detail }),
      (answer, language) => ({ question: title[language], choice: (answer ? yes : no)[language] })
    )
  }

  line(title: Text, { initial = "", secret = false }: LineOptions = {}): Effect.Effect<string | undefined> {
    return this.ask(
      (language) => ({
        type: "line",
        title: title[language],
        line: { text: initial, cursor: initial.length },
        secret
      }),
      (answer, language) => ({
        question: title[language],
        choice: answer === undefined || answer === "" ? none[language] : secret ? "•••" : answer
      })
    )
  }

  /** The kind of the question decides the kind of its answer: `reactTo` gives no other. */
  private ask<K extends keyof Answers>(
    make: (language: Language) => QuestionBody & { readonly type: K },
    told: (answer: Answers[K], language: Language) => { readonly question: string; readonly choice: string }
  ): Effect.Effect<Answers[K]> {
    const { store } = this
    const asked = Effect.callback<Answers[K]>((resume) => {
      const id = this.nextId++
      this.pending = {
        id,
        resolve: (answer) => {
          this.pending = undefined
          // See above.
          const given = answer as Answers[K]
          store.update((state) =>
            append({ ...state, question: undefined }, { type: "answered", ...withoutMark(told(given, state.language)) })
          )
          resume(Effect.succeed(given))
        }
      }
      store.update((state) => ({ ...state, question: { ...make(state.language), id, askedAt: store.now() } }))
      return Effect.sync(() => {
        this.pending = undefined
        store.update((state) => ({ ...state, question: undefined }))
      })
    })
    return this.turns.withPermit(asked)
  }
}

/** `Trust it?` and `yes` make `Trust it: yes`. */
const withoutMark = <A extends { readonly question: string }>(told: A): A => ({
  ...told,
  question: told.question.replace(/\s*[?:]\s*$/, "")
})

const yes = text("yes", "oui")
const no = text("no", "non")
const none = text("none", "aucun")

/** What was allowed is told with its beginning: several calls of one tool are asked about in a row. */
const allowTool = (tool: string, subject: string): Text => {
  const line = subject.trim().split("\n", 1)[0] ?? ""
  const what = line.length > SUBJECT ? `${cut(line, SUBJECT)}…` : line
  return text(`Allow ${tool} ${what}`, `Autoriser ${tool} ${what}`)
}

/** UTF-16 units. */
const SUBJECT = 60

const permissionChoice = (answer: PermissionAnswer): Text => {
  switch (answer.answer) {
    case "yes":
      return yes
    case "no":
      return answer.reason === undefined ? no : text(`no, ${answer.reason}`, `non, ${answer.reason}`)
    case "always": {
      const scope = scopeText[answer.scope]
      return text(`always, ${answer.rule} (${scope.en})`, `toujours, ${answer.rule} (${scope.fr})`)
    }
  }
}
