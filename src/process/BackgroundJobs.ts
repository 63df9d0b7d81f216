/**
 * Commands that run on while the model does something else (spec 02 Bash, `run_in_background`). Each job is a fiber of
 * the session's scope around `Shell.run`, so the end of the session ends them all. Output is read from the job's file,
 * each part once.
 */
import { Context, Deferred, Effect, Fiber, Layer, Schema, Scope, Semaphore } from "effect"
import { decodeOutput } from "./decodeOutput.ts"
import { readNewOutput } from "./outputFile.ts"
import { Shell, type ShellStatus } from "./Shell.ts"
import { reduceTerminalText } from "./terminalText.ts"

export interface Job {
  readonly id: string
  readonly command: string
  /** Holds its whole output. */
  readonly file: string
  /** Undefined while it runs. */
  readonly status: ShellStatus | undefined
  /** What to know besides the output, in English; once it has ended. */
  readonly notes: ReadonlyArray<string>
}

export interface JobOutput extends Job {
  /** New since the last read, as a terminal would show it. */
  readonly text: string
  /** Bytes of new output left out in the middle of a very long one; the file has them. */
  readonly skippedBytes: number
}

export class UnknownJob extends Schema.TaggedError<UnknownJob>()("UnknownJob", {
  id: Schema.String,
  known: Schema.Array(Schema.String)
}) {}

export class JobNotStarted extends Schema.TaggedError<JobNotStarted>()("JobNotStarted", { reason: Schema.String }) {}

export class BackgroundJobs extends Context.Service<
  BackgroundJobs,
  {
    /** Without a time limit. Returns once the command runs. */
    readonly start: (command: string) => Effect.Effect<Job, JobNotStarted>
    readonly read: (id: string) => Effect.Effect<JobOutput, UnknownJob>
    readonly list: Effect.Effect<ReadonlyArray<Job>>
    /** Ends the job with all its processes; the job that had ended before is only returned. */
    readonly kill: (id: string) => Effect.Effect<Job, UnknownJob>
  }
>()("maia/process/BackgroundJobs") {
  static readonly layer = Layer.effect(
    BackgroundJobs,
    Effect.suspend(() => make)
  )
}

/** Bytes read at once from each end of new output. */
const readPerEnd = 512 * 1024

interface Entry {
  readonly id: string
  readonly command: string
  readonly file: string
  readonly stop: Deferred.Deferred<void>
  readonly fiber: Fiber.Fiber<unknown>
  /** One reader at a time: each part is given once. */
  readonly reading: Semaphore.Semaphore
  offset: number
  status: ShellStatus | undefined
  notes: ReadonlyArray<string>
}

const make = Effect.gen(function* () {
  const shell = yield* Shell
  const scope = yield* Scope.Scope
  const entries = new Map<string, Entry>()
  let count = 0

  const find = (id: string): Effect.Effect<Entry, UnknownJob> =>
    Effect.suspend(() => {
      const entry = entries.get(id)
      return entry === undefined
        ? Effect.fail(new UnknownJob({ id, known: [...entries.keys()] }))
        : Effect.succeed(entry)
    })

  const start = Effect.fn("BackgroundJobs.start")(function* (command: string) {
    const id = `bash_${++count}`
    const began = yield* Deferred.make<string, JobNotStarted>()
    const stop = yield* Deferred.make<void>()
    const running = shell.run({
      command,
      timeoutSeconds: Number.POSITIVE_INFINITY,
      readPerEnd: 0,
      interrupt: Deferred.await(stop),
      started: (file) => Effect.asVoid(Deferred.succeed(began, file))
    })
    const job = Effect.gen(function* () {
      const { status, notes } = yield* running
      if (status.kind === "couldNotStart") {
        yield* Deferred.fail(began, new JobNotStarted({ reason: status.reason }))
        return
      }
      const entry = entries.get(id)
      if (entry === undefined) return
      entry.status = status
      entry.notes = notes
    })
    const fiber = yield* Effect.forkIn(job, scope)
    const file = yield* Deferred.await(began).pipe(Effect.onInterrupt(() => Fiber.interrupt(fiber)))
    const reading = yield* Semaphore.make(1)
    const entry: Entry = { id, command, file, stop, fiber, reading, offset: 0, status: undefined, notes: [] }
    entries.set(id, entry)
    return toJob(entry)
  })

  const read = Effect.fn("BackgroundJobs.read")(function* (id: string) {
    const entry = yield* find(id)
    return yield* entry.reading.withPermit(Effect.sync(() => readEntry(entry)))
  })

  const kill = Effect.fn("BackgroundJobs.kill")(function* (id: string) {
    const entry = yield* find(id)
    yield* Deferred.succeed(entry.stop, undefined)
    yield* Fiber.await(entry.fiber)
    return toJob(entry)
  })

  const list = Effect.sync(() => [...entries.values()].map(toJob))
  return BackgroundJobs.of({ start, read, list, kill })
})

const toJob = ({ id, command, file, status, notes }: Entry): Job => ({ id, command, file, status, notes })

const readEntry = (entry: Entry): JobOutput => {
  const ended = entry.status !== undefined
  const { head, tail, size, skippedBytes } = readNewOutput(entry.file, entry.offset, readPerEnd)
  const last = tail ?? head
  const decodedLast = decodeOutput(last, { cutBefore: tail !== undefined, cutAfter: !ended })
  const pending = decodedLast.kind === "text" ? decodedLast.pending : 0
  const shown = (decoded: typeof decodedLast, bytes: Uint8Array): string =>
    decoded.kind === "text" ? reduceTerminalText(decoded.text) : `[binary output, ${bytes.length} bytes]`
  const text =
    tail === undefined
      ? shown(decodedLast, last)
      : `${shown(decodeOutput(head, { cutAfter: true }), head)}\n[… ${skippedBytes} bytes left out …]\n${shown(decodedLast, last)}`
  entry.offset = size - pending
  return { ...toJob(entry), text, skippedBytes }
}
