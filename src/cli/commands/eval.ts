/** `maia eval` and `maia eval compare`: one line for each run as it ends, tables at the end, a report on request. */
import { Clock, Effect, FileSystem, Layer, Schema } from "effect"
import { Config } from "../../config/Config.ts"
import { RAILS } from "../../config/rails.ts"
import type { Settings } from "../../config/settings.ts"
import { text, type Text } from "../../domain/text.ts"
import { comparison } from "../../eval/compare.ts"
import { chooseTasks, evaluate } from "../../eval/evaluate.ts"
import { sandboxWorks, type Played } from "../../eval/playTask.ts"
import { EvalReport, faultOf, reportOf, runOf, tables, type EvalRun, type RunKey } from "../../eval/report.ts"
import type { EvalTask } from "../../eval/task.ts"
import { allTasks } from "../../eval/tasks/index.ts"
import { modelName } from "../../config/modelSettings.ts"
import { Interrupts } from "../../process/shutdown.ts"
import { sandboxLayer } from "../../process/sandbox/Sandbox.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor, Launch } from "../Launch.ts"
import { agentLayer } from "../layers.ts"
import { cannotRead, noModel, noServer } from "../messages.ts"

export interface EvalFlags {
  readonly cwd: string | undefined
  readonly model: ReadonlyArray<string>
  readonly task: ReadonlyArray<string>
  readonly runs: number
  readonly jobs: number
  /** Seconds. */
  readonly timeout: number
  readonly without: ReadonlyArray<string>
  readonly json: string | undefined
  readonly list: boolean
}

export const evaluation = (flags: EvalFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const { language } = yield* Launch
      const output = yield* Output
      if (flags.list) {
        for (const { name, about } of allTasks) yield* output.out(`${name.padEnd(18)} ${about[language]}\n`)
        return EXIT.done
      }
      const chosen = chooseTasks(allTasks, flags.task)
      if ("unknown" in chosen) {
        yield* reportErrors([unknownTask(chosen.unknown)])
        return EXIT.usage
      }
      const loaded = yield* configFor({ cwd: flags.cwd })
      const off = flags.without.find((name) => !RAILS.some((rail) => rail === name))
      if (off !== undefined) {
        yield* reportErrors([unknownRail(off)])
        return EXIT.usage
      }
      const config = { ...loaded, settings: withoutRails(loaded.settings, flags.without) }
      const named = [...new Set(flags.model.map(modelName))]
      const models = named.length > 0 ? named : [config.settings.model].filter(isSet)
      if (models.includes("")) {
        yield* reportErrors([noName])
        return EXIT.usage
      }
      if (config.settings.LiteLLM_URL === undefined) {
        yield* reportErrors([noServer(`${config.userDir}/settings.json`)])
        return EXIT.missing
      }
      if (models.length === 0) {
        yield* reportErrors([noModel([])])
        return EXIT.missing
      }
      // Known before hours of measuring, not after.
      if (flags.json !== undefined && !(yield* canWrite(flags.json))) return EXIT.error
      return yield* run(config, chosen.tasks, models, flags)
    })
  )

const run = Effect.fnUntraced(function* (
  config: Config["Service"],
  tasks: ReadonlyArray<EvalTask>,
  models: ReadonlyArray<string>,
  flags: EvalFlags
) {
  const output = yield* Output
  const { language } = config
  const sandboxed = yield* sandboxWorks.pipe(
    Effect.provide(Layer.provide(sandboxLayer, Layer.succeed(Config, Config.of(withSandbox(config)))), { local: true }),
    Effect.scoped
  )
  if (!sandboxed) yield* output.err(`maia: ${unguarded[language]}\n`)
  const whole = models.length * tasks.length * flags.runs
  const done: Array<EvalRun> = []
  const told = (key: RunKey, played: Played) =>
    Effect.suspend(() => {
      done.push(runOf(key, played))
      return output.err(progressLine(key, played, `${done.length}/${whole}`, language))
    })
  const all = evaluate(
    { models, tasks, runs: flags.runs, jobs: flags.jobs, seconds: flags.timeout, config, sandboxed, told },
    agentLayer
  )
  // What was measured before Ctrl+C is not lost; the folders of what was running are.
  const { first: interrupted } = yield* Interrupts
  const result = yield* Effect.result(Effect.raceFirst(all, Effect.as(interrupted, undefined)))
  if (result._tag === "Failure") {
    yield* reportErrors([text(result.failure.message, result.failure.message)])
    return EXIT.error
  }
  const runs = result.success ?? done
  if (runs.length > 0) yield* output.out(tables(runs, language))
  const code = result.success === undefined ? EXIT.interrupted : EXIT.done
  if (flags.json === undefined || runs.length === 0) return code
  const time = new Date(yield* Clock.currentTimeMillis).toISOString()
  const report = reportOf({ maia: config.version, time, sandbox: sandboxed, without: flags.without, runs })
  return (yield* writeReport(flags.json, report)) ? code : EXIT.error
})

