/** The outcome of an evaluation as data and as a table (spec 06). Pure. */
import { Schema } from "effect"
import type { Text } from "../domain/text.ts"
import type { Played } from "./playTask.ts"

/** Version of the JSON file. */
const FORMAT = 1

export const EvalRun = Schema.Struct({
  model: Schema.String,
  task: Schema.String,
  /** From 1. */
  run: Schema.Finite,
  solved: Schema.Boolean,
  /** What was wrong with the result, or why there is none; English. */
  fault: Schema.NullOr(Schema.String),
  reason: Schema.String,
  iterations: Schema.Finite,
  calls: Schema.Finite,
  errors: Schema.Finite,
  loops: Schema.Finite,
  repairs: Schema.Finite,
  softEdits: Schema.Finite,
  compactions: Schema.Finite,
  warnings: Schema.Record(Schema.String, Schema.Finite),
  inputTokens: Schema.Finite,
  outputTokens: Schema.Finite,
  cachedTokens: Schema.Finite,
  seconds: Schema.Finite
})
export type EvalRun = typeof EvalRun.Type

export const EvalReport = Schema.Struct({
  format: Schema.Literal(FORMAT),
  maia: Schema.String,
  /** ISO 8601. */
  time: Schema.String,
  /** Commands ran in a sandbox. */
  sandbox: Schema.Boolean,
  /** Guard rails that were switched off. */
  without: Schema.Array(Schema.String),
  runs: Schema.Array(EvalRun)
})
export type EvalReport = typeof EvalReport.Type

export const reportOf = (facts: Omit<EvalReport, "format">): EvalReport => ({ format: FORMAT, ...facts })

export interface RunKey {
  readonly model: string
  readonly task: string
  readonly run: number
}

export const runOf = ({ model, task, run }: RunKey, played: Played): EvalRun => ({
  model,
  task,
  run,
  solved: played.solved,
  fault: faultOf(played)?.en ?? null,
  reason: played.reason,
  iterations: played.iterations,
  calls: played.calls,
  errors: played.errors,
  loops: played.loops,
  repairs: played.repairs,
  softEdits: played.softEdits,
  compactions: played.compactions,
  warnings: played.warnings,
  inputTokens: played.usage.inputTokens,
  outputTokens: played.usage.outputTokens + (played.usage.reasoningTokens ?? 0),
  cachedTokens: played.usage.cachedTokens ?? 0,
  seconds: Math.round(played.seconds * 100) / 100
})

/** Why a run was not solved; an error that ended the turn says more than what it left undone. */
export const faultOf = ({ solved, error, fault }: Played): Text | undefined =>
  solved ? undefined : (error?.message ?? fault)

// --- the table -------------------------------------------------------------------------------------------------------

export interface Summary {
  readonly runs: number
  readonly solved: number
  /** Means over the runs. */
  readonly iterations: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly seconds: number
  /** Sums over the runs. */
  readonly loops: number
  readonly repairs: number
}

export const summarise = (runs: ReadonlyArray<EvalRun>): Summary => {
  const sum = (value: (run: EvalRun) => number): number => runs.reduce((total, run) => total + value(run), 0)
  const mean = (value: (run: EvalRun) => number): number => (runs.length === 0 ? 0 : sum(value) / runs.length)
  return {
    runs: runs.length,
    solved: sum(({ solved }) => (solved ? 1 : 0)),
    iterations: mean(({ iterations }) => iterations),
    inputTokens: mean(({ inputTokens }) => inputTokens),
    outputTokens: mean(({ outputTokens }) => outputTokens),
    seconds: mean(({ seconds }) => seconds),
    loops: sum(({ loops }) => loops),
    repairs: sum(({ repairs, softEdits }) => repairs + softEdits)
  }
}

type Language = "en" | "fr"

const HEADINGS: Readonly<Record<Language, ReadonlyArray<string>>> = {
  en: ["solved", "iterations", "loops", "repairs", "tokens in", "tokens out", "seconds"],
  fr: ["résolues", "itérations", "boucles", "réparations", "tokens lus", "tokens écrits", "secondes"]
}

/** One line for each model, then one for each task with the models beside each other. */
export const tables = (runs: ReadonlyArray<EvalRun>, language: Language): string => {
  const models = distinct(runs.map(({ model }) => model))
  const byModel = models.map((model) => [model, ...cells(summarise(runs.filter((run) => run.model === model)))])
  const byTask = distinct(runs.map(({ task }) => task)).map((task) => [
    task,
    ...models.map((model) => score(summarise(runs.filter((run) => run.task === task && run.model === model))))
  ])
  return [
    grid([[language === "fr" ? "modèle" : "model", ...HEADINGS[language]], ...byModel]),
    grid([[language === "fr" ? "tâche" : "task", ...models], ...byTask])
  ].join("\n")
}

const cells = (summary: Summary): ReadonlyArray<string> => [
  `${score(summary)} (${percent(summary)})`,
  summary.iterations.toFixed(1),
  String(summary.loops),
  String(summary.repairs),
  String(Math.round(summary.inputTokens)),
  String(Math.round(summary.outputTokens)),
  summary.seconds.toFixed(1)
]

const score = ({ runs, solved }: Summary): string => (runs === 0 ? "-" : `${solved}/${runs}`)

export const percent = ({ runs, solved }: Summary): string =>
  runs === 0 ? "-" : `${Math.round((100 * solved) / runs)} %`

export const distinct = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

/** Columns as wide as their widest cell; all but the first are set to the right. */
export const grid = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd()
    )
    .map((line) => `${line}\n`)
    .join("")
}
