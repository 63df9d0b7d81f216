/**
 * `maia doctor`: prints what the examination finds, line by line, or as one JSON object. Exit 1 when something fails. Whatever
 * is printed has the key taken out.
 */
import { Effect, Layer, Redacted } from "effect"
import { Config } from "../../config/Config.ts"
import type { ConfigError } from "../../config/loadConfig.ts"
import { ContextWindow } from "../../context/ContextWindow.ts"
import { examine, examineWithoutSettings, type Listener } from "../../doctor/Doctor.ts"
import { CHECKS, type CheckResult, type Status } from "../../doctor/report.ts"
import type { Text } from "../../domain/text.ts"
import { maskKey } from "../../llm/keyMask.ts"
import { FolderTrust } from "../../permissions/trust/FolderTrust.ts"
import { Sandbox, sandboxLayer } from "../../process/sandbox/Sandbox.ts"
import { Output } from "../../process/stdout.ts"
import { terminalFacts } from "../../process/terminalFacts.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { EXIT } from "../exitCodes.ts"
import { configFor, Launch } from "../Launch.ts"
import { llmLayer } from "../layers.ts"

export interface DoctorFlags {
  readonly cwd: string | undefined
  readonly model: string | undefined
  /** Seconds. */
  readonly timeout: number
  readonly json: boolean
}

export const doctor = (flags: DoctorFlags) =>
  Effect.gen(function* () {
    const launch = yield* Launch
    const output = yield* Output
    const loaded = yield* Effect.result(configFor({ cwd: flags.cwd, model: flags.model }))
    if (loaded._tag === "Failure") {
      const printer = new Printer(output, launch.language, flags.json, undefined)
      return yield* printer.end(yield* examineWithoutSettings(textsOf(loaded.failure), printer.listener), undefined)
    }
    const config = loaded.success
    const key = config.apiKey === undefined ? undefined : Redacted.value(config.apiKey)
    const printer = new Printer(output, config.language, flags.json, key)
    const results = yield* examine(
      { seconds: flags.timeout, terminal: terminalFacts(), sandboxMissing: sandboxMissing(config) },
      printer.listener
    ).pipe(Effect.provide(layersFor(config)))
    return yield* printer.end(results, config.settings.model)
  })

const textsOf = (error: ConfigError): ReadonlyArray<Text> => error.texts

const layersFor = (config: Config["Service"]) =>
  ContextWindow.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(llmLayer, FolderTrust.layer())),
    Layer.provideMerge(Layer.succeed(Config, Config.of(config)))
  )

/** Tests the machine's sandbox, also where the settings switch it off. */
const sandboxMissing = (config: Config["Service"]): Effect.Effect<Text | undefined> => {
  const trying = Config.of({ ...config, settings: { ...config.settings, sandbox: "auto" } })
  return Effect.flatMap(Sandbox, ({ missing }) => missing).pipe(
    Effect.provide(Layer.provide(sandboxLayer, Layer.succeed(Config, trying))),
    Effect.scoped
  )
}

const MARKS: Readonly<Record<Status, Text>> = {
  ok: { en: "ok", fr: "ok" },
  warning: { en: "warning", fr: "attention" },
  failure: { en: "FAILURE", fr: "ÉCHEC" },
  skipped: { en: "skipped", fr: "ignoré" }
}

class Printer {
  readonly #output: Output["Service"]
  readonly #language: "en" | "fr"
  readonly #json: boolean
  readonly #key: string | undefined

  constructor(output: Output["Service"], language: "en" | "fr", json: boolean, key: string | undefined) {
    this.#output = output
    this.#language = language
    this.#json = json
    this.#key = key
  }

  get listener(): Listener {
    const { errIsTerminal, err } = this.#output
    return {
      started: (check) =>
        errIsTerminal && !this.#json ? err(`\r… ${CHECKS[check][this.#language]}\u001b[K\r`) : Effect.void,
      told: (result) => (this.#json ? Effect.void : this.#output.out(this.#line(result)))
    }
  }

  /** The exit code; with `--json` this prints everything. */
  end(results: ReadonlyArray<CheckResult>, model: string | undefined): Effect.Effect<number> {
    const failures = results.filter(({ status }) => status === "failure").length
    const warnings = results.filter(({ status }) => status === "warning").length
    const code = failures > 0 ? EXIT.error : EXIT.done
    if (!this.#json) {
      const clean = this.#output.errIsTerminal ? this.#output.err("\r\u001b[K") : Effect.void
      return Effect.as(Effect.andThen(clean, this.#output.out(this.#summary(failures, warnings))), code)
    }
    const whole = {
      ok: failures === 0,
      model: model ?? null,
      failures,
      warnings,
      checks: results.map((one) => this.#toJson(one))
    }
    return Effect.as(this.#output.out(`${JSON.stringify(whole, null, 2)}\n`), code)
  }

  #line({ check, status, message, advice }: CheckResult): string {
    const mark = MARKS[status][this.#language].padEnd(9)
    const name = CHECKS[check][this.#language].padEnd(20)
    const todo = advice === undefined ? "" : `${" ".repeat(30)}→ ${this.#clean(advice)}\n`
    return `${mark} ${name} ${this.#clean(message)}\n${todo}`
  }

  #summary(failures: number, warnings: number): string {
    if (this.#language === "fr") return `${failures} échec(s), ${warnings} avertissement(s)\n`
    return `${failures} failure${failures === 1 ? "" : "s"}, ${warnings} warning${warnings === 1 ? "" : "s"}\n`
  }

  /** What a server said can hold anything. */
  #clean(said: Text): string {
    return sanitizeForTerminal(this.#masked(said[this.#language])).replaceAll(/\s*\n\s*/g, " ")
  }

  #toJson({ check, status, message, advice, seconds, details }: CheckResult) {
    return {
      check,
      status,
      message: this.#masked(message[this.#language]),
      ...(advice === undefined ? {} : { advice: this.#masked(advice[this.#language]) }),
      seconds: Math.round(seconds * 1000) / 1000,
      ...(details === undefined ? {} : { details: this.#maskedAll(details) })
    }
  }

  #masked(said: string): string {
    return this.#key === undefined ? said : maskKey(said, this.#key)
  }

  #maskedAll(value: unknown): unknown {
    if (typeof value === "string") return this.#masked(value)
    if (Array.isArray(value)) return value.map((item) => this.#maskedAll(item))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#maskedAll(item)]))
  }
}
