/**
 * The examination of `maia doctor` (spec 06): what is looked at, in which order, and what is left out when something before it
 * failed. Tells each result as soon as it is there; prints nothing.
 */
import { Clock, Effect, Option, Redacted } from "effect"
import { Config } from "../config/Config.ts"
import { ContextWindow, type WindowSize } from "../context/ContextWindow.ts"
import { text, type Text } from "../domain/text.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"
import { FolderTrust } from "../permissions/trust/FolderTrust.ts"
import { findRipgrep } from "../process/ripgrep.ts"
import type { TerminalFacts } from "../process/terminalFacts.ts"
import { hasReasoned, judgeAnswer, judgeOutputLimit, judgeReasoning, judgeWindow, QUESTION } from "./answerChecks.ts"
import * as machine from "./machineChecks.ts"
import { askImage, askTwice, imagesOff, judgeCache, judgeImages } from "./moreChecks.ts"
import { ask, deadlineIn, tooSlow, type Deadline, type Probe } from "./probe.ts"
import { CHECKS, named, skipped, type CheckName, type CheckResult, type Finding } from "./report.ts"
import { isAbsent, judgeKey, judgeModels, judgeServer, type ModelList } from "./serverChecks.ts"
import { requestTo, subjectOf, type Subject } from "./subject.ts"
import { judgeTools, toolTrip } from "./toolCheck.ts"

export interface ExaminationInput {
  /** Seconds for one check. */
  readonly seconds: number
  readonly terminal: TerminalFacts
  /** Why this machine has no sandbox; undefined where it has one. */
  readonly sandboxMissing: Effect.Effect<Text | undefined>
}

/** Who hears of the examination while it goes on. */
export interface Listener {
  readonly started: (check: CheckName) => Effect.Effect<void>
  readonly told: (result: CheckResult) => Effect.Effect<void>
}

type Services = Config | LiteLlm | ContextWindow | FolderTrust

/** All results, each told before the next check begins. */
export const examine = (
  input: ExaminationInput,
  listener: Listener
): Effect.Effect<ReadonlyArray<CheckResult>, never, Services> =>
  Effect.gen(function* () {
    const config = yield* Config
    const run = new Examination(input, listener)
    yield* run.check(
      "settings",
      Effect.sync(() => machine.judgeSettings(config))
    )
    const list = yield* run.server
    const subject = config.settings.model === undefined ? undefined : subjectOf(config, config.settings.model)
    if (subject === undefined || isAbsent(list)) yield* run.leaveOut(ABOUT_MODEL, isAbsent(list) ? noServer : noModel)
    else yield* run.model(subject, list)
    yield* run.machine
    return run.results
  })

/** What there is to say where the settings cannot even be read. */
export const examineWithoutSettings = (
  problems: ReadonlyArray<Text>,
  listener: Listener
): Effect.Effect<ReadonlyArray<CheckResult>> =>
  Effect.gen(function* () {
    const results = [named("settings", machine.badSettings(problems))]
    for (const check of ALL.slice(1)) results.push(named(check, skipped(noSettings)))
    for (const result of results) yield* listener.told(result)
    return results
  })

// The keys of a literal object are its names.
const ALL = Object.keys(CHECKS) as ReadonlyArray<CheckName>

const ABOUT_MODEL: ReadonlyArray<CheckName> = [
  "key",
  "answer",
  "reasoning",
  "window",
  "output-limit",
  "tools",
  "images",
  "cache"
]

const noServer = text("No server to ask.", "Aucun serveur à interroger.")
const noModel = text("No model is chosen.", "Aucun modèle n'est choisi.")
const noAnswer = text("The model does not answer.", "Le modèle ne répond pas.")
const noSettings = text("The settings cannot be read.", "Les réglages ne peuvent pas être lus.")

class Examination {
  readonly results: Array<CheckResult> = []
  readonly #input: ExaminationInput
  readonly #listener: Listener

  constructor(input: ExaminationInput, listener: Listener) {
    this.#input = input
    this.#listener = listener
  }

