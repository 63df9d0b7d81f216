/** A run of maia that gets Ctrl+C in the middle of its answer. */
import { Effect, Fiber, type Scope } from "effect"
import type { ChildProcess } from "node:child_process"
import { maia, type Finished, type RunOptions } from "../../e2e/support.ts"
import type { RealSandbox } from "./maiaReal.ts"

/** `ready` waits until the server is at work; the signal is sent once text has come. */
export const interruptedRun = (
  box: RealSandbox,
  prompt: string,
  ready: Effect.Effect<unknown, unknown>,
  options: RunOptions = box.options()
): Effect.Effect<Finished, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const { promise: speaks, resolve } = Promise.withResolvers<void>()
    let child: ChildProcess | undefined
    const running = yield* Effect.forkScoped(
      maia(box, ["run", "-p", prompt, "-o", "stream-json"], {
        ...options,
        onStart: (started) => {
          child = started
          let said = ""
          started.stdout?.on("data", (data: Buffer) => {
            said += data.toString("utf8")
            if (said.includes('"type":"text"')) resolve()
          })
        }
      })
    )
    yield* ready
    yield* Effect.promise(() => speaks)
    child?.kill("SIGINT")
    return yield* Fiber.join(running)
  })
