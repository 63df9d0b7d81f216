/**
 * JSON-RPC 2.0 with one other side: requests by number, notifications, answers to what it asks. Own, because it is small and
 * must outlive what servers do to it; knows nothing of language servers.
 */
import { Effect, Option, Schema } from "effect"
import { encodeMessage, MessageReader } from "./framing.ts"

/** A request that brought nothing; `message` is a clause for the model. */
export class LspFailure extends Schema.TaggedError<LspFailure>()("LspFailure", { message: Schema.String }) {}

const Message = Schema.Struct({
  id: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))),
  method: Schema.optionalKey(Schema.String),
  params: Schema.optionalKey(Schema.Unknown),
  result: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Struct({ message: Schema.String }))
})
type Message = typeof Message.Type

const METHOD_NOT_FOUND = -32_601

export interface RpcHandlers {
  /** What the other side asks, by method; another one is told that there is none. */
  readonly answers: Readonly<Record<string, (params: unknown) => unknown>>
  readonly notified: (method: string, params: unknown) => void
}

export class JsonRpc {
  private readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  private readonly handlers: RpcHandlers
  private readonly reader = new MessageReader()
  private readonly waiting = new Map<number, (answer: Effect.Effect<unknown, LspFailure>) => void>()
  private lastId = 0

  constructor(write: (bytes: Uint8Array) => Effect.Effect<void>, handlers: RpcHandlers) {
    this.write = write
    this.handlers = handlers
  }

  notify(method: string, params: unknown): Effect.Effect<void> {
    return this.write(encodeMessage({ jsonrpc: "2.0", method, params }))
  }

  /** The answer, unchecked. Interruption tells the other side that nobody waits any more. */
  request(method: string, params: unknown): Effect.Effect<unknown, LspFailure> {
    return Effect.suspend(() => {
      const id = ++this.lastId
      const answered = Effect.callback<unknown, LspFailure>((resume) => {
        this.waiting.set(id, resume)
        return Effect.suspend(() => {
          this.waiting.delete(id)
          return this.notify("$/cancelRequest", { id })
        })
      })
      return Effect.andThen(this.write(encodeMessage({ jsonrpc: "2.0", id, method, params })), answered)
    })
  }

  /** Takes bytes of the other side, and answers what it asks. */
  receive(bytes: Uint8Array): Effect.Effect<void> {
    return Effect.suspend(() => {
      const replies: Array<unknown> = []
      for (const raw of this.reader.push(bytes)) {
        const message = Schema.decodeUnknownOption(Message)(raw)
        if (Option.isSome(message)) this.take(message.value, replies)
      }
      return Effect.forEach(replies, (reply) => this.write(encodeMessage(reply)), { discard: true })
    })
  }

  private take({ error, id, method, params, result }: Message, replies: Array<unknown>): void {
    if (method === undefined) {
      const resume = typeof id === "number" ? this.waiting.get(id) : undefined
      if (typeof id === "number") this.waiting.delete(id)
      resume?.(error === undefined ? Effect.succeed(result) : Effect.fail(new LspFailure({ message: error.message })))
      return
    }
    if (id === undefined || id === null) {
      this.handlers.notified(method, params)
      return
    }
    const answer = this.handlers.answers[method]
    replies.push(
      answer === undefined
        ? { jsonrpc: "2.0", id, error: { code: METHOD_NOT_FOUND, message: `no ${method}` } }
        : { jsonrpc: "2.0", id, result: answer(params) }
    )
  }
}
