/**
 * Puts one answer together from the events of a model call (spec 01, 02). Pure state; linear in the stream.
 */
import type { AgentEvent } from "../domain/agent-event.ts"
import type { LlmEvent } from "../domain/llm.ts"
import type { AssistantMessage, Reasoning, StopReason, ToolCall, Usage } from "../domain/message.ts"
import { cut } from "../domain/text.ts"

/** Warnings that the turn words itself, knowing what was cut and at how many tokens. */
const TOLD_BY_TURN = new Set(["output_limit", "content_filter"])

export class Answer {
  private pieces: Array<string> = []
  private calls: Array<ToolCall> = []
  private composing = new Map<number, { name: string; received: number; shown: number }>()
  private reasoning: Reasoning | undefined
  usage: Usage | undefined
  finish: { readonly reason: StopReason; readonly raw?: string } | undefined

  /** Takes a batch and adds what front ends should see of it to `out`. */
  take(events: ReadonlyArray<LlmEvent>, out: Array<AgentEvent>): void {
    for (const event of events) {
      switch (event.type) {
        case "text-delta":
          this.pieces.push(event.text)
          out.push({ type: "text", delta: event.text })
          break
        case "reasoning-delta":
          out.push({ type: "reasoning", delta: event.text })
          break
        case "tool-call-start":
          this.composing.set(event.index, { name: event.name, received: 0, shown: 0 })
          out.push({ type: "tool-composing", index: event.index, name: event.name, received: 0 })
          break
        case "tool-call-delta":
          this.compose(event.index, event.delta.length, out)
          break
        case "tool-call-end":
          this.calls.push(event.call)
          break
        case "prompt-progress":
          out.push({ type: "prompt-progress", processed: event.processed, total: event.total })
          break
        case "usage":
          this.usage = event.usage
          break
        case "warning":
          if (!TOLD_BY_TURN.has(event.code)) out.push(event)
          break
        case "discard":
          this.reset()
          out.push(event)
          break
        case "finish":
          this.finish = { reason: event.reason, ...(event.raw === undefined ? {} : { raw: event.raw }) }
          this.reasoning = event.reasoning
          break
      }
    }
  }

  get text(): string {
    return this.pieces.join("")
  }

  get hasReasoning(): boolean {
    return this.reasoning !== undefined
  }

  /** Adds to the text what the model and people are to read there. */
  add(text: string): void {
    this.pieces.push(text)
  }

  /** Keeps so many characters of the text, and a note in place of the rest. */
  fold(length: number, note: string): void {
    this.pieces = [cut(this.text, length), note]
  }

  get toolCalls(): ReadonlyArray<ToolCall> {
    return this.calls
  }

  toMessage(model: string, stopReason: StopReason, toolCalls: ReadonlyArray<ToolCall> = this.calls): AssistantMessage {
    return {
      role: "assistant",
      text: this.text,
      toolCalls,
      model,
      stopReason,
      ...(this.reasoning === undefined ? {} : { reasoning: this.reasoning }),
      ...(this.usage === undefined ? {} : { usage: this.usage })
    }
  }

  /** Front ends show a counter: one event per 256 characters is enough. */
  private compose(index: number, length: number, out: Array<AgentEvent>): void {
    const call = this.composing.get(index)
    if (call === undefined) return
    call.received += length
    if (call.received - call.shown < 256) return
    call.shown = call.received
    out.push({ type: "tool-composing", index, name: call.name, received: call.received })
  }

  private reset(): void {
    this.pieces = []
    this.calls = []
    this.composing.clear()
    this.reasoning = undefined
    this.usage = undefined
    this.finish = undefined
  }
}

/** Adds the counts of one model call to those of the turn. */
export const addUsage = (sum: Usage, more: Usage): Usage => {
  const reasoning = (sum.reasoningTokens ?? 0) + (more.reasoningTokens ?? 0)
  const cached = (sum.cachedTokens ?? 0) + (more.cachedTokens ?? 0)
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    ...(reasoning === 0 ? {} : { reasoningTokens: reasoning }),
    ...(cached === 0 ? {} : { cachedTokens: cached })
  }
}
