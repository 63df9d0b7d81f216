/** The turn loop with the care for the context, over a scripted server that refuses what is too long for it. */
import { Effect, Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Agent } from "../../src/agent/Agent.ts"
import { contextCareLayer } from "../../src/agent/contextCareLayer.ts"
import { BranchSummary } from "../../src/context/BranchSummary.ts"
import { Compaction } from "../../src/context/Compaction.ts"
import { ContextWindow } from "../../src/context/ContextWindow.ts"
import { SUMMARIZATION_SYSTEM_PROMPT } from "../../src/context/summary/prompts.ts"
import { TokenCounter } from "../../src/context/TokenCounter.ts"
import type { Settings } from "../../src/config/settings.ts"
import type { LlmRequest } from "../../src/domain/llm.ts"
import type { Message } from "../../src/domain/message.ts"
import { text } from "../../src/domain/text.ts"
import { Approver } from "../../src/permissions/Approver.ts"
import { Permissions } from "../../src/permissions/Permissions.ts"
import { sessionsLayer } from "../../src/sessions/SessionsLive.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { OutputStore } from "../../src/tools/output.ts"
import { ToolRunner } from "../../src/tools/ToolRunner.ts"
import { testConfigLayer } from "../support/testConfig.ts"
import { tool } from "./support.ts"

export interface CareOptions {
  readonly script: ScriptedLlm.Script
  /** Window in the settings; absent: the settings say none. */
  readonly window?: number
  readonly settings?: Partial<Settings>
  readonly launchFolder?: string
  readonly llm?: ScriptedLlm.ScriptedOptions
}

export const careHarness = (options: CareOptions) => {
  const models = options.window === undefined ? {} : { "*": { contextWindow: options.window } }
  const permissions = Layer.mock(Permissions, {
    decide: (call) =>
      Effect.succeed({
        decision: "allow" as const,
        reason: text("test", "test"),
        subject: call.tool,
        suggestions: []
      }),
    allow: () => Effect.void
  })
  const approver = Layer.succeed(
    Approver,
    Approver.of({ ask: () => Effect.succeed({ answer: "unavailable" as const }) })
  )
  return Agent.layer.pipe(
    Layer.provide(ToolRunner.layer),
    Layer.provideMerge(contextCareLayer),
    Layer.provide([permissions, approver, OutputStore.layer]),
    Layer.provideMerge(Layer.mergeAll(Compaction.layerFetch, BranchSummary.layer)),
    Layer.provideMerge(ContextWindow.layer),
    Layer.provideMerge(
      Layer.mergeAll(TokenCounter.layer, ScriptedLlm.layer(options.script, options.llm), sessionsLayer)
    ),
    Layer.provideMerge(
      testConfigLayer({
        launchFolder: options.launchFolder ?? "/nowhere/project",
        settings: { models, ...options.settings }
      })
    ),
    Layer.provideMerge(NodeServices.layer)
  )
}

export const isSummaryRequest = (request: LlmRequest): boolean => request.system === SUMMARIZATION_SYSTEM_PROMPT

export const textOf = (messages: ReadonlyArray<Message>): string => messages.map((message) => message.text).join("\n")

/** A summarising model that keeps what is named like a fact and forgets the rest. */
export const factSummary = (request: LlmRequest): ScriptedLlm.ScriptedStep => {
  const facts = [...new Set(textOf(request.messages).match(/FACT-\d+/g) ?? [])]
  return ScriptedLlm.answer({
    text: `## Decisions and conclusions\n${["the work goes on", ...facts].map((fact) => `- ${fact}`).join("\n")}`
  })
}

/** A tool whose result is `lines` lines; the first three name a fact. */
export const outputTool = (lines: number, name = "Run") =>
  tool(name, (value) => {
    const n = Number(value)
    const fact = n <= 3 ? `Found FACT-${n}.\n` : ""
    return Effect.succeed({ text: `${fact}${`line of output of step ${n}\n`.repeat(lines)}` })
  })

/** Calls `name` with 1, 2, 3 … `steps` times, then answers `done`; requests for a summary go to `summarise`. */
export const longTask = (
  steps: number,
  summarise: (request: LlmRequest) => ScriptedLlm.ScriptedStep = factSummary,
  name = "Run"
): ((request: LlmRequest, n: number) => ScriptedLlm.ScriptedStep) =>
  // The step is counted here: the history that could tell it gets shorter.
  {
    let step = 0
    return (request) => {
      if (isSummaryRequest(request)) return summarise(request)
      if (step >= steps) return ScriptedLlm.answer({ text: "done" })
      step++
      return ScriptedLlm.answer({ calls: [{ id: `call_${step}`, name, input: { value: String(step) } }] })
    }
  }
