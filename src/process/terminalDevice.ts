/**
 * The terminal maia is on (spec 07): raw input, writing, size, Ctrl+Z, and its state given back whatever ends the program.
 * Draws nothing and knows no keys.
 *
 * Raw `process.stdin` and `process.on`: Effect's `Terminal` reads whole keys with its own parser, sees no resize and cannot
 * stop the process.
 */
import { Context, Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as tty from "node:tty"
import { makeDescriptorWriter } from "./descriptorWriter.ts"

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

export class TerminalDevice extends Context.Service<
  TerminalDevice,
  {
    /** Both ends are a terminal. */
    readonly isTerminal: boolean
    readonly size: () => TerminalSize
    /** Queues text; never blocks, never throws. */
    readonly write: (text: string) => void
    /** Characters the terminal has not taken yet. */
    readonly pending: () => number
    /** Waits until everything is written or cannot be. */
    readonly drain: Effect.Effect<void>
    /**
     * Raw mode with `modes.enter` written, until the scope closes; `modes.leave` undoes it, also on exit, crash and when the
     * process is stopped. Bytes are handed on as they come; `onResume` is called after a stop.
     */
    readonly take: (modes: TerminalModes, listeners: TerminalListeners) => Effect.Effect<TakenTerminal>
  }
>()("maia/process/TerminalDevice") {
  static readonly layer = Layer.effect(
    TerminalDevice,
    Effect.sync(() => makeTerminalDevice())
  )
}

export interface TerminalModes {
  /** Keys come one by one; `false` leaves the terminal's own line editing on. */
  readonly raw: boolean
  readonly enter: string
  readonly leave: string
}

export interface TerminalListeners {
  readonly onInput: (bytes: Uint8Array) => void
  readonly onResize: () => void
  /** The terminal hung up, or its input ended. */
  readonly onEnd: () => void
  /** Somebody else asks the process to stop (`kill -TSTP`): give the terminal back, then `stop`. */
  readonly onStop: () => void
  /** It goes on after a stop that nobody could prepare (`kill -STOP`). */
  readonly onContinue: () => void
}

export interface TakenTerminal {
  /** Gives the terminal back while somebody else has it (an editor, the shell after Ctrl+Z). */
  readonly release: () => void
  readonly retake: () => void
  /** Keys one by one and unseen, or lines with the terminal's own editing and echo. */
  readonly setRaw: (on: boolean) => void
  /** Stops this process group as Ctrl+Z does; returns when it goes on. */
  readonly stop: Effect.Effect<void>
  readonly close: Effect.Effect<void>
}

/** Milliseconds after which a process that still runs was not stopped. */
const NOT_STOPPED = 200

const fallback: TerminalSize = { columns: 80, rows: 24 }

const makeTerminalDevice = (): TerminalDevice["Service"] => {
  const writer = makeDescriptorWriter()

  const drain: Effect.Effect<void> = Effect.callback((resume) => {
    const takeBack = writer.whenBelow(1, () => resume(Effect.void))
    return Effect.sync(takeBack)
  })

  const take: TerminalDevice["Service"]["take"] = (modes, listeners) =>
    Effect.sync(() => {
      const { stdin, stdout } = process
      let taken = false
      let closed = false

      const onData = (bytes: Uint8Array | string): void =>
        listeners.onInput(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes)

      const retake = (): void => {
        if (taken || closed) return
        taken = true
        if (modes.raw) setRaw(true)
        writer.write(1, modes.enter)
        stdin.on("data", onData)
        stdin.resume()
      }

      /** Synchronous: also the last thing a dying process does. */
      const release = (): void => {
        if (!taken) return
        taken = false
        stdin.off("data", onData)
        stdin.pause()
        writeNow(modes.leave)
        if (modes.raw) setRaw(false)
      }

      const stop = Effect.callback<void>((resume) => {
        const goOn = (): void => {
          clearTimeout(running)
          process.off("SIGCONT", goOn)
          process.on("SIGTSTP", listeners.onStop)
          resume(Effect.void)
        }
        process.once("SIGCONT", goOn)
        process.off("SIGTSTP", listeners.onStop)
        process.kill(0, "SIGTSTP")
        // Comes while we run only: after the stop, or at once where no shell waits for us and the kernel lets nothing stop.
        const running = setTimeout(goOn, NOT_STOPPED)
        return Effect.sync(() => {
          clearTimeout(running)
          process.off("SIGCONT", goOn)
        })
      })

      const onContinue = (): void => {
        if (!taken) return
        if (modes.raw) {
          // The shell has changed the terminal under a runtime that remembers it as raw.
          setRaw(false)
          setRaw(true)
        }
        writer.write(1, modes.enter)
        listeners.onContinue()
      }

      stdin.on("end", listeners.onEnd)
      stdin.on("error", listeners.onEnd)
      stdout.on("resize", listeners.onResize)
      process.on("SIGTSTP", listeners.onStop)
      process.on("SIGCONT", onContinue)
      process.on("exit", release)
      retake()

      const close = Effect.suspend(() =>
        Effect.andThen(
          drain,
          Effect.sync(() => {
            release()
            closed = true
            stdin.off("end", listeners.onEnd)
            stdin.off("error", listeners.onEnd)
            stdout.off("resize", listeners.onResize)
            process.off("SIGTSTP", listeners.onStop)
            process.off("SIGCONT", onContinue)
            process.off("exit", release)
          })
        )
      )
      return { release, retake, setRaw, stop, close }
    })

  return TerminalDevice.of({
    isTerminal: tty.isatty(0) && tty.isatty(1),
    size: () => {
      const { columns, rows } = process.stdout
      return columns > 0 && rows > 0 ? { columns, rows } : fallback
    },
    write: (text) => writer.write(1, text),
    pending: () => writer.pending(),
    drain,
    take
  })
}

const setRaw = (on: boolean): void => {
  try {
    process.stdin.setRawMode(on)
  } catch {
    // The terminal has gone.
  }
}

/** Tries of the last write of a process: a terminal that is behind takes more in a moment. */
const TRIES = 100

const writeNow = (text: string): void => {
  let rest = Buffer.from(text)
  for (let tries = 0; rest.length > 0 && tries < TRIES; tries++) {
    try {
      rest = rest.subarray(fs.writeSync(1, rest))
    } catch (error) {
      // Full: waits 10 ms. Anything else: the terminal has gone.
      if (!isAgain(error)) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

const isAgain = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EINTR")
