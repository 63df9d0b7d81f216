/**
 * Threads that answer messages: one message to a fresh thread, or one after the other to the same. `Worker` is not in Effect's node layer in a form that a compiled
 * executable can load. A thread is ended with the effect or the scope, whatever it is doing.
 */
import { Effect, Schema, type Scope } from "effect"
import { isCompiled } from "./selfCommand.ts"

export class WorkerThreadError extends Schema.TaggedError<WorkerThreadError>()("WorkerThreadError", {
  message: Schema.String
}) {}

export interface WorkerEntry {
  /** The entry's source beside its caller: `new URL("./x.ts", import.meta.url)`. */
  readonly source: URL
  /** The entry's path from `src/`: in the executable everything is at the root of one virtual folder. */
  readonly fromSrc: string
}

/** A thread that is asked one thing after the other. */
export interface WorkerThread {
  /**
   * The answer is not checked. Interruption ends the thread, even one that never yields; the next question starts another.
   * One question at a time.
   */
  readonly ask: (message: unknown) => Effect.Effect<unknown, WorkerThreadError>
}

/** The thread is started by the first question and ended with the scope. */
export const makeWorkerThread = (entry: WorkerEntry): Effect.Effect<WorkerThread, never, Scope.Scope> =>
  Effect.gen(function* () {
    let worker: Worker | undefined
    let answer: (answered: Effect.Effect<unknown, WorkerThreadError>) => void = () => {}
    const end = () => {
      worker?.terminate()
      worker = undefined
      answer = () => {}
    }
    const start = (): Worker => {
      const made = new Worker(locate(entry))
      made.addEventListener("message", (event: MessageEvent<unknown>) => {
        // One that was ended may still have spoken.
        if (made === worker) answer(Effect.succeed(event.data))
      })
      made.addEventListener("error", (event) => {
        event.preventDefault()
        if (made !== worker) return
        answer(Effect.fail(new WorkerThreadError({ message: event.message })))
        end()
      })
      return made
    }
    yield* Effect.addFinalizer(() => Effect.sync(end))
    return {
      ask: (message) =>
        Effect.callback((resume) => {
          try {
            worker ??= start()
          } catch (cause) {
            resume(Effect.fail(new WorkerThreadError({ message: String(cause) })))
            return
          }
          answer = resume
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, only windows do
          worker.postMessage(message)
          return Effect.sync(end)
        })
    }
  })

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
  isCompiled(source.href) ? new URL(`./${fromSrc}`, source) : source
