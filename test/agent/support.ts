/** The turn loop composed with a script, tools of the test's own, an unsaved session, and rules that allow everything. */
import { Effect, Layer, Queue, Schema, Stream } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Agent, type TurnInput } from "../../src/agent/Agent.ts"
import { Conversation } from "../../src/agent/Conversation.ts"
import type { Settings } from "../../src/config/settings.ts"
import type { AgentEvent, PermissionAnswer } from "../../src/domain/agent-event.ts"
import { text } from "../../src/domain/text.ts"
import type { Tool, ToolContext, ToolFailure, ToolOutput } from "../../src/domain/tool.ts"
import { Approver } from "../../src/permissions/Approver.ts"
import { Permissions, type Decision, type PermissionCall } from "../../src/permissions/Permissions.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { sessionsLayer } from "../../src/sessions/SessionsLive.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { defineTool } from "../../src/tools/defineTool.ts"
import { OutputStore } from "../../src/tools/output.ts"
import { ToolRunner } from "../../src/tools/ToolRunner.ts"
import { testConfigLayer } from "../support/testConfig.ts"

const allowAll = (call: PermissionCall): Decision => ({
  decision: "allow",
  reason: text("test", "test"),
  subject: call.tool,
  suggestions: [`${call.tool}(x)`]
})

export interface HarnessOptions {
  readonly script: ScriptedLlm.Script
  readonly decide?: (call: PermissionCall) => Decision
  readonly answer?: PermissionAnswer | { readonly answer: "unavailable" }
  readonly maxIterations?: number
  readonly settings?: Partial<Settings>
}

export const harness = (options: HarnessOptions) => {
  const permissions = Layer.mock(Permissions, {
    decide: (call) => Effect.succeed((options.decide ?? allowAll)(call)),
    allow: () => Effect.void
  })
  const approver = Layer.succeed(
    Approver,
    Approver.of({ ask: () => Effect.succeed(options.answer ?? { answer: "unavailable" as const }) })
  )
  return Agent.layer.pipe(
    Layer.provide(ToolRunner.layer),
    Layer.provide([permissions, approver, OutputStore.layer]),
    Layer.provideMerge(Layer.mergeAll(ScriptedLlm.layer(options.script), sessionsLayer)),
    Layer.provideMerge(
      testConfigLayer({
        launchFolder: "/nowhere/project",
        settings: {
          ...options.settings,
          ...(options.maxIterations === undefined ? {} : { maxIterations: options.maxIterations })
        }
      })
    ),
    Layer.provideMerge(NodeServices.layer)
  )
}

/** A conversation in an unsaved session. */
export const conversationWith = (tools: ReadonlyArray<Tool>) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const session = yield* sessions.open({ save: false, model: "scripted" })
    return new Conversation({ session, model: "scripted", system: "You are a test.", tools })
  })

/** All events of one turn. */
export const play = (conversation: Conversation, input: TurnInput) =>
  Effect.gen(function* () {
    const agent = yield* Agent
    return yield* Stream.runCollect(agent.turn(conversation, input))
  })

/** Starts a turn and gives its events one by one. */
export const start = (conversation: Conversation, input: TurnInput) =>
  Effect.gen(function* () {
    const agent = yield* Agent
    return yield* Stream.toQueue(agent.turn(conversation, input), { capacity: "unbounded" })
  })

/** Takes events until one of the type has come. */
export const until = <E>(queue: Queue.Dequeue<AgentEvent, E>, type: AgentEvent["type"]) =>
  Effect.gen(function* () {
    for (;;) {
      const event = yield* Queue.take(queue)
      if (event.type === type) return event
    }
  })

/** A tool that takes `{ value }`. */
export const tool = (
  name: string,
  run: (value: string, context: ToolContext) => Effect.Effect<ToolOutput, ToolFailure>,
  lockKey?: (value: string) => string
): Tool =>
  defineTool({
    name,
    description: name,
    parameters: { type: "object", properties: { value: { type: "string" } }, required: ["value"] },
    schema: Schema.Struct({ value: Schema.String }),
    permission: "ask",
    ...(lockKey === undefined ? {} : { lockKey: ({ value }: { value: string }) => Effect.succeed(lockKey(value)) }),
    run: ({ value }, context) => run(value, context)
  })

export const ofType = <T extends AgentEvent["type"]>(events: ReadonlyArray<AgentEvent>, type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type)
