/** Two evaluations beside each other: what got better, what got worse, and what it cost (spec 06). Pure. */
import { distinct, grid, percent, summarise, type EvalReport, type EvalRun, type Summary } from "./report.ts"

export interface Change {
  readonly model: string
  readonly task: string
  readonly before: Summary
  readonly after: Summary
}

/** Pairs of model and task that both have, in the order of the first; where neither has a common model, by task alone. */
export const changes = (before: EvalReport, after: EvalReport): ReadonlyArray<Change> => {
  const shared = distinct(before.runs.map(({ model }) => model)).filter((model) =>
    after.runs.some((run) => run.model === model)
  )
  const tasks = distinct(before.runs.map(({ task }) => task)).filter((task) =>
    after.runs.some((run) => run.task === task)
  )
  const of = (runs: ReadonlyArray<EvalRun>, task: string, model: string | undefined) =>
    summarise(runs.filter((run) => run.task === task && (model === undefined || run.model === model)))
  const models = shared.length === 0 ? [undefined] : shared
  return models
    .flatMap((model) =>
      tasks.map((task) => ({
        model: model ?? modelsOf(before, after),
        task,
        before: of(before.runs, task, model),
        after: of(after.runs, task, model)
      }))
    )
    .filter((change) => change.before.runs > 0 && change.after.runs > 0)
}

const modelsOf = (before: EvalReport, after: EvalReport): string =>
  `${distinct(before.runs.map(({ model }) => model)).join("+")} → ${distinct(after.runs.map(({ model }) => model)).join("+")}`

const rate = ({ runs, solved }: Summary): number => (runs === 0 ? 0 : solved / runs)

/** Percentage points between two rates. */
const points = ({ before, after }: Change): number => Math.round(100 * (rate(after) - rate(before)))

const signed = (value: number, digits = 0): string => `${value > 0 ? "+" : ""}${value.toFixed(digits)}`

/** For people: a line for each model, then the tasks whose rate changed. */
export const comparison = (before: EvalReport, after: EvalReport, language: "en" | "fr"): string => {
  const all = changes(before, after)
  if (all.length === 0) {
    return language === "fr" ? "Aucune tâche commune aux deux fichiers.\n" : "The two files have no task in common.\n"
  }
  const fr = language === "fr"
  const byModel = distinct(all.map(({ model }) => model)).map((model) => {
    const own = all.filter((change) => change.model === model)
    const [first, second] = [total(own.map((change) => change.before)), total(own.map((change) => change.after))]
    return [
      model,
      `${percent(first)} → ${percent(second)}`,
      signed(second.iterations - first.iterations, 1),
      signed(second.loops - first.loops),
      signed(second.repairs - first.repairs),
      signed(second.inputTokens - first.inputTokens),
      signed(second.outputTokens - first.outputTokens),
      signed(second.seconds - first.seconds, 1)
    ]
  })
  const headings = fr
    ? ["modèle", "résolues", "itérations", "boucles", "réparations", "tokens lus", "tokens écrits", "secondes"]
    : ["model", "solved", "iterations", "loops", "repairs", "tokens in", "tokens out", "seconds"]
  const moved = all
    .filter((change) => points(change) !== 0)
    .sort((left, right) => points(left) - points(right))
    .map((change) => [
      change.task,
      change.model,
      `${change.before.solved}/${change.before.runs} → ${change.after.solved}/${change.after.runs}`,
      `${signed(points(change))} %`
    ])
  const same = fr ? "Aucune tâche n'a changé de taux.\n" : "No task changed its rate.\n"
  const table = grid([fr ? ["tâche", "modèle", "résolues", "écart"] : ["task", "model", "solved", "change"], ...moved])
  return `${grid([headings, ...byModel])}\n${moved.length === 0 ? same : table}`
}

/** Means weighted by runs. */
const total = (summaries: ReadonlyArray<Summary>): Summary => {
  const runs = summaries.reduce((sum, summary) => sum + summary.runs, 0)
  const sum = (value: (summary: Summary) => number): number => summaries.reduce((all, one) => all + value(one), 0)
  const mean = (value: (summary: Summary) => number): number =>
    runs === 0 ? 0 : sum((summary) => value(summary) * summary.runs) / runs
  return {
    runs,
    solved: sum(({ solved }) => solved),
    iterations: mean(({ iterations }) => iterations),
    inputTokens: mean(({ inputTokens }) => inputTokens),
    outputTokens: mean(({ outputTokens }) => outputTokens),
    seconds: mean(({ seconds }) => seconds),
    loops: sum(({ loops }) => loops),
    repairs: sum(({ repairs }) => repairs)
  }
}
