/**
 * Turns the bytes of one response into `LlmEvent`s (spec 01): the whole of the protocol, pure and incremental. The caller
 * feeds bytes and takes arrays of events; nothing here waits, retries or knows HTTP.
 */
import type { LlmEvent } from "../domain/llm.ts"
import type { Usage } from "../domain/message.ts"
import { callDeltaOf, legacyCallOf, type CallDelta } from "./callDelta.ts"
import { stopReason, strongerLabel } from "./finishReason.ts"
import { ReasoningCollector } from "./reasoningCollector.ts"
import { SseDecoder } from "./sse.ts"
import { ThinkFilter } from "./thinkFilter.ts"
import { ToolCallAssembler, type AssemblerOptions } from "./toolCallAssembler.ts"
import { usageOf } from "./usage.ts"
import * as warnings from "./warnings.ts"
import { arrayOf, fieldsOf, isFields, numberOf, parseJson, stringOf, type Fields } from "./wire.ts"

/** How the response ended. `failed` holds what the server said, as JSON or text. */
export type Outcome =
  | { readonly type: "finished" }
  /** Ended well, with neither text nor call. */
  | { readonly type: "empty" }
  /** Cut off: neither `[DONE]` nor a finish reason. */
  | { readonly type: "broken" }
  | { readonly type: "failed"; readonly said: unknown }
  /** The input did not fit the window, and nothing was written (z.ai's finish reason). */
  | { readonly type: "overflow" }
  /** The body is neither a stream nor the JSON of an answer. */
  | { readonly type: "alien"; readonly body: string }

