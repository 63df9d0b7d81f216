/**
 * Standard output and standard error of maia (spec 02 "Headless", field case H1): every byte arrives, however slow the
 * reader; the layer's scope closes only when all is written. Nothing else may write to either while this is used.
 */
import { Context, Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as tty from "node:tty"
import { makeDescriptorWriter } from "./descriptorWriter.ts"

export class Output extends Context.Service<
  Output,
  {
    /**
     * Returns as soon as the text is queued; waits while more than 1 MiB is. When the reader has gone (`| head`), the
     * calling fiber is interrupted: there is nobody left to work for.
     */
    readonly out: (text: string) => Effect.Effect<void>
    /** The same for standard error; a reader that has gone is ignored. */
    readonly err: (text: string) => Effect.Effect<void>
    /** Waits until everything given so far is written, or cannot be. */
    readonly drain: Effect.Effect<void>
    readonly outIsTerminal: boolean
    readonly errIsTerminal: boolean
  }
>()("maia/process/Output") {
  static readonly layer = Layer.effect(
    Output,
    Effect.suspend(() => makeOutput(1, 2))
  )
}

const maxPending = 1024 * 1024

/** `Output` on two descriptors; scoped: drains at the end. */
export const makeOutput = Effect.fnUntraced(function* (stdout: number, stderr: number) {
  const outWriter = makeDescriptorWriter()
  // On one terminal or in one file the order of both counts; else a slow reader of one must not hold up the other.
  const errWriter = isSameFile(stdout, stderr) ? outWriter : makeDescriptorWriter()

  const below = (writer: typeof outWriter, characters: number): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const takeBack = writer.whenBelow(characters, () => resume(Effect.void))
      return Effect.sync(takeBack)
    })

  const drain = Effect.andThen(below(outWriter, 1), below(errWriter, 1))

  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      yield* drain
      const failure = outWriter.failure(stdout)
      if (failure === undefined || isGone(failure)) return
      errWriter.write(stderr, `maia: standard output: ${failure}\n`)
      process.exitCode = 1
      yield* drain
    })
  )

  return Output.of({
    out: (text) =>
      Effect.suspend(() => {
        if (outWriter.failure(stdout) !== undefined) return Effect.interrupt
        outWriter.write(stdout, text)
        return outWriter.pending() > maxPending ? below(outWriter, maxPending) : Effect.void
      }),
    err: (text) =>
      Effect.suspend(() => {
        errWriter.write(stderr, text)
        return errWriter.pending() > maxPending ? below(errWriter, maxPending) : Effect.void
      }),
    drain,
    outIsTerminal: tty.isatty(stdout),
    errIsTerminal: tty.isatty(stderr)
  })
})

/** The reader has gone, or the terminal was closed. */
const isGone = (failure: string): boolean => ["EPIPE", "ECONNRESET", "EIO", "EBADF"].includes(failure)

const isSameFile = (first: number, second: number): boolean => {
  try {
    const one = fs.fstatSync(first)
    const other = fs.fstatSync(second)
    return one.dev === other.dev && one.ino === other.ino
  } catch {
    return false
  }
}
