/**
 * The composition of the executable: which layer serves which. The only place that knows them all.
 */
import { Layer } from "effect"
import { Agent } from "../agent/Agent.ts"
import { contextCareLayer } from "../agent/contextCareLayer.ts"
import { Config } from "../config/Config.ts"
import { BranchSummary } from "../context/BranchSummary.ts"
import { Compaction } from "../context/Compaction.ts"
import { ContextWindow } from "../context/ContextWindow.ts"
import { TokenCounter } from "../context/TokenCounter.ts"
import { withDemoModel } from "../demo/demoModel.ts"
import { layerFetch as liteLlmLayer } from "../llm/LiteLlmLive.ts"
import type { Approver } from "../permissions/Approver.ts"
import { FolderTrust } from "../permissions/trust/FolderTrust.ts"
import { TrustState } from "../permissions/trust/TrustState.ts"
import { permissionsLayer } from "../permissions/PermissionsLive.ts"
import { makeQuestionTurns, QuestionTurns } from "../permissions/QuestionTurns.ts"
import { BackgroundJobs } from "../process/BackgroundJobs.ts"
import { PinnedHttp } from "../process/pinnedHttp.ts"
import { Resolver } from "../process/Resolver.ts"
import { sandboxLayer } from "../process/sandbox/Sandbox.ts"
import { Shell } from "../process/Shell.ts"
import { checkpointsLayer } from "../sessions/checkpoints/CheckpointsLive.ts"
import { sessionsLayer } from "../sessions/SessionsLive.ts"
import { StreamRules, StreamRulesTrust } from "../stream-rules/StreamRules.ts"
import { ProjectEnvironment } from "../extensions/environment/ProjectEnvironment.ts"
import { hooksLayer } from "../extensions/hooks/hooksLayer.ts"
import { extensionsLayer } from "../extensions/extensionsLayer.ts"
import { FileLedger } from "../tools/files/FileLedger.ts"
import { FilePaths } from "../tools/files/filePath.ts"
import { ActiveModel } from "../tools/model/ActiveModel.ts"
import { ActiveSession } from "../tools/model/ActiveSession.ts"
import { OutputStore } from "../tools/output.ts"
import { HiddenFiles } from "../tools/search/HiddenFiles.ts"
import { SearchEngine } from "../tools/search/SearchEngine.ts"
import { TodoStore } from "../tools/todo/TodoStore.ts"
import { ToolRunner } from "../tools/ToolRunner.ts"
import { ToolSet } from "../tools/ToolSet.ts"
import { PageFetcher } from "../tools/web/PageFetcher.ts"

/** The server, or the demonstration script for the model `demo`. Needs `Config` and the platform. */
export const llmLayer = withDemoModel(liteLlmLayer)

/** The tools and what they stand on. */
const toolLayer = ToolSet.layer.pipe(
  Layer.provide(PageFetcher.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      BackgroundJobs.layer.pipe(Layer.provideMerge(Shell.layer)),
      FileLedger.layer,
      SearchEngine.layer,
      HiddenFiles.layer,
      FilePaths.layer,
      ActiveModel.layer,
      ActiveSession.layer,
      TodoStore.layer,
      OutputStore.layer,
      PinnedHttp.layer,
      Resolver.layer
    )
  )
)

/** Summaries of the conversation and of its branches; needs the token counter and the server. */
const contextLayer = Layer.mergeAll(Compaction.layerFetch, BranchSummary.layer).pipe(
  Layer.provideMerge(ContextWindow.layer)
)

/** Stream rules; those of the project count while its `.maia` is trusted. */
const streamRulesLayer = StreamRules.layer.pipe(Layer.provide(Layer.effect(StreamRulesTrust, TrustState)))

interface AgentLayerOptions {
  /** `--trust`; `never` where a parent does not trust the folder. */
  readonly trust: boolean | "never"
  /** In place of the rules of the settings. */
  readonly permissions?: typeof permissionsLayer
  /** In place of all that is on disk. */
  readonly extensions?: Layer.Layer<
    Layer.Success<typeof extensionsLayer>,
    never,
    Layer.Services<typeof extensionsLayer>
  >
  /** In place of the server. */
  readonly llm?: typeof llmLayer
}

/** All that a turn needs, for one launch folder and one way of answering questions. */
export const agentLayer = <R = never>(
  config: Config["Service"],
  approver: Layer.Layer<Approver, never, R>,
  options: AgentLayerOptions = { trust: false }
) =>
  Agent.layer.pipe(
    Layer.provide(ToolRunner.layer),
    Layer.provideMerge(streamRulesLayer),
    Layer.provideMerge(contextCareLayer),
    Layer.provideMerge(contextLayer),
    Layer.provideMerge(hooksLayer),
    Layer.provideMerge(options.extensions ?? extensionsLayer),
    Layer.provideMerge(toolLayer),
    Layer.provideMerge(
      Layer.mergeAll(
        options.permissions ?? permissionsLayer,
        sessionsLayer,
        checkpointsLayer,
        approver,
        TokenCounter.layer
      )
    ),
    Layer.provideMerge(Layer.sync(QuestionTurns, makeQuestionTurns)),
    Layer.provideMerge(Layer.mergeAll(options.llm ?? llmLayer, sandboxLayer, ProjectEnvironment.layer)),
    Layer.provideMerge(FolderTrust.layer({ thisRun: options.trust === true, never: options.trust === "never" })),
    Layer.provideMerge(Layer.succeed(Config, Config.of(config)))
  )
