/**
 * Makes proper calls of an answer whose whole text is tool calls (spec 06). Text is held back only while it may still become
 * that; any other text passes as it comes. Pure state; linear in the stream.
 */
import type { LlmEvent } from "../../domain/llm.ts"
import type { StopReason } from "../../domain/message.ts"
import type { DeclaredTools } from "./DeclaredTools.ts"
import type { FoundCall } from "./foundCall.ts"
import { mayBeginCall, TextCallRecogniser } from "./TextCallRecogniser.ts"

export class TextCallFilter {
  /** The answer was made of calls written as text. */
  hasFound = false
  private readonly tools: DeclaredTools
  private readonly newId: () => string
  /** Present once solid text has come that may be a call. */
  private recogniser: TextCallRecogniser | undefined
  private blanks = ""
  private isPlain = false

  constructor(tools: DeclaredTools, newId: () => string) {
    this.tools = tools
    this.newId = newId
  }

  /** What the rest of the house sees of these events. */
  take(events: ReadonlyArray<LlmEvent>): ReadonlyArray<LlmEvent> {
    if (this.isPlain && !events.some(isDiscard)) return events
    return events.flatMap((event) => this.one(event))
  }

  /** The answer is text after all; what was held of it. */
  release(): ReadonlyArray<LlmEvent> {
    const text = this.recogniser?.text ?? this.blanks
    this.isPlain = true
    this.recogniser = undefined
    this.blanks = ""
    return text === "" ? [] : [{ type: "text-delta", text }]
  }

  private one(event: LlmEvent): ReadonlyArray<LlmEvent> {
    switch (event.type) {
      case "text-delta":
        return this.text(event)
      case "tool-call-start":
      case "tool-call-delta":
      case "tool-call-end":
        return this.isPlain ? [event] : [...this.release(), event]
      case "discard":
        this.release()
        this.isPlain = false
        return [event]
      case "finish":
        return this.finish(event)
      default:
        return [event]
    }
  }

  private text(event: LlmEvent & { type: "text-delta" }): ReadonlyArray<LlmEvent> {
    if (this.isPlain) return [event]
    if (this.recogniser === undefined) {
      this.blanks += event.text
      if (!mayBeginCall(this.blanks)) return this.release()
      if (this.blanks.trim() === "") return []
      this.recogniser = new TextCallRecogniser(this.tools)
      return this.recogniser.push(this.blanks) ? [] : this.release()
    }
    return this.recogniser.push(event.text) ? [] : this.release()
  }

  private finish(event: LlmEvent & { type: "finish" }): ReadonlyArray<LlmEvent> {
    const calls = this.recogniser?.end(event.reason)
    if (calls === undefined) return [...this.release(), event]
    this.isPlain = true
    this.hasFound = true
    this.recogniser = undefined
    return [...calls.flatMap((call, index) => this.events(call, index)), { ...event, reason: reasonWithCalls(event) }]
  }

  private events(found: FoundCall, index: number): ReadonlyArray<LlmEvent> {
    const call = { id: this.newId(), ...found }
    return [
      { type: "tool-call-start", index, id: call.id, name: call.name },
      { type: "tool-call-delta", index, delta: found.problem?.received ?? call.arguments },
      { type: "tool-call-end", index, call }
    ]
  }
}

const isDiscard = ({ type }: LlmEvent): boolean => type === "discard"

/** A cut stays a cut; an answer that ended well has ended with calls. */
const reasonWithCalls = ({ reason }: { readonly reason: StopReason }): StopReason =>
  reason === "end_turn" || reason === "other" ? "tool_use" : reason