  /** Runs one check; what is not done in time is a warning. */
  check<R>(name: CheckName, judge: Effect.Effect<Finding, never, R>): Effect.Effect<Finding, never, R> {
    return Effect.gen({ self: this }, function* () {
      yield* this.#listener.started(name)
      const started = yield* Clock.currentTimeMillis
      const finding = yield* Effect.timeoutOrElse(judge, {
        // The questions of a check watch the time themselves; this catches what else may hang.
        duration: `${this.#input.seconds + 1} seconds`,
        orElse: () => Effect.succeed<Finding>({ status: "warning", message: tooSlow(this.#input.seconds).text })
      })
      yield* this.#tell(named(name, finding, ((yield* Clock.currentTimeMillis) - started) / 1000))
      return finding
    })
  }

  leaveOut(names: ReadonlyArray<CheckName>, why: Text): Effect.Effect<void> {
    return Effect.forEach(names, (name) => this.#tell(named(name, skipped(why))), { discard: true })
  }

  get server(): Effect.Effect<ModelList, never, Config | LiteLlm> {
    return Effect.gen({ self: this }, function* () {
      const { settings } = yield* Config
      const llm = yield* LiteLlm
      const started = yield* Clock.currentTimeMillis
      yield* this.#listener.started("server")
      const list = yield* llm.models.pipe(
        Effect.map((models): ModelList => ({ models })),
        Effect.catchTag("LlmError", (error) => Effect.succeed<ModelList>({ error }))
      )
      const millis = (yield* Clock.currentTimeMillis) - started
      yield* this.#tell(named("server", judgeServer(settings.LiteLLM_URL, list, millis), millis / 1000))
      yield* this.#tell(named("models", judgeModels(list, settings.model)))
      return list
    })
  }

  model(subject: Subject, list: ModelList): Effect.Effect<void, never, Services> {
    return Effect.gen({ self: this }, function* () {
      const config = yield* Config
      const hasKey = config.apiKey !== undefined && Redacted.value(config.apiKey) !== ""
      yield* this.#listener.started("answer")
      const answer = yield* ask(requestTo(subject, QUESTION), yield* this.#deadline)
      yield* this.#tell(named("key", judgeKey(hasKey, list, answer)))
      yield* this.#tell(named("answer", judgeAnswer(subject, answer), answer.millis / 1000))
      yield* this.#tell(named("reasoning", judgeReasoning(subject, answer)))
      if (isHopeless(answer)) return yield* this.leaveOut(ABOUT_MODEL.slice(3), noAnswer)
      const window = yield* this.#window(subject)
      yield* this.#tell(named("output-limit", judgeOutputLimit(subject, answer, window)))
      const known: Subject = { ...subject, reasons: hasReasoned(answer) }
      yield* this.check(
        "tools",
        Effect.map(
          this.#timed((deadline) => toolTrip(known, deadline)),
          judgeTools
        )
      )
      yield* this.check("images", this.#images(known))
      yield* this.check(
        "cache",
        Effect.map(
          this.#timed((at) => askTwice(subject, window?.tokens, at)),
          judgeCache
        )
      )
    })
  }

  get machine(): Effect.Effect<void, never, Config | FolderTrust> {
    return Effect.gen({ self: this }, function* () {
      const config = yield* Config
      const trust = yield* FolderTrust
      const { terminal, sandboxMissing } = this.#input
      yield* this.check(
        "terminal",
        Effect.sync(() => machine.judgeTerminal(terminal, config.env))
      )
      const wanted = config.settings.sandbox
      yield* this.check(
        "sandbox",
        Effect.map(sandboxMissing, (missing) => machine.judgeSandbox(wanted, missing))
      )
      yield* this.check(
        "search",
        Effect.map(
          Effect.promise(() => findRipgrep(config)),
          machine.judgeSearch
        )
      )
      yield* this.check("trust", Effect.map(trust.report, machine.judgeTrust))
    })
  }

  #window(subject: Subject): Effect.Effect<WindowSize | undefined, never, ContextWindow> {
    return Effect.gen({ self: this }, function* () {
      const windows = yield* ContextWindow
      yield* this.check(
        "window",
        Effect.gen({ self: this }, function* () {
          const limit = `${this.#input.seconds} seconds` as const
          const size = yield* Effect.map(Effect.timeoutOption(windows.get(subject.model), limit), Option.getOrUndefined)
          return judgeWindow(subject, size, yield* windows.whyUnknown(subject.model))
        })
      )
      return yield* windows.known(subject.model)
    })
  }

  #images(subject: Subject): Effect.Effect<Finding, never, LiteLlm> {
    if (subject.settings.images === false) return Effect.succeed(imagesOff)
    return Effect.map(
      this.#timed((deadline) => askImage(subject, deadline)),
      (probe) => judgeImages(subject, probe)
    )
  }

  #timed<A, R>(question: (deadline: Deadline) => Effect.Effect<A, never, R>): Effect.Effect<A, never, R> {
    return Effect.flatMap(this.#deadline, question)
  }

  get #deadline(): Effect.Effect<Deadline> {
    return deadlineIn(this.#input.seconds)
  }

  #tell(result: CheckResult): Effect.Effect<void> {
    this.results.push(result)
    return this.#listener.told(result)
  }
}

/** Nothing further can be learnt by asking again. */
const isHopeless = ({ problem, firstMillis }: Probe): boolean =>
  problem !== undefined && (firstMillis === undefined || problem.code !== "unended")