const withoutRails = (settings: Settings, names: ReadonlyArray<string>): Settings => ({
  ...settings,
  rails: { ...settings.rails, ...Object.fromEntries(names.map((name) => [name, false])) }
})

const withSandbox = (config: Config["Service"]): Config["Service"] => ({
  ...config,
  settings: { ...config.settings, sandbox: "auto" }
})

const progressLine = (
  { model, task, run: n }: RunKey,
  played: Played,
  count: string,
  language: "en" | "fr"
): string => {
  const fault = faultOf(played)
  const mark = played.solved ? "✓" : "✗"
  const why = fault === undefined ? "" : `: ${sanitizeForTerminal(fault[language]).replaceAll(/\s*\n\s*/g, " ")}`
  return `${mark} ${count} ${sanitizeForTerminal(model)} ${task} #${n} ${played.seconds.toFixed(1)} s, ${played.calls} ${language === "fr" ? "appels" : "calls"}${why}\n`
}

/** Changes nothing that is there, leaves nothing behind. */
const canWrite = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const wasThere = yield* Effect.orElseSucceed(fs.exists(file), () => true)
  const opened = yield* Effect.result(Effect.scoped(fs.open(file, { flag: "a" })))
  if (opened._tag === "Failure") yield* reportErrors([cannotWrite(file, opened.failure.message)])
  else if (!wasThere) yield* Effect.ignore(fs.remove(file))
  return opened._tag === "Success"
})

const noName = text("--model needs the name of a model.", "--model attend le nom d'un modèle.")

const writeReport = Effect.fnUntraced(function* (file: string, report: EvalReport) {
  const fs = yield* FileSystem.FileSystem
  const written = yield* Effect.result(fs.writeFileString(file, `${JSON.stringify(report, null, 2)}\n`))
  if (written._tag === "Failure") yield* reportErrors([cannotWrite(file, written.failure.message)])
  return written._tag === "Success"
})

export const compare = (flags: { readonly before: string; readonly after: string }) =>
  Effect.gen(function* () {
    const { language } = yield* Launch
    const output = yield* Output
    const reports: Array<EvalReport> = []
    for (const file of [flags.before, flags.after]) {
      const report = yield* Effect.result(readReport(file))
      if (report._tag === "Failure") {
        yield* reportErrors([report.failure])
        return EXIT.error
      }
      reports.push(report.success)
    }
    const [before, after] = reports
    if (before !== undefined && after !== undefined) yield* output.out(comparison(before, after, language))
    return EXIT.done
  })

const decodeReport = Schema.decodeUnknownEffect(Schema.fromJsonString(EvalReport))

const readReport = (file: string): Effect.Effect<EvalReport, Text, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const source = yield* fs.readFileString(file).pipe(Effect.mapError((error) => cannotRead(file, error.reason._tag)))
    return yield* decodeReport(source).pipe(Effect.mapError(() => noReport(file)))
  })

const isSet = <A>(value: A | undefined): value is A => value !== undefined

const unguarded = text(
  "there is no sandbox here: commands of the models run in temporary folders with your rights; those that name paths outside are refused",
  "il n'y a pas de bac à sable ici : les commandes des modèles s'exécutent dans des dossiers temporaires avec vos droits ; celles qui nomment des chemins extérieurs sont refusées"
)
const unknownTask = (name: string): Text =>
  text(
    `There is no task "${name}": "maia eval --list" shows them.`,
    `Il n'y a pas de tâche « ${name} » : « maia eval --list » les montre.`
  )
const unknownRail = (name: string): Text =>
  text(
    `There is no guard rail "${name}". There are: ${RAILS.join(", ")}.`,
    `Il n'y a pas de garde-fou « ${name} ». Il y a : ${RAILS.join(", ")}.`
  )
const cannotWrite = (file: string, why: string): Text =>
  text(`${file} cannot be written: ${why}`, `${file} ne peut pas être écrit : ${why}`)
const noReport = (file: string): Text =>
  text(`${file} is no report of "maia eval --json".`, `${file} n'est pas un rapport de « maia eval --json ».`)
