/**
 * Runs maia's main effect and ends the process in an orderly way (spec 02 exit codes, field case E3): SIGINT, SIGTERM and
 * SIGHUP let the turn end or interrupt the main fiber, so that finalizers stop commands and close the session; whoever
 * insists gets out at once, and the supervisor (`supervisor.ts`) then ends what is left.
 *
 * `NodeRuntime.runMain` does not suffice: it ignores SIGHUP, cannot let a turn end by itself, and never gives up waiting.
 */
import { Cause, Context, Deferred, Effect, Exit, Runtime, type Scope } from "effect"
import * as fs from "node:fs"

export class Interrupts extends Context.Service<
  Interrupts,
  {
    /**
     * Succeeds at the first SIGINT, SIGTERM or SIGHUP. While somebody waits for it that signal does nothing else; the
     * next one interrupts the main fiber.
     */
    readonly first: Effect.Effect<void>
    /** Until the scope closes SIGINT calls `handler` and does nothing else: a program with a person in front decides itself. */
    readonly handle: (handler: () => void) => Effect.Effect<void, never, Scope.Scope>
  }
>()("maia/process/Interrupts") {}

/** As a shell reports them: 128 plus the number of the signal. */
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
type EndingSignal = keyof typeof codes
const endingSignals: ReadonlyArray<EndingSignal> = ["SIGINT", "SIGTERM", "SIGHUP"]

/** A reader that has gone ends maia as it ends other programs: 128 plus SIGPIPE. */
const readerGone = 141
/** Milliseconds an asked-for end may take before the main fiber is interrupted, and then before the process exits. */
const turnGrace = 4000
const finalizerGrace = 4000

/** Runs the effect and exits with the code it gives; 1 after a failure or a defect, which is said on stderr. */
export const runMain = <E>(effect: Effect.Effect<number, E, Interrupts>): void => {
  const first = Deferred.makeUnsafe<void>()
  let waiting = 0
  let received: EndingSignal | undefined
  let handler: (() => void) | undefined

  const run = Runtime.makeRunMain(({ fiber, teardown }) => {
    let interrupted = false
    const interrupt = (): void => {
      if (interrupted) process.exit(codes[received ?? "SIGINT"])
      interrupted = true
      fiber.interruptUnsafe(fiber.id)
      setTimeout(() => process.exit(codes[received ?? "SIGINT"]), finalizerGrace).unref()
    }
    const onSignal = (signal: EndingSignal): void => {
      if (signal === "SIGINT" && handler !== undefined) return handler()
      const isFirst = received === undefined
      received ??= signal
      if (!isFirst || waiting === 0) return interrupt()
      Deferred.doneUnsafe(first, Effect.void)
      setTimeout(() => {
        if (!interrupted) interrupt()
      }, turnGrace).unref()
    }
    for (const signal of endingSignals) process.on(signal, () => onSignal(signal))
    fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
  })

  const interrupts = Interrupts.of({
    handle: (wanted) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          handler = wanted
        }),
        () =>
          Effect.sync(() => {
            handler = undefined
          })
      ),
    first: Effect.suspend(() => {
      waiting++
      return Effect.ensuring(
        Deferred.await(first),
        Effect.sync(() => waiting--)
      )
    })
  })

  run(Effect.provideService(effect, Interrupts, interrupts), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(exitCode(exit, received))
  })
}

const exitCode = (exit: Exit.Exit<unknown, unknown>, received: EndingSignal | undefined): number => {
  if (Exit.isSuccess(exit)) {
    const code = typeof exit.value === "number" ? exit.value : 0
    return code === 0 ? Number(process.exitCode ?? 0) : code
  }
  if (Cause.hasInterruptsOnly(exit.cause)) return received === undefined ? readerGone : codes[received]
  try {
    fs.writeSync(2, `maia: ${Cause.pretty(exit.cause)}\n`)
  } catch {
    // Nobody reads standard error.
  }
  return 1
}
