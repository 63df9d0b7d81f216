/**
 * How many tokens a model takes (spec README, "context size of a model"): settings, the server's pages, a question to the
 * model, else unknown. Asked when someone needs it, once per model and server. Knows no session.
 */
import { Context, Effect, Layer, Option, Semaphore } from "effect"
import { Config } from "../config/Config.ts"
import { modelSettings } from "../config/modelSettings.ts"
import { text, type Text } from "../domain/text.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"
import { parseTokenCount } from "./parseTokenCount.ts"
import { readAnswer } from "./readAnswer.ts"

/** The answer of MAIA §13.2 is waited for this long, in milliseconds. */
const QUESTION_TIMEOUT = 60_000
/** Room for models that think aloud before they answer. */
const QUESTION_TOKENS = 1_000
/** The question is put once more where the first time the server did not answer. */
const MAX_QUESTIONS = 2

/** MAIA §13.2, quoted. */
export const WINDOW_QUESTION =
  "Taille maximale du contexte pour ce modèle, en tokens ? Réponds uniquement par un nombre entier, sans texte ni unité."

export interface WindowSize {
  /** Tokens. */
  readonly tokens: number
  /** Which of the chain answered; `refusal`: the server refused a request and said how much it takes. */
  readonly source: "settings" | "server" | "model" | "refusal"
  /** Where it comes from, for people. */
  readonly origin: Text
}

export interface WindowOptions {
  /** `false`: the model itself is not asked (default `true`). */
  readonly askModel?: boolean
}

export class ContextWindow extends Context.Service<
  ContextWindow,
  {
    /** Undefined: unknown. Never fails; waits for the server's pages and, last, for the model's answer. */
    readonly get: (model: string, options?: WindowOptions) => Effect.Effect<WindowSize | undefined>
    /** What is known without asking anyone. */
    readonly known: (model: string) => Effect.Effect<WindowSize | undefined>
    /** Why the size is unknown, for people; undefined where it is known or was not asked for. */
    readonly whyUnknown: (model: string) => Effect.Effect<Text | undefined>
    /**
     * The server refused a request as too long. A limit smaller than what is known wins from then on; without a limit nothing
     * is learnt.
     */
    readonly noteOverflow: (model: string, limit: number | undefined) => Effect.Effect<void>
    /** The server answered: where it was unreachable when it was asked, the next `get` asks again. */
    readonly noteAnswer: (model: string) => Effect.Effect<void>
  }
>()("maia/context/ContextWindow") {
  static readonly layer: Layer.Layer<ContextWindow, never, Config | LiteLlm> = Layer.effect(
    ContextWindow,
    Effect.gen(function* () {
      const config = yield* Config
      const llm = yield* LiteLlm
      const states = new Map<string, State>()
      const stateOf = (model: string): State => {
        const key = `${config.settings.LiteLLM_URL ?? ""}\n${model}`
        const state = states.get(key) ?? newState()
        states.set(key, state)
        return state
      }

      const fromSettings = (model: string): WindowSize | undefined => {
        const tokens = modelSettings(config.settings, model).contextWindow
        if (tokens === undefined) return undefined
        return { tokens, source: "settings", origin: text("settings", "réglages") }
      }

      const best = (model: string): WindowSize | undefined => {
        const { found, refusal } = stateOf(model)
        const size = fromSettings(model) ?? found
        return refusal !== undefined && (size === undefined || refusal.tokens < size.tokens) ? refusal : size
      }

      const ask = Effect.fnUntraced(function* (model: string, state: State) {
        state.questions++
        state.pending = "given-up"
        const answer = yield* readAnswer(
          llm.stream({
            model,
            system: "",
            messages: [{ role: "user", text: WINDOW_QUESTION }],
            tools: [],
            maxTokens: QUESTION_TOKENS,
            thinking: false
          })
        ).pipe(Effect.asSome, Effect.timeoutOrElse({ duration: QUESTION_TIMEOUT, orElse: () => Effect.succeedNone }))
        if (Option.isNone(answer)) {
          state.pending = "unreachable"
          return undefined
        }
        const tokens = parseTokenCount(answer.value.text)
        state.answered = true
        if (tokens === undefined) state.unknown = unreadable
        return tokens
      })

      const search = Effect.fnUntraced(function* (model: string, state: State, askModel: boolean) {
        if (!state.pagesAsked) {
          const page = yield* llm.contextWindow(model)
          state.pagesAsked = true
          if (page !== undefined) {
            state.found = { tokens: page.tokens, source: "server", origin: text(page.source, page.source) }
            return
          }
        }
        if (!askModel || state.pending !== "open" || state.questions >= MAX_QUESTIONS) return
        const tokens = yield* ask(model, state).pipe(
          Effect.catchTag("LlmError", (error) => {
            state.unknown = error.text
            if (isUnreachable(error.code)) state.pending = "unreachable"
            return Effect.undefined
          })
        )
        if (tokens === undefined) {
          state.unknown ??= silent
          return
        }
        state.found = { tokens, source: "model", origin: text("the model's own answer", "réponse du modèle") }
        state.unknown = undefined
      })

      const get = Effect.fn("ContextWindow.get")(function* (model: string, options: WindowOptions = {}) {
        const already = best(model)
        if (already !== undefined) return already
        const state = stateOf(model)
        yield* state.lock.withPermit(
          Effect.suspend(() =>
            best(model) === undefined ? search(model, state, options.askModel ?? true) : Effect.void
          )
        )
        return best(model)
      })

      return ContextWindow.of({
        get,
        known: (model) => Effect.sync(() => best(model)),
        whyUnknown: (model) => Effect.sync(() => (best(model) === undefined ? stateOf(model).unknown : undefined)),
        noteOverflow: (model, limit) =>
          Effect.sync(() => {
            if (limit === undefined || !(limit > 0)) return
            const state = stateOf(model)
            if (state.refusal !== undefined && state.refusal.tokens <= limit) return
            const origin = text("the server refused a longer request", "le serveur a refusé une requête plus longue")
            state.refusal = { tokens: limit, source: "refusal", origin }
          }),
        noteAnswer: (model) =>
          Effect.sync(() => {
            const state = stateOf(model)
            // Pages that were asked for before the server's first answer may have met no server.
            if (!state.answered || state.pending === "unreachable") state.pagesAsked = false
            if (state.pending === "unreachable") state.pending = "open"
            state.answered = true
          })
      })
    })
  )
}

interface State {
  readonly lock: Semaphore.Semaphore
  found: WindowSize | undefined
  refusal: WindowSize | undefined
  pagesAsked: boolean
  /** Whether the model may be asked: not after it answered nonsense, and not while the server does not answer. */
  pending: "open" | "unreachable" | "given-up"
  questions: number
  /** The server has answered for this model. */
  answered: boolean
  unknown: Text | undefined
}

const newState = (): State => ({
  lock: Semaphore.makeUnsafe(1),
  found: undefined,
  refusal: undefined,
  pagesAsked: false,
  pending: "open",
  questions: 0,
  answered: false,
  unknown: undefined
})

const isUnreachable = (code: string): boolean => code === "unreachable" || code === "timeout" || code === "overloaded"

const unreadable = text(
  "the model's answer about its context size holds no number",
  "la réponse du modèle sur la taille de son contexte ne contient aucun nombre"
)
const silent = text(
  "the model did not say its context size in time",
  "le modèle n'a pas donné la taille de son contexte à temps"
)
