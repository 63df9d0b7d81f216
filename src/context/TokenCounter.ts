/**
 * Counts tokens as MAIA does (§13.1): o200k_base, locally, each message once. The vocabulary is loaded when someone needs an
 * exact count, in the background; until then counts are estimates. Knows no server and no session.
 */
import { Context, Effect, Fiber, FileSystem, Layer } from "effect"
import type { ToolSpec } from "../domain/llm.ts"
import type { Attachment, Message } from "../domain/message.ts"
import { attachmentTokens, imageFamily } from "./tokens/attachmentTokens.ts"
import { BytePairCounter } from "./tokens/BytePairCounter.ts"
import { ESTIMATE_MARGIN, estimateTokens } from "./tokens/estimateTokens.ts"
import { Vocabulary } from "./tokens/Vocabulary.ts"
import { vocabularyFile } from "./tokens/vocabularyFile.ts"

/** Tokens of a message's frame (MAIA §13.1). */
export const MESSAGE_TOKENS = 4

/** UTF-16 units counted between two yields to other fibers: a few milliseconds. */
const SLICE = 131_072

/** What goes into one request. */
export interface ContextInput {
  readonly system: string
  readonly tools: ReadonlyArray<ToolSpec>
  readonly messages: ReadonlyArray<Message>
  /** Texts that wait to join the next request. */
  readonly pending?: ReadonlyArray<string>
  /** Decides how images are counted. */
  readonly model: string
}

export interface ContextCount {
  readonly tokens: number
  /** `false`: an estimate, as the vocabulary is not loaded. */
  readonly exact: boolean
}

export class TokenCounter extends Context.Service<
  TokenCounter,
  {
    /** Loads the vocabulary, once, and waits for it. Never fails: where it cannot be read, counts stay estimates. */
    readonly ready: Effect.Effect<void>
    /** Starts loading in the background. */
    readonly warm: Effect.Effect<void>
    /** Whether `ready` is done: counts are exact from then on. */
    readonly isExact: () => boolean
    /** Exact once ready, else an estimate; at once. */
    readonly countNow: (text: string) => number
    /** Waits for the vocabulary; lets others run in between on long texts. */
    readonly count: (text: string) => Effect.Effect<number>
    /** Frame, text, calls and attachments; remembered by message object. */
    readonly message: (message: Message, model: string) => number
    /** MAIA's sum over system prompt, tools, messages and pending texts; costs what is new since the last time. */
    readonly context: (input: ContextInput) => ContextCount
    /**
     * The same, exact where it matters: the vocabulary is loaded only if the context may reach `limit` tokens. Short runs
     * never load it.
     */
    readonly contextUpTo: (input: ContextInput, limit: number) => Effect.Effect<ContextCount>
  }
>()("maia/context/TokenCounter") {
  static readonly layer: Layer.Layer<TokenCounter, never, FileSystem.FileSystem> = Layer.effect(
    TokenCounter,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const scope = yield* Effect.scope
      const counts = new Counts()
      const load = Effect.tryPromise(vocabularyFile).pipe(
        Effect.flatMap((file) => fs.readFile(file)),
        Effect.map((packed) => counts.use(new Vocabulary(packed))),
        Effect.ignore
      )
      // In a fiber of its own: someone who gives up waiting must not stop it for the others.
      const loading = yield* Effect.cached(Effect.forkIn(load, scope))
      const ready = Effect.flatMap(loading, Fiber.await).pipe(Effect.asVoid)
      const count = Effect.fnUntraced(function* (text: string) {
        yield* ready
        const { exact } = counts
        if (exact === undefined) return estimateTokens(text)
        let tokens = 0
        for (let at = 0; at < text.length;) {
          const some = exact.countSome(text, at, SLICE)
          tokens += some.tokens
          at = some.end
          if (at < text.length) yield* Effect.yieldNow
        }
        return tokens
      })
      const contextUpTo = Effect.fnUntraced(function* (input: ContextInput, limit: number) {
        const first = counts.context(input)
        if (first.exact || first.tokens * ESTIMATE_MARGIN < limit) return first
        yield* ready
        return counts.context(input)
      })
      return TokenCounter.of({
        ready,
        warm: Effect.asVoid(loading),
        isExact: () => counts.exact !== undefined,
        countNow: (text) => counts.text(text),
        count,
        message: (message, model) => counts.message(message, model),
        context: (input) => counts.context(input),
        contextUpTo
      })
    })
  )
}

interface Counted {
  readonly tokens: number
  readonly exact: boolean
}

/** The counts so far. An estimate is made exact when it is met again after loading. */
class Counts {
  exact: BytePairCounter | undefined
  private readonly messages = new WeakMap<Message, Counted>()
  private readonly attachments = new WeakMap<Attachment, Map<string, Counted>>()
  private readonly tools = new WeakMap<ReadonlyArray<ToolSpec>, Counted>()
  private system: { readonly text: string; readonly counted: Counted } | undefined

  use(vocabulary: Vocabulary): void {
    this.exact = new BytePairCounter(vocabulary)
  }

  text(text: string): number {
    return this.exact === undefined ? estimateTokens(text) : this.exact.count(text)
  }

  message(message: Message, model: string): number {
    const known = this.messages.get(message)
    const counted = this.isCurrent(known) ? known : this.counted(this.messageText(message))
    if (counted !== known) this.messages.set(message, counted)
    if (message.role === "assistant" || message.attachments === undefined) return counted.tokens
    return message.attachments.reduce((sum, attachment) => sum + this.attachment(attachment, model), counted.tokens)
  }

  context(input: ContextInput): ContextCount {
    let tokens = this.systemTokens(input.system) + this.toolTokens(input.tools)
    for (const message of input.messages) tokens += this.message(message, input.model)
    for (const pending of input.pending ?? []) tokens += this.text(pending)
    return { tokens, exact: this.exact !== undefined }
  }

  private isCurrent(known: Counted | undefined): known is Counted {
    return known !== undefined && (known.exact || this.exact === undefined)
  }

  private counted(tokens: number): Counted {
    return { tokens, exact: this.exact !== undefined }
  }

  private messageText(message: Message): number {
    let tokens = MESSAGE_TOKENS + this.text(message.text)
    if (message.role !== "assistant") return tokens
    for (const call of message.toolCalls) tokens += this.text(call.name) + this.text(call.arguments)
    return tokens
  }

  private attachment(attachment: Attachment, model: string): number {
    const family = imageFamily(model)
    const byFamily = this.attachments.get(attachment) ?? new Map<string, Counted>()
    const known = byFamily.get(family)
    if (this.isCurrent(known)) return known.tokens
    const counted = this.counted(attachmentTokens(attachment, family, (text) => this.text(text)))
    byFamily.set(family, counted)
    this.attachments.set(attachment, byFamily)
    return counted.tokens
  }

  private systemTokens(text: string): number {
    const known = this.system
    if (known !== undefined && known.text === text && this.isCurrent(known.counted)) return known.counted.tokens
    const counted = this.counted(this.text(text))
    this.system = { text, counted }
    return counted.tokens
  }

  private toolTokens(tools: ReadonlyArray<ToolSpec>): number {
    const known = this.tools.get(tools)
    if (this.isCurrent(known)) return known.tokens
    const counted = this.counted(tools.length === 0 ? 0 : this.text(JSON.stringify(tools)))
    this.tools.set(tools, counted)
    return counted.tokens
  }
}
