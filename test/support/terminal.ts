/**
 * A program in a real pseudo terminal whose screen is read from a terminal emulator, as a person would see it. Answers the
 * program's questions as a terminal does. Nothing here waits on a clock: a wait ends when the screen shows what is wanted.
 */
import xterm from "@xterm/headless"
import { Effect, type Scope } from "effect"

export interface TerminalOptions {
  readonly columns?: number
  readonly rows?: number
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface TerminalProgram {
  /** Rows of the window, without blanks at their ends. */
  readonly screen: () => ReadonlyArray<string>
  /** What scrolled out of the window, then the window; without empty rows at the end. */
  readonly lines: () => ReadonlyArray<string>
  /** Column and row from the window's first cell. */
  readonly cursor: () => { readonly column: number; readonly row: number }
  /** All that the program wrote. */
  readonly raw: () => string
  /** What the keyboard sends, as one write. */
  readonly send: (keys: string | Uint8Array) => void
  readonly resize: (columns: number, rows: number) => void
  /** The terminal edits lines and echoes, as it did before the program was started. */
  readonly isCooked: () => boolean
  /** Until the program has written something after which `holds` is true; fails the test after 15 s. */
  readonly until: (what: string, holds: (program: TerminalProgram) => boolean) => Effect.Effect<void>
  /** Until a text stands somewhere in the window. */
  readonly shows: (text: string) => Effect.Effect<void>
  /** Until a text stands nowhere in the window. */
  readonly hides: (text: string) => Effect.Effect<void>
  readonly exit: Effect.Effect<number>
  readonly pid: number
  readonly kill: (signal: NodeJS.Signals) => void
}

const PATIENCE = "15 seconds"

/**
 * Bun gives the program a terminal, but not as the one that controls it: without that there is no job control, no signal for
 * a resize or a hang-up, and Ctrl+Z of the program would stop the tests.
 */
const AS_SESSION: ReadonlyArray<string> = process.platform === "linux" ? ["setsid", "-c"] : []

export const openTerminal = (
  command: ReadonlyArray<string>,
  options: TerminalOptions
): Effect.Effect<TerminalProgram, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => start(command, options)),
      ({ close }) => Effect.promise(close)
    ),
    ({ program }) => program
  )

const start = (command: ReadonlyArray<string>, { columns = 80, cwd, env, rows = 24 }: TerminalOptions) => {
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 20_000 })
  const decoder = new TextDecoder()
  let raw = ""
  const watchers = new Set<() => void>()
  const told = (): void => {
    for (const watch of watchers) watch()
  }
  const pty = new Bun.Terminal({
    cols: columns,
    rows,
    data: (_terminal, bytes) => {
      raw += decoder.decode(bytes, { stream: true })
      // The callback comes when the emulator has drawn it.
      emulator.write(bytes.slice(), told)
    }
  })
  emulator.onData((answer) => pty.write(answer))
  const { localFlags } = pty
  const child = Bun.spawn([...AS_SESSION, ...command], { terminal: pty, cwd, env: { TERM: "xterm-256color", ...env } })

  const row = (at: number): string => emulator.buffer.active.getLine(at)?.translateToString(true) ?? ""
  const rowsFrom = (first: number): ReadonlyArray<string> =>
    Array.from({ length: emulator.buffer.active.length - first }, (_, at) => row(first + at))

  const until = (what: string, holds: (program: TerminalProgram) => boolean): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      const watch = (): void => {
        if (!holds(program)) return
        watchers.delete(watch)
        resume(Effect.void)
      }
      watchers.add(watch)
      watch()
      return Effect.sync(() => watchers.delete(watch))
    }).pipe(
      Effect.timeoutOrElse({
        duration: PATIENCE,
        orElse: () => Effect.die(new Error(`never came: ${what}\n${program.lines().join("\n")}`))
      })
    )

  const program: TerminalProgram = {
    screen: () => rowsFrom(emulator.buffer.active.baseY),
    lines: () => {
      const all = rowsFrom(0)
      return all.slice(0, all.findLastIndex((line) => line !== "") + 1)
    },
    cursor: () => ({ column: emulator.buffer.active.cursorX, row: emulator.buffer.active.cursorY }),
    raw: () => raw,
    send: (keys) => void pty.write(keys),
    resize: (width, height) => {
      pty.resize(width, height)
      emulator.resize(width, height)
    },
    isCooked: () => pty.localFlags === localFlags,
    until,
    shows: (text) => until(`"${text}" on the screen`, ({ screen }) => screen().some((line) => line.includes(text))),
    hides: (text) => until(`"${text}" gone`, ({ screen }) => !screen().some((line) => line.includes(text))),
    exit: Effect.promise(() => ended()),
    pid: child.pid,
    kill: (signal) => child.kill(signal)
  }
  /** The code, once the last of what was written is on the screen too. */
  const ended = async (): Promise<number> => {
    const code = await child.exited
    await new Promise<void>((resolve) => void setImmediate(resolve))
    await new Promise<void>((resolve) => emulator.write("", resolve))
    return code
  }
  const close = async (): Promise<void> => {
    child.kill("SIGKILL")
    await child.exited
    pty.close()
  }
  return { program, close }
}
