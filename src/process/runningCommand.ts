/**
 * One started command: its process, its exit, and how to end its whole session (spec 02 Bash, fixed points 7 and 8).
 * Raw `Bun.spawn`: `detached` makes a session (no terminal to ask on), descriptors are handed on by number, and the
 * signal that ended it is known; Effect's child processes offer none of the three.
 */
import { Clock, Effect } from "effect"
import {
  type Leftovers,
  leftovers,
  membersOf,
  nothingLeft,
  type SessionOfCommand,
  signalGroups
} from "./processTable.ts"

export type ShellExit =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "signalled"; readonly signal: string }

export interface RunningCommand extends SessionOfCommand {
  readonly startedAt: number
  /** How the shell ended, once it has. */
  readonly exit: () => ShellExit | undefined
  /** Waits for the shell itself, never for those who hold its output. */
  readonly exited: Effect.Effect<ShellExit>
}

export interface SpawnRequest {
  /** Program and arguments. */
  readonly command: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Record<string, string>
  readonly mark: string
  readonly output: number
  /** Standard error; `output` when left out. */
  readonly errors?: number | undefined
  /** Standard input; at its end when left out. */
  readonly input?: number | undefined
  readonly lifeline: number | undefined
  readonly startedAt: number
}

/** Throws when the program cannot be started. */
export const spawnCommand = (request: SpawnRequest): RunningCommand => {
  const { command, cwd, env, mark, output, errors = output, input = "ignore", lifeline, startedAt } = request
  let exit: ShellExit | undefined
  const listeners = new Set<(exit: ShellExit) => void>()
  const child = Bun.spawn([...command], {
    cwd,
    env,
    stdio: lifeline === undefined ? [input, output, errors] : [input, output, errors, lifeline],
    detached: true,
    windowsHide: true,
    onExit: (_child, code, signal) => {
      exit = signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal: String(signal) }
      for (const listener of listeners) listener(exit)
      listeners.clear()
    }
  })
  const exited = Effect.callback<ShellExit>((resume) => {
    if (exit !== undefined) {
      resume(Effect.succeed(exit))
      return undefined
    }
    const listener = (ended: ShellExit): void => resume(Effect.succeed(ended))
    listeners.add(listener)
    return Effect.sync(() => listeners.delete(listener))
  })
  return { pid: child.pid, mark, startedAt, exit: () => exit, exited }
}

/** Time a group gets between SIGTERM and SIGKILL, and then to be gone. Milliseconds. */
const termGrace = 1000
const killGrace = 500

/**
 * SIGTERM to every group of the command's session, SIGKILL a second later to what is left; returns when nothing is left
 * (or cannot be ended: another user's process). What has made its own session is reported, not touched.
 */
export const endSession = Effect.fnUntraced(function* (command: RunningCommand) {
  if (process.platform === "win32") return yield* endTree(command)
  const gone = (): boolean => command.exit() !== undefined && membersOf(command.pid).length === 0
  signal(command, "SIGTERM")
  if (!(yield* poll(gone, termGrace))) {
    signal(command, "SIGKILL")
    // Again at the end: a process may have been made between the look at the table and the signal.
    if (!(yield* poll(gone, killGrace))) signal(command, "SIGKILL")
  }
  return leftovers(command, false)
}, Effect.uninterruptible)

/** What remains shortly after the shell has ended: whatever is about to end gets `graceMillis` to do so. */
export const leftAfterExit = Effect.fnUntraced(function* (command: RunningCommand, graceMillis: number) {
  if (process.platform === "win32") return nothingLeft
  const quick = (yield* Clock.currentTimeMillis) - command.startedAt < quickMillis
  let left = leftovers(command, quick)
  const isQuiet = () => left.inside.length === 0 && left.outside.length === 0
  if (isQuiet()) return left
  yield* poll(() => {
    left = leftovers(command, quick)
    return isQuiet()
  }, graceMillis)
  return left
})

/** Process ids do not wrap around within this time. */
const quickMillis = 5000

const signal = (command: RunningCommand, name: "SIGTERM" | "SIGKILL"): void => {
  const members = membersOf(command.pid)
  signalGroups(members, name)
  // A stopped process acts on SIGTERM only once it goes on.
  if (name === "SIGTERM") signalGroups(members, "SIGCONT")
}

/** Looks again after 2, 4, 8 … 50 ms; false when the time is over. */
const poll = Effect.fnUntraced(function* (done: () => boolean, millis: number) {
  let spent = 0
  for (let pause = 2; !done(); pause = Math.min(pause * 2, 50)) {
    if (spent >= millis) return false
    yield* Effect.sleep(pause)
    spent += pause
  }
  return true
})

const endTree = Effect.fnUntraced(function* (command: RunningCommand) {
  yield* killTree(command.pid)
  yield* Effect.timeoutOption(command.exited, killGrace)
  return nothingLeft
})

/** Windows has no process groups: `taskkill` walks the tree of children. */
export const killTree = (pid: number): Effect.Effect<void> =>
  Effect.promise(() =>
    Bun.spawn(["taskkill", "/PID", String(pid), "/T", "/F"], { stdio: ["ignore", "ignore", "ignore"] }).exited.then(
      () => undefined,
      () => undefined
    )
  )

export type { Leftovers }
