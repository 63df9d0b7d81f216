/**
 * What the guard rails are worth (spec 06): every bad model with all of them, without each, and without any. Deterministic: no
 * chance and no real time decides a result.
 */
import { Clock, Effect, Layer, type FileSystem, type Path } from "effect"
import { allRails, RAILS, type Rails } from "../../config/rails.ts"
import { Config } from "../../config/Config.ts"
import { defaultSettings } from "../../config/settings.ts"
import type { LiteLlm } from "../../llm/LiteLlm.ts"
import { layer as liteLlmOverHttp } from "../../llm/LiteLlmLive.ts"
import { playTask, type EvalHost, type EvalPlatform, type Played } from "../playTask.ts"
import type { WorkspaceError } from "../workspace.ts"
import type { BadModel } from "./badModel.ts"
import { callModels } from "./calls.ts"
import { conductModels } from "./conduct.ts"
import { badServer, playedClock, type ScriptedServerState } from "./wire.ts"

export const badModels: ReadonlyArray<BadModel> = [...callModels, ...conductModels]

/**
 * `told`: not solved, and one clear line says why. `wrong`: an answer that looks like one and is none. `endless`: it went on
 * until the iteration limit or for ever, or maia failed.
 */
export type Ending = "solved" | "told" | "wrong" | "endless"

export type Variant = "all" | "none" | keyof Rails

export const VARIANTS: ReadonlyArray<Variant> = ["all", ...RAILS, "none"]

export interface Row {
  readonly model: BadModel
  readonly endings: Readonly<Partial<Record<Variant, Ending>>>
  /** Model calls of the turn. */
  readonly requests: Readonly<Partial<Record<Variant, number>>>
}

/** Composes an agent around another provider. */
export type BadHost = (llm: Layer.Layer<LiteLlm, never, Config | FileSystem.FileSystem | Path.Path>) => EvalHost

const railsOf = (variant: Variant): Rails => {
  if (variant === "all") return allRails
  // Every key of the rails is there.
  if (variant === "none") return Object.fromEntries(RAILS.map((name) => [name, false])) as unknown as Rails
  return { ...allRails, [variant]: false }
}

/** Seconds after which a run counts as endless; none comes near. */
const LIMIT = 60
const MODEL = "bad"
/** Tokens. */
const WINDOW = 32_768

export const playBadModel = (
  model: BadModel,
  variant: Variant,
  base: Config["Service"],
  host: BadHost
): Effect.Effect<{ readonly ending: Ending; readonly played: Played }, WorkspaceError, EvalPlatform> =>
  Effect.gen(function* () {
    const window = model.modelSettings?.contextWindow ?? WINDOW
    const state: ScriptedServerState = { requests: 0, ranOn: false, played: 0, window }
    const llm = liteLlmOverHttp.pipe(Layer.provide(badServer(model.reply, state)))
    const config: Config["Service"] = {
      ...base,
      apiKey: undefined,
      settings: {
        ...defaultSettings,
        LiteLLM_URL: "http://bad-model.invalid",
        model: MODEL,
        models: { [MODEL]: { ...model.modelSettings, contextWindow: window } },
        ...model.settings,
        rails: railsOf(variant)
      }
    }
    const input = { task: model.task, model: MODEL, seconds: LIMIT, config, sandboxed: false }
    const clock = playedClock(yield* Clock.Clock, state)
    const played = yield* Effect.provideService(playTask(input, host(llm)), Clock.Clock, clock)
    return { ending: endingOf(played, state), played }
  })

export const endingOf = (played: Played, state: Pick<ScriptedServerState, "ranOn">): Ending => {
  if (state.ranOn || played.timedOut || played.reason === "max_iterations") return "endless"
  if (played.error?.code === "internal" || played.reason === "none") return "endless"
  if (played.solved) return "solved"
  return played.error !== undefined || (played.warnings["cut_answer"] ?? 0) > 0 ? "told" : "wrong"
}

export const playMatrix = (
  models: ReadonlyArray<BadModel>,
  variants: ReadonlyArray<Variant>,
  base: Config["Service"],
  host: BadHost
): Effect.Effect<ReadonlyArray<Row>, WorkspaceError, EvalPlatform> =>
  Effect.forEach(
    models,
    (model) =>
      Effect.map(
        Effect.forEach(variants, (variant) =>
          Effect.map(
            playBadModel(model, variant, base, host),
            ({ ending, played }) => [variant, ending, played.iterations] as const
          )
        ),
        (results): Row => ({
          model,
          endings: Object.fromEntries(results.map(([variant, ending]) => [variant, ending])),
          requests: Object.fromEntries(results.map(([variant, , requests]) => [variant, requests]))
        })
      ),
    { concurrency: 4 }
  )

/** Rails without which the model ends otherwise than with all. */
export const decisiveRails = ({ endings }: Row): ReadonlyArray<keyof Rails> =>
  RAILS.filter((rail) => endings[rail] !== undefined && endings[rail] !== endings.all)

/** Rails without which the model ends as well, but takes more requests for it. */
export const savingRails = ({ endings, requests }: Row): ReadonlyArray<keyof Rails> =>
  RAILS.filter((rail) => endings[rail] === endings.all && (requests[rail] ?? 0) > (requests.all ?? 0))

export const requestsOf = (rows: ReadonlyArray<Row>, variant: Variant): number =>
  rows.reduce((sum, { requests }) => sum + (requests[variant] ?? 0), 0)

export const count = (rows: ReadonlyArray<Row>, variant: Variant, ending: Ending): number =>
  rows.filter(({ endings }) => endings[variant] === ending).length
