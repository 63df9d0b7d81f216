/** Paths of entries for tests of the context. */
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import * as NodeServices from "@effect/platform-node/NodeServices"
import type { Settings } from "../../src/config/settings.ts"
import { BranchSummary } from "../../src/context/BranchSummary.ts"
import { Compaction } from "../../src/context/Compaction.ts"
import { ContextWindow } from "../../src/context/ContextWindow.ts"
import { TokenCounter } from "../../src/context/TokenCounter.ts"
import type { Entry, EntryBody } from "../../src/domain/entry.ts"
import type { LlmEvent } from "../../src/domain/llm.ts"
import type { Message, ToolCall, UserMessage } from "../../src/domain/message.ts"
import { text } from "../../src/domain/text.ts"
import { LlmError, type LlmErrorCode } from "../../src/llm/errors.ts"
import type { AnyEntry } from "../../src/sessions/checkEntry.ts"
import * as ScriptedLlm from "../../src/testing/ScriptedLlm.ts"
import { testConfigLayer } from "../support/testConfig.ts"

/** Entries in a row, with ids `e1`, `e2` … */
export class PathBuilder {
  readonly entries: Array<Entry> = []
  private calls = 0

  add(body: EntryBody): Entry {
    const id = `e${this.entries.length + 1}`
    const entry: Entry = { id, parentId: this.entries.at(-1)?.id ?? "root", time: "2026-11-30T00:00:00Z", ...body }
    this.entries.push(entry)
    return entry
  }

  user(content: string, origin?: UserMessage["origin"]): this {
    this.add({ type: "message", message: { role: "user", text: content, ...(origin === undefined ? {} : { origin }) } })
    return this
  }

  assistant(content: string, calls: ReadonlyArray<ToolCall> = []): this {
    this.add({ type: "message", message: { role: "assistant", text: content, toolCalls: calls } })
    return this
  }

  /** An assistant message with one call, and its result. */
  call(name: string, input: Record<string, unknown>, result: string, isError = false): this {
    const id = `call_${++this.calls}`
    this.assistant("", [{ id, name, arguments: JSON.stringify(input) }])
    return this.result(id, name, result, isError)
  }

  result(id: string, name: string, result: string, isError = false): this {
    this.add({ type: "message", message: { role: "tool", toolCallId: id, toolName: name, text: result, isError } })
    return this
  }
}

/** Four letters a token: counts that tests can follow. */
export const quarter = (message: Message): number => Math.ceil(message.text.length / 4)

/** `tokens` tokens for `quarter`. */
export const filler = (tokens: number, letter = "x"): string => letter.repeat(tokens * 4)

export const llmError = (code: LlmErrorCode, limit?: number): LlmError =>
  new LlmError({ code, text: text(`failed: ${code}`, `échec : ${code}`), ...(limit === undefined ? {} : { limit }) })

/** An answer that ended for another reason than its own end. */
export const stopped = (events: ReadonlyArray<LlmEvent>, reason: "max_tokens" | "content_filter") =>
  events.map((event) => (event.type === "finish" ? { ...event, reason } : event))

export interface ContextLayerOptions {
  readonly settings?: Partial<Settings>
  readonly llm?: ScriptedLlm.ScriptedOptions
  readonly http?: HttpClient.HttpClient
}

const noHttp = HttpClient.make(() => Effect.die("no HTTP in this test"))

/** Everything in `src/context` over a scripted model. */
export const contextLayer = (script: ScriptedLlm.Script, options: ContextLayerOptions = {}) =>
  Layer.mergeAll(Compaction.layer, BranchSummary.layer).pipe(
    Layer.provideMerge(ContextWindow.layer),
    Layer.provideMerge(TokenCounter.layer),
    Layer.provideMerge(ScriptedLlm.layer(script, options.llm)),
    Layer.provideMerge(testConfigLayer({ launchFolder: "/work", settings: options.settings ?? {} })),
    Layer.provide(NodeServices.layer),
    Layer.provide(Layer.succeed(HttpClient.HttpClient, options.http ?? noHttp))
  )

/** Ids that a list of entries has. */
export const ids = (entries: ReadonlyArray<AnyEntry>): ReadonlyArray<string> => entries.map(({ id }) => id)