export class AnswerDecoder {
  #events: Array<LlmEvent> = []
  readonly #sse = new SseDecoder((event, data) => this.#data(event, data))
  /** Decided by the first byte that is not blank: a stream, or one body (JSON, HTML). */
  #form: "unknown" | "stream" | "body" = "unknown"
  readonly #body: Array<Uint8Array> = []
  readonly #reasoning = new ReasoningCollector()
  readonly #think = new ThinkFilter({
    text: (text) => this.#text(text),
    reasoning: (text) => this.#thought(text),
    textWasReasoning: (text) => this.#reclassify(text)
  })
  readonly #calls: ToolCallAssembler
  #hasText = false
  #hasDelta = false
  #thoughtText = ""
  #choice: unknown
  #label: string | undefined
  #usage: Usage | undefined
  #done = false
  #runaway = false
  #failure: { readonly said: unknown } | undefined
  #spoke = false

  constructor(options: AssemblerOptions) {
    this.#calls = new ToolCallAssembler(options, (event) => void this.#events.push(event))
  }

  /** `[DONE]`, a failure or runaway arguments: what may still come does not count. */
  get isOver(): boolean {
    return this.#done || this.#runaway || this.#failure !== undefined
  }

  /** `[DONE]` has come. */
  get isDone(): boolean {
    return this.#done
  }

  /** A finish reason has come: the rest is usage at most. */
  get isEnding(): boolean {
    return this.#label !== undefined
  }

  /** Text, reasoning or a call was given: something a person may have seen. */
  get hasSpoken(): boolean {
    return this.#spoke
  }

  push(bytes: Uint8Array): void {
    let rest = bytes
    if (this.#form === "unknown") {
      const start = firstSolid(bytes)
      if (start === bytes.length) return
      this.#form = opensBody(bytes[start]) ? "body" : "stream"
      rest = bytes.subarray(start)
    }
    if (this.#form === "body") this.#body.push(rest.slice())
    else if (!this.isOver) this.#sse.push(rest)
  }

  /** The events since the last call. */
  take(): Array<LlmEvent> {
    const events = this.#events
    this.#events = []
    this.#spoke ||= events.some(isSpeech)
    return events
  }

  /** The end of the response, whatever caused it; the last events are then in `take`. */
  end(): Outcome {
    if (this.#form === "body") {
      const alien = this.#readBody()
      if (alien !== undefined) return alien
    } else if (!this.isOver) this.#sse.end()
    if (this.#failure !== undefined) return { type: "failed", said: this.#failure.said }
    const isWhole = this.#done || this.#runaway || this.#label !== undefined
    const isSilent = !this.#hasText && this.#calls.count === 0 && this.#reasoning.isEmpty && this.#thoughtText === ""
    if (!isWhole) return isSilent ? { type: "empty" } : { type: "broken" }
    return this.#finish()
  }

  #finish(): Outcome {
    const unclosed = this.#think.end()
    const hasCalls = this.#calls.count > 0
    const reason = stopReason(this.#label, hasCalls)
    if (reason === "error") return { type: "failed", said: `finish_reason: ${this.#label ?? ""}` }
    if (unclosed && !this.#hasText && !hasCalls && reason === "end_turn" && this.#thoughtText.trim() !== "") {
      this.#events.push(warnings.unclosedThinking)
      this.#text(this.#thoughtText)
    }
    if (!this.#hasText && !hasCalls) {
      if (reason === "context_window") return { type: "overflow" }
      if (reason === "end_turn" || reason === "other") return { type: "empty" }
    }
    this.#calls.end({ cut: reason === "max_tokens" || reason === "context_window" })
    if (this.#usage !== undefined) this.#events.push({ type: "usage", usage: this.#usage })
    this.#warn(reason, hasCalls)
    const reasoning = this.#reasoning.result
    this.#events.push({
      type: "finish",
      reason,
      ...(this.#label === undefined ? {} : { raw: this.#label }),
      ...(reasoning === undefined ? {} : { reasoning })
    })
    return { type: "finished" }
  }

  #warn(reason: string, hasCalls: boolean): void {
    if (reason === "max_tokens") this.#events.push(warnings.outputLimit)
    else if (reason === "content_filter") this.#events.push(warnings.contentFilter)
    else if (reason === "context_window") this.#events.push(warnings.windowFull)
    else if (hasCalls && warnings.isSuspiciousCount(this.#usage?.completionTokens)) {
      this.#events.push(warnings.suspectedCut(this.#usage?.completionTokens ?? 0))
    }
  }

  // --- one server-sent event ---------------------------------------------------------------------------------------

  #data(event: string, data: string): void {
    if (this.isOver) return
    if (data === "[DONE]" || data.trim() === "[DONE]") {
      this.#done = true
      return
    }
    const value = parseJson(data)
    if (event === "error") this.#fail(value ?? data)
    else if (isFields(value)) this.#chunk(value)
    else if (Array.isArray(value)) for (const item of value) this.#chunk(fieldsOf(item))
    else if (value === undefined && data.includes("\n")) {
      // Events that a server divided by one line end only.
      for (const line of data.split("\n")) this.#data(event, line)
    }
  }

  #chunk(chunk: Fields): void {
    if (this.isOver) return
    const error = chunk["error"]
    if (error !== undefined && error !== null && error !== "" && error !== false) return this.#fail(chunk)
    if (chunk["type"] === "error") return this.#fail(chunk)
    if (isFields(chunk["prompt_progress"])) this.#progress(chunk["prompt_progress"])
    const usage = usageOf(chunk)
    if (usage !== undefined) this.#usage = { ...this.#usage, ...usage }
    const choices = chunk["choices"]
    if (Array.isArray(choices)) for (const choice of choices) if (isFields(choice)) this.#oneChoice(choice)
  }

  #progress(progress: Fields): void {
    const processed = numberOf(progress["processed"])
    const total = numberOf(progress["total"])
    const cached = numberOf(progress["cache"])
    if (processed === undefined || total === undefined) return
    this.#events.push({
      type: "prompt-progress",
      processed,
      total,
      ...(cached === undefined ? {} : { cached })
    })
  }

  #oneChoice(choice: Fields): void {
    if (isFields(choice["error"])) return this.#fail(choice["error"])
    // Only the choice that came first counts, should a server send several.
    const index = choice["index"] ?? 0
    this.#choice ??= index
    if (index !== this.#choice) return
    const delta = isFields(choice["delta"]) ? choice["delta"] : undefined
    const message = isFields(choice["message"]) ? choice["message"] : undefined
    if (delta !== undefined) {
      this.#hasDelta = true
      this.#delta(delta)
    } else if (message !== undefined && !this.#hasDelta) this.#delta(message)
    else if (typeof choice["text"] === "string") this.#content(choice["text"])
    const label = choice["finish_reason"]
    if (typeof label === "string" && label !== "" && label !== "null") this.#label = strongerLabel(this.#label, label)
  }

  #delta(delta: Fields): void {
    const thought = this.#reasoning.add(delta)
    if (thought !== "") {
      this.#think.serverSeparates()
      this.#events.push({ type: "reasoning-delta", text: thought })
    }
    const content = delta["content"]
    if (typeof content === "string") this.#content(content)
    else if (content !== null && content !== undefined) this.#parts(Array.isArray(content) ? content : [content])
    if (typeof delta["refusal"] === "string") this.#content(delta["refusal"])
    const calls = delta["tool_calls"]
    if (Array.isArray(calls)) for (const call of calls) this.#call(callDeltaOf(call))
    else if (isFields(calls)) this.#call(callDeltaOf(calls))
    if (isFields(delta["function_call"])) this.#call(legacyCallOf(delta["function_call"]))
  }

  #content(text: string): void {
    if (text !== "") this.#think.push(text)
  }

  #parts(parts: ReadonlyArray<unknown>): void {
    for (const part of parts) {
      if (typeof part === "string") this.#content(part)
      if (!isFields(part)) continue
      if (part["type"] === "thinking" || part["type"] === "reasoning") {
        const thought = part["thinking"] ?? part["text"]
        const text =
          typeof thought === "string"
            ? thought
            : arrayOf(thought)
                .map((one) => stringOf(fieldsOf(one)["text"]))
                .join("")
        if (text !== "")
          this.#events.push({ type: "reasoning-delta", text: this.#reasoning.addText(text, "reasoning") })
      } else this.#content(stringOf(part["text"]) || stringOf(part["refusal"]))
    }
  }

  #call(delta: CallDelta | undefined): void {
    if (delta === undefined || this.isOver) return
    this.#runaway = this.#calls.push(delta)
  }

  #text(text: string): void {
    if (text === "") return
    if (!this.#hasText && text.trim() !== "") this.#hasText = true
    this.#events.push({ type: "text-delta", text })
  }

  #thought(text: string): void {
    this.#thoughtText += text
    this.#events.push({ type: "reasoning-delta", text: this.#reasoning.addText(text, "think") })
  }

  /** A closing tag alone: what was shown as the answer was reasoning. It is taken back and shown as such. */
  #reclassify(text: string): void {
    // Calls that have begun cannot be given a second time; then only the tag is dropped.
    if (this.#calls.count > 0) return
    this.#hasText = false
    this.#events.push({ type: "discard", reason: "the text so far was the model's reasoning" })
    this.#thought(text)
  }

  #fail(said: unknown): void {
    this.#failure ??= { said }
  }

  // --- a body that is no stream ------------------------------------------------------------------------------------

  #readBody(): Outcome | undefined {
    const text = new TextDecoder().decode(concat(this.#body))
    const value = parseJson(text)
    const chunks = (
      value === undefined ? text.split("\n").map(parseJson) : Array.isArray(value) ? value : [value]
    ).filter(isFields)
    const known = chunks.filter((chunk) => "choices" in chunk || "error" in chunk || chunk["type"] === "error")
    if (known.length === 0)
      return isErrorLike(chunks[0]) ? { type: "failed", said: chunks[0] } : { type: "alien", body: text }
    for (const chunk of known) this.#chunk(chunk)
    // One JSON answer is whole even where it does not say why it ended.
    this.#done = true
    return undefined
  }
}

const isSpeech = (event: LlmEvent): boolean =>
  event.type === "text-delta" || event.type === "reasoning-delta" || event.type.startsWith("tool-call")

/** `{"message": …}` or `{"detail": …}`: how frameworks word their errors. */
const isErrorLike = (chunk: Fields | undefined): boolean =>
  chunk !== undefined && ("message" in chunk || "detail" in chunk || "errors" in chunk)

/** Blanks and the bytes of a byte order mark. */
const isBlankByte = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0xef || byte === 0xbb || byte === 0xbf

const firstSolid = (bytes: Uint8Array): number => {
  let at = 0
  while (at < bytes.length && isBlankByte(bytes[at])) at++
  return at
}

/** `{`, `[` or `<`. */
const opensBody = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b || byte === 0x3c

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
