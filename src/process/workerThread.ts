/**
 * One message to a fresh thread and one answer back. `Worker` is not in Effect's node layer in a form that a compiled
 * executable can load. The thread is ended with the effect, whatever it is doing.
 */
import { Effect, Schema } from "effect"

export class WorkerThreadError extends Schema.TaggedError<WorkerThreadError>()("WorkerThreadError", {
  message: Schema.String
}) {}

export interface WorkerEntry {
  /** The entry's source beside its caller: `new URL("./x.ts", import.meta.url)`. */
  readonly source: URL
  /** The entry's path from `src/`: in the executable everything is at the root of one virtual folder. */
  readonly fromSrc: string
}

/** The answer is not checked. Interruption ends the thread, even one that never yields. */
export const askWorker = (entry: WorkerEntry, message: unknown): Effect.Effect<unknown, WorkerThreadError> =>
  Effect.callback((resume) => {
    let worker: Worker
    try {
      worker = new Worker(locate(entry))
    } catch (cause) {
      resume(Effect.fail(new WorkerThreadError({ message: String(cause) })))
      return
    }
    worker.addEventListener("message", (event: MessageEvent<unknown>) => {
      worker.terminate()
      resume(Effect.succeed(event.data))
    })
    worker.addEventListener("error", (event) => {
      event.preventDefault()
      worker.terminate()
      resume(Effect.fail(new WorkerThreadError({ message: event.message })))
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, only windows do
    worker.postMessage(message)
    return Effect.sync(() => worker.terminate())
  })

/** Compiled modules say they are at the root (`/$bunfs/root`, `B:/~BUN/root`) and lose their own folder. */
const locate = ({ source, fromSrc }: WorkerEntry): URL =>
  /\/(?:\$bunfs|%7EBUN|~BUN)\//i.test(source.href) ? new URL(`./${fromSrc}`, source) : source
