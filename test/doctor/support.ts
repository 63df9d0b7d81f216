/** A whole examination against a scripted server, in this process. */
import { Effect, Layer, Redacted } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Config } from "../../src/config/Config.ts"
import type { Settings } from "../../src/config/settings.ts"
import { ContextWindow } from "../../src/context/ContextWindow.ts"
import { examine, type ExaminationInput } from "../../src/doctor/Doctor.ts"
import type { CheckName, CheckResult } from "../../src/doctor/report.ts"
import { layerFetch } from "../../src/llm/LiteLlmLive.ts"
import { FolderTrust } from "../../src/permissions/trust/FolderTrust.ts"
import {
  chunk,
  json,
  scriptedServer,
  sse,
  toolCalls,
  usageChunk,
  type ChatBody,
  type ScriptedResponse,
  type ServerOptions
} from "../support/scriptedServer.ts"
import { testConfig } from "../support/testConfig.ts"

/** What a question of the doctor is about, by its request. */
export type Topic = "answer" | "window" | "tool" | "forced" | "result" | "image" | "cache"

export const topicOf = (body: ChatBody): Topic => {
  const last = body.messages?.at(-1)
  if (last?.role === "tool") return "result"
  if (body["tool_choice"] !== undefined) return "forced"
  if (body.tools !== undefined) return "tool"
  if (Array.isArray(last?.content)) return "image"
  if (body.messages?.[0]?.role === "system") return "cache"
  return String(last?.content).startsWith("Taille") ? "window" : "answer"
}

/** Text in two pieces, with usage. */
export const said = (text: string, usage: Record<string, unknown> = {}): ScriptedResponse =>
  sse([
    chunk({ role: "assistant", content: text.slice(0, 3) }),
    chunk({ content: text.slice(3) }),
    chunk({}, "stop"),
    usageChunk(1_400, 20, usage)
  ])

/** A server and a model without fault. */
export const healthy: Readonly<Record<Topic, (n: number) => ScriptedResponse>> = {
  answer: () => said("one, two, three, four, five, six, seven"),
  window: () => said("32768"),
  tool: () => toolCalls([{ name: "maia_check", args: { colour: "blue" } }]),
  forced: () => toolCalls([{ name: "maia_check", args: { colour: "blue" } }]),
  result: () => said("The number is 48,173."),
  image: () => said("Red."),
  cache: () => said("Shelf 0", { prompt_tokens_details: { cached_tokens: 1_380 } })
}

export interface Case {
  /** In place of the healthy answers. */
  readonly answers?: Partial<Record<Topic, (n: number) => ScriptedResponse>>
  readonly server?: ServerOptions
  readonly settings?: Partial<Settings>
  readonly key?: string
  readonly seconds?: number
  readonly url?: string
  readonly input?: Partial<ExaminationInput>
}

export interface Examined {
  readonly results: ReadonlyArray<CheckResult>
  readonly of: (check: CheckName) => CheckResult
  /** The topics that were asked for, in order. */
  readonly asked: ReadonlyArray<Topic>
  /** Bodies of the chat requests, in order. */
  readonly requests: ReadonlyArray<ChatBody>
}

const nobody = { started: () => Effect.void, told: () => Effect.void }

export const examined = (given: Case = {}) =>
  Effect.gen(function* () {
    const answers = { ...healthy, ...given.answers }
    const asked: Array<Topic> = []
    const server = yield* scriptedServer(
      (n, body) => {
        const topic = topicOf(body)
        asked.push(topic)
        return answers[topic](n)
      },
      { props: { default_generation_settings: { n_ctx: 32_768 } }, ...given.server }
    )
    const config = testConfig({
      launchFolder: "/nowhere/project",
      origins: new Map([["model", { from: "environment", name: "MAIA_MODEL" }]]),
      settings: { LiteLLM_URL: given.url ?? server.url, model: "test-model", ...given.settings },
      apiKey: given.key === undefined ? undefined : Redacted.make(given.key)
    })
    const results = yield* examine(
      {
        seconds: given.seconds ?? 20,
        terminal: { isTerminal: false, isInputTerminal: false, columns: undefined, rows: undefined },
        sandboxMissing: Effect.undefined,
        ...given.input
      },
      nobody
    ).pipe(
      Effect.provide(
        ContextWindow.layer.pipe(
          Layer.provideMerge(Layer.mergeAll(layerFetch, FolderTrust.layer())),
          Layer.provideMerge(Layer.succeed(Config, Config.of(config))),
          Layer.provideMerge(NodeServices.layer)
        )
      )
    )
    const found: Examined = {
      results,
      of: (check) => {
        const result = results.find((one) => one.check === check)
        if (result === undefined) throw new Error(`no result for ${check}`)
        return result
      },
      asked,
      requests: server.chats.map(({ body }) => body)
    }
    return found
  })

export const refusal = (status: number, message: string): ScriptedResponse => json(status, { error: { message } })
