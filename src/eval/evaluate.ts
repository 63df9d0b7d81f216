/** All runs of an evaluation: models, tasks, repetitions, several at a time (spec 06). Prints nothing. */
import { Effect } from "effect"
import type { Config } from "../config/Config.ts"
import { playTask, type EvalHost, type EvalPlatform, type Played } from "./playTask.ts"
import { runOf, type EvalRun, type RunKey } from "./report.ts"
import type { EvalTask } from "./task.ts"
import type { WorkspaceError } from "./workspace.ts"

export interface EvaluationInput {
  readonly models: ReadonlyArray<string>
  readonly tasks: ReadonlyArray<EvalTask>
  /** Repetitions of each task. */
  readonly runs: number
  /** Runs at the same time. */
  readonly jobs: number
  /** Seconds for one run. */
  readonly seconds: number
  readonly config: Config["Service"]
  readonly sandboxed: boolean
  /** As soon as a run is over, in the order they end. */
  readonly told: (key: RunKey, played: Played) => Effect.Effect<void>
}

/** In the order of models, tasks, repetitions, whatever ended first. */
export const evaluate = (
  input: EvaluationInput,
  host: EvalHost
): Effect.Effect<ReadonlyArray<EvalRun>, WorkspaceError, EvalPlatform> => {
  const { config, sandboxed, seconds } = input
  const plan = input.models.flatMap((model) =>
    input.tasks.flatMap((task) => Array.from({ length: input.runs }, (_, n) => ({ model, task, run: n + 1 })))
  )
  return Effect.forEach(
    plan,
    ({ model, task, run }) =>
      Effect.gen(function* () {
        const played = yield* playTask({ task, model, seconds, config, sandboxed }, host)
        const key = { model, task: task.name, run }
        yield* input.told(key, played)
        return runOf(key, played)
      }),
    { concurrency: input.jobs }
  )
}

/** Tasks whose name is given, or begins with it; a name that fits none is given back. */
export const chooseTasks = (
  tasks: ReadonlyArray<EvalTask>,
  names: ReadonlyArray<string>
): { readonly tasks: ReadonlyArray<EvalTask> } | { readonly unknown: string } => {
  if (names.length === 0) return { tasks }
  const fits = (name: string) => (task: EvalTask) => task.name === name || task.name.startsWith(`${name}-`)
  const unknown = names.find((name) => !tasks.some(fits(name)))
  return unknown === undefined ? { tasks: tasks.filter((task) => names.some((name) => fits(name)(task))) } : { unknown }
}
