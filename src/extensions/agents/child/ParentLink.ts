/**
 * The child's end of the conversation with its parent: messages on stdin and stdout. When stdin ends the parent has gone, and
 * so does the child.
 */
import { Deferred, Effect, Stdio, Stream } from "effect"
import { LineSplitter, type Line } from "../../../process/lineSplitter.ts"
import { Output } from "../../../process/stdout.ts"
import { encode, MAX_LINE, parseToChild, type FromChild, type Reply, type Request, type Start } from "../protocol.ts"

export interface ParentLink {
  readonly start: Start
  /** Never comes back when the parent has gone: to be used by what `stopped` ends. */
  readonly request: (request: Request) => Effect.Effect<Reply>
  readonly tell: (message: FromChild) => Effect.Effect<void>
  /** The parent wants an end, or is no more. */
  readonly stopped: Effect.Effect<void>
}

/** Bytes of one line of the parent: a task is no larger. */
const MAX_PARENT_LINE = 64 * 1024 * 1024

/** Waits for the task; undefined where the parent gave none. Reads until the scope closes. */
export const openParentLink = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const output = yield* Output
  const started = yield* Deferred.make<Start | undefined>()
  const stopped = yield* Deferred.make<void>()
  const waiting = new Map<number, Deferred.Deferred<Reply>>()
  const splitter = new LineSplitter(MAX_PARENT_LINE)
  let count = 0

  const receive = (line: Line): Effect.Effect<void> => {
    const message = line === undefined ? undefined : parseToChild(line)
    switch (message?.type) {
      case "start":
        return Effect.asVoid(Deferred.succeed(started, message))
      case "abort":
        return Effect.asVoid(Deferred.succeed(stopped, undefined))
      case "reply": {
        const asked = waiting.get(message.id)
        waiting.delete(message.id)
        return asked === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(asked, message.reply))
      }
      case undefined:
        return Effect.void
    }
  }

  const ended = Effect.andThen(Deferred.succeed(started, undefined), Deferred.succeed(stopped, undefined))
  yield* stdio.stdin.pipe(
    Stream.map((bytes) => splitter.take(bytes)),
    Stream.flattenIterable,
    Stream.runForEach(receive),
    Effect.ignoreCause,
    Effect.ensuring(ended),
    Effect.forkScoped
  )

  const tell = (message: FromChild): Effect.Effect<void> => output.out(`${encode(message)}\n`)

  const request = Effect.fnUntraced(function* (asked: Request) {
    const reply = yield* Deferred.make<Reply>()
    const id = count++
    waiting.set(id, reply)
    yield* tell({ type: "request", id, request: asked })
    return yield* Deferred.await(reply)
  })

  const start = yield* Deferred.await(started)
  if (start === undefined) return undefined
  const link: ParentLink = { start, request, tell, stopped: Deferred.await(stopped) }
  return link
})

/** Whether a request fits into one line. */
export const fits = (request: Request): boolean => JSON.stringify(request).length < MAX_LINE / 4
