/**
 * Runs one sub-agent for a tool call, from the model it gets to the result the main agent's model reads (MAIA §20).
 */
import { Clock, Context, Effect, Layer, Redacted, Semaphore } from "effect"
import { Config } from "../../config/Config.ts"
import type { Text } from "../../domain/text.ts"
import type { ToolContext, ToolOutput } from "../../domain/tool.ts"
import { LiteLlm } from "../../llm/LiteLlm.ts"
import { TrustState, TrustThisRun } from "../../permissions/trust/TrustState.ts"
import { ChildPrograms } from "../../process/ChildPrograms.ts"
import { selfCommand } from "../../process/selfCommand.ts"
import { ActiveModel } from "../../tools/model/ActiveModel.ts"
import { makeAgentHost } from "./AgentHost.ts"
import { runAgent, type AgentResult } from "./AgentProcess.ts"
import type { AgentDefinition } from "./definition.ts"
import { ITERATIONS, type Effort } from "./effort.ts"
import * as phrases from "./phrases.ts"
import type { ChildConfig, Start } from "./protocol.ts"
import { resolveModel } from "./resolveModel.ts"
import { makeTraceNames } from "./traceNames.ts"

/** What plays a sub-agent: this program once more. Tests put another one in its place. */
export const AgentProgram = Context.Reference<ReadonlyArray<string>>("maia/extensions/AgentProgram", {
  defaultValue: () => [...selfCommand(), SUB_AGENT]
})

/** The word of the command line that makes the program play a sub-agent. */
export const SUB_AGENT = "sub-agent"

export interface AgentTask {
  readonly agent: AgentDefinition
  readonly task: string
  readonly effort: Effort
}

export class AgentRunner extends Context.Service<
  AgentRunner,
  {
    /** Never fails: what went wrong is an error for the model. Interruption ends the sub-agent. */
    readonly run: (task: AgentTask, context: ToolContext) => Effect.Effect<ToolOutput>
  }
>()("maia/extensions/AgentRunner") {
  static readonly layer = Layer.effect(
    AgentRunner,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(ChildPrograms.layer))
}

const make = Effect.gen(function* () {
  const config = yield* Config
  const argv = yield* AgentProgram
  const llm = yield* LiteLlm
  const trusted = yield* TrustState
  const trustThisRun = yield* TrustThisRun
  const traces = yield* makeTraceNames
  const activeModel = yield* ActiveModel
  const programs = yield* ChildPrograms
  const hostOf = yield* makeAgentHost
  let models: ReadonlyArray<string> | undefined

  const oneAtATime = yield* Semaphore.make(1)

  /** The server's list, asked for once, when an agent names a model. A failure is tried again by the next one. */
  const listModels = Effect.suspend(() =>
    models === undefined
      ? llm.models.pipe(
          Effect.map((found) => (models = found.map(({ id }) => id))),
          Effect.orElseSucceed(() => undefined)
        )
      : Effect.succeed(models)
  ).pipe(oneAtATime.withPermit)

  const chooseModel = Effect.fnUntraced(function* ({ model: wanted }: AgentDefinition, context: ToolContext) {
    const main = (yield* activeModel.get) ?? context.model.id
    return resolveModel(wanted, main, wanted === undefined ? undefined : yield* listModels)
  })

  const startOf = Effect.fnUntraced(function* ({ agent, effort, task }: AgentTask, model: string) {
    const trace = agent.trace ? yield* traces.next(agent.name) : undefined
    const start: Start = {
      type: "start",
      version: config.version,
      config: childConfig(config),
      agent,
      task,
      model,
      maxIterations: ITERATIONS[effort],
      trust: (yield* trusted) ? (trustThisRun ? "run" : "check") : "no",
      ...(trace === undefined ? {} : { trace })
    }
    return start
  })

  const run = Effect.fn("AgentRunner.run")(function* (task: AgentTask, context: ToolContext) {
    const { name } = task.agent
    const host = hostOf(task.agent, context)
    const { model, warning } = yield* chooseModel(task.agent, context)
    if (warning !== undefined) yield* host.onWarning(warning)
    const begun = yield* Clock.currentTimeMillis
    const start = yield* startOf(task, model)
    const result = yield* Effect.provideService(runAgent({ argv, start, host }), ChildPrograms, programs)
    const seconds = Math.round(((yield* Clock.currentTimeMillis) - begun) / 1000)
    const trace = "type" in result ? result.trace : undefined
    const details = {
      agent: name,
      model,
      seconds,
      toolCalls: result.toolCalls,
      ...(trace === undefined ? {} : { trace })
    }
    const tell = (type: "notice" | "warning", code: string, message: Text) =>
      context.report?.({ type, code, message }) ?? Effect.void

    const refused = "type" in result ? result.refused : []
    if (refused.length > 0) yield* tell("warning", "sub_agent_refused", phrases.refused(name, refused))
    const failure = failureOf(result)
    if (failure !== undefined) {
      yield* tell("warning", "sub_agent_failed", phrases.failed(name, failure))
      const sofar = "type" in result ? result.text : ""
      const output: ToolOutput = { text: phrases.failureForModel(name, failure, sofar), isError: true, details }
      return refused.length > 0 ? { ...output, refused: true } : output
    }
    yield* tell("notice", "sub_agent", phrases.finished(name, seconds, result.toolCalls, trace))
    const text = phrases.summary(name, "type" in result ? result.text : "", notesOf(result))
    const output: ToolOutput = { text, details }
    return refused.length > 0 ? { ...output, refused: true } : output
  })

  return AgentRunner.of({ run })
})

const failureOf = (result: AgentResult): Text | undefined => result.failure

const notesOf = (result: AgentResult): ReadonlyArray<string> => {
  if (!("type" in result)) return []
  return [
    ...(result.ended === "limit" ? [phrases.LIMIT_NOTE] : []),
    ...(result.ended === "stuck" ? [phrases.STUCK_NOTE] : []),
    ...(result.refused.length > 0 ? [phrases.refusedNote(result.refused)] : [])
  ]
}

/** The settings of this run, flags and environment included: the child works under the same, whatever the files say now. */
const childConfig = (config: Config["Service"]): ChildConfig => {
  const {
    apiKey,
    cacheDir,
    extensionSettings,
    home,
    language,
    launchFolder,
    outputDir,
    projectDir,
    settings,
    userDir
  } = config
  return {
    launchFolder,
    home,
    userDir,
    projectDir,
    outputDir,
    cacheDir,
    language,
    ...(apiKey === undefined ? {} : { apiKey: Redacted.value(apiKey) }),
    settings,
    extensionSettings
  }
}
