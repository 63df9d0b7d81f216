/**
 * Runs the compiled executable as a user would: a temporary home, a temporary launch folder, a scripted server over
 * loopback. The real home is never seen.
 */
import { Effect, Schedule, type Scope } from "effect"
import { spawn, type ChildProcess } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

export const MAIA = resolve(import.meta.dirname, "../../dist/maia")

export interface Sandbox {
  readonly root: string
  readonly home: string
  readonly folder: string
  /** Writes a file of the launch folder. */
  readonly write: (path: string, content: string | Uint8Array) => void
  readonly read: (path: string) => string
  /** Writes a file of the home folder. */
  readonly writeHome: (path: string, content: string | Uint8Array) => void
  /** Writes `~/.maia/settings.json`. */
  readonly settings: (value: unknown) => void
  /** Entries of the newest session file, the header first. */
  readonly session: (name?: string) => ReadonlyArray<Record<string, unknown>>
}

export const sandbox: Effect.Effect<Sandbox, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "maia-e2e-")))
    const home = join(root, "home")
    const folder = join(root, "project")
    mkdirSync(home)
    mkdirSync(folder)
    const put = (path: string, content: string | Uint8Array) => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
    return {
      root,
      home,
      folder,
      write: (path: string, content: string | Uint8Array) => put(join(folder, path), content),
      writeHome: (path: string, content: string | Uint8Array) => put(join(home, path), content),
      read: (path: string) => readFileSync(join(folder, path), "utf8"),
      settings: (value: unknown) => put(join(home, ".maia/settings.json"), JSON.stringify(value, null, 2)),
      session: (name?: string) => {
        const sessions = join(folder, ".maia/.sessions")
        const found =
          name ??
          readdirSync(sessions)
            .filter((file) => file.endsWith(".jsonl"))
            .sort()
            .at(-1)
        const source = readFileSync(join(sessions, String(found).replace(/(\.jsonl)?$/, ".jsonl")), "utf8")
        return source
          .split("\n")
          .filter((line) => line !== "")
          .map((line): Record<string, unknown> => JSON.parse(line))
      }
    }
  }),
  ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

export interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Lines of stdout as JSON (for `stream-json` and `json`). */
  readonly lines: ReadonlyArray<Record<string, unknown>>
}

export interface RunOptions {
  readonly url?: string
  readonly env?: Readonly<Record<string, string>>
  /** Written to stdin; absent: stdin is closed at once. */
  readonly stdin?: string
  /** Stdin is a pipe that whoever gets the process writes to and closes. */
  readonly stdinOpen?: boolean
  /** Passes the process on as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void
  readonly cwd?: string
  /** A command that runs the one given behind it, for example `unshare … sh -c '… exec "$@"' sh`. */
  readonly wrap?: ReadonlyArray<string>
}

export const environment = (box: Sandbox, options: RunOptions = {}): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: box.home,
  LANG: "C.UTF-8",
  ...(options.url === undefined ? {} : { LITELLM_URL: options.url, MAIA_MODEL: "test-model" }),
  ...options.env
})

export const maia = (box: Sandbox, args: ReadonlyArray<string>, options: RunOptions = {}): Effect.Effect<Finished> =>
  Effect.callback<Finished>((resume) => {
    const [command = MAIA, ...words] = [...(options.wrap ?? []), MAIA, ...args]
    const child = spawn(command, words, {
      cwd: options.cwd ?? box.folder,
      env: environment(box, options),
      stdio: [options.stdin === undefined && options.stdinOpen !== true ? "ignore" : "pipe", "pipe", "pipe"]
    })
    const stdout: Array<Buffer> = []
    const stderr: Array<Buffer> = []
    child.stdout?.on("data", (data: Buffer) => stdout.push(data))
    child.stderr?.on("data", (data: Buffer) => stderr.push(data))
    child.on("close", (code, signal) => {
      const text = Buffer.concat(stdout).toString("utf8")
      resume(
        Effect.succeed({
          code,
          signal,
          stdout: text,
          stderr: Buffer.concat(stderr).toString("utf8"),
          get lines() {
            return text
              .split("\n")
              .filter((line) => line !== "")
              .map((line): Record<string, unknown> => JSON.parse(line))
          }
        })
      )
    })
    if (options.stdin !== undefined) child.stdin?.end(options.stdin)
    options.onStart?.(child)
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Lines of one type. */
export const ofType = (finished: Finished, type: string) => finished.lines.filter((line) => line["type"] === type)

/** Processes whose environment says that they belong to this test. */
export const survivors = (mark: string): ReadonlyArray<string> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark)
      } catch {
        return false
      }
    })
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")]
      } catch {
        // Ended just now.
        return []
      }
    })

/** Waits for the kernel and the supervisor to have ended what they were told to end. */
export const noSurvivors = (mark: string) =>
  Effect.sync(() => survivors(mark)).pipe(
    Effect.filterOrFail((left) => left.length === 0),
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 250 }),
    Effect.match({ onFailure: () => survivors(mark), onSuccess: () => [] as ReadonlyArray<string> })
  )
