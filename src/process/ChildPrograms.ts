/**
 * Programs that work for maia as long as it lives and speak with it over stdin and stdout (sub-agents, MCP and language
 * servers). Each is a session of its own: the terminal's Ctrl+C reaches maia only, which decides. None outlives maia, whatever ends it
 * (`supervisor.ts`), nor the scope it was started in. What a program writes is bounded here: a line in length, standard
 * error to its last part.
 *
 * Raw `Bun.spawn`, for the reasons of `runningCommand.ts`. Knows nothing of what the lines say.
 */
import { Context, Effect, Layer, Schema, Stream, type Scope } from "effect"
import { Config } from "../config/Config.ts"
import { LineSplitter, type Line } from "./lineSplitter.ts"
import { membersOf, signalGroups } from "./processTable.ts"
import { killTree, type ShellExit } from "./runningCommand.ts"
import { makeSupervisor, registerAndBecome } from "./supervisor.ts"
import { TextTail } from "./textTail.ts"

export class ChildNotStarted extends Schema.TaggedError<ChildNotStarted>()("ChildNotStarted", {
  message: Schema.String
}) {}

export interface ChildRequest {
  /** Program and arguments. */
  readonly argv: ReadonlyArray<string>
  /** Absolute. */
  readonly cwd: string
  /** Added to the environment maia was started with; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Bytes of one line of standard output. */
  readonly maxLine: number
}

export interface ChildProgram {
  readonly pid: number
  /** Writes one line to its stdin; what a program that has gone does not read is lost. */
  readonly send: (line: string) => Effect.Effect<void>
  /** Writes to its stdin what is no line. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** Closes its stdin. */
  readonly endInput: Effect.Effect<void>
  /** What it writes to stdout, up to its end. To be read once, to the end: a program may wait for its reader. */
  readonly lines: Stream.Stream<Line>
  /** The same as it comes, in place of `lines`, for programs that do not speak in lines. */
  readonly bytes: Stream.Stream<Uint8Array>
  /** Bytes it has written to stdout so far. */
  readonly received: () => number
  readonly exited: Effect.Effect<ShellExit>
  readonly exit: () => ShellExit | undefined
  /** The last part of what it wrote to standard error. */
  readonly errorTail: () => string
  /** SIGKILL to its whole session; returns when nothing of it is left. */
  readonly kill: Effect.Effect<void>
}

export class ChildPrograms extends Context.Service<
  ChildPrograms,
  {
    /** Started in the scope; killed with its session when the scope closes before it has exited. */
    readonly start: (request: ChildRequest) => Effect.Effect<ChildProgram, ChildNotStarted, Scope.Scope>
  }
>()("maia/process/ChildPrograms") {
  static readonly layer = Layer.effect(
    ChildPrograms,
    Effect.suspend(() => make)
  )
}

/** Characters of standard error that are kept. */
const errorTailLength = 4_000
/** Milliseconds after SIGKILL. */
const killGrace = 1_000
/** Milliseconds the supervisor gets to go away at the end. */
const supervisorGrace = 300

const make = Effect.gen(function* () {
  const { env, platform } = yield* Config
  const supervisor = makeSupervisor()
  const live = new Map<number, Spawned>()

  const spawn = (request: ChildRequest): Spawned => {
    const lifeline = platform === "win32" ? undefined : supervisor.lifeline(live.keys())
    const spawned = new Spawned(request, lifeline, { ...env, ...request.env })
    live.set(spawned.pid, spawned)
    return spawned
  }

  const release = (spawned: Spawned): Effect.Effect<void> =>
    Effect.map(spawned.kill, () => {
      live.delete(spawned.pid)
      supervisor.forget(spawned.pid)
    })

  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.forEach([...live.values()], release, { concurrency: "unbounded", discard: true }),
      Effect.timeoutOption(
        Effect.promise(() => supervisor.close()),
        supervisorGrace
      )
    )
  )

  const start = Effect.fn("ChildPrograms.start")(function* (request: ChildRequest) {
    const spawned = yield* Effect.acquireRelease(
      Effect.try({
        try: () => spawn(request),
        catch: (cause) => new ChildNotStarted({ message: cause instanceof Error ? cause.message : String(cause) })
      }),
      release
    )
    yield* Effect.forkScoped(spawned.readErrors)
    return spawned.program
  })

  return ChildPrograms.of({ start })
})

class Spawned {
  readonly pid: number
  private readonly child: Bun.Subprocess<"pipe", "pipe", "pipe">
  private readonly errors = new TextTail(errorTailLength)
  private readonly splitter: LineSplitter
  private readonly listeners = new Set<(exit: ShellExit) => void>()
  private ended: ShellExit | undefined
  private bytes = 0

  /** Throws when it cannot be started. */
  constructor(request: ChildRequest, lifeline: number | undefined, env: Record<string, string | undefined>) {
    this.splitter = new LineSplitter(request.maxLine)
    const argv = lifeline === undefined ? request.argv : ["/bin/sh", "-c", registerAndBecome, "sh", ...request.argv]
    this.child = Bun.spawn([...argv], {
      cwd: request.cwd,
      env,
      stdio: lifeline === undefined ? ["pipe", "pipe", "pipe"] : ["pipe", "pipe", "pipe", lifeline],
      detached: true,
      windowsHide: true,
      onExit: (_child, code, signal) => {
        this.ended = signal === null ? { kind: "exited", code: code ?? 0 } : { kind: "signalled", signal: `${signal}` }
        for (const listener of this.listeners) listener(this.ended)
        this.listeners.clear()
      }
    })
    this.pid = this.child.pid
  }

  get program(): ChildProgram {
    return {
      pid: this.pid,
      send: (line) => this.write((input) => void input.write(`${line}\n`)),
      endInput: this.write((input) => void input.end()),
      write: (bytes) => this.write((input) => void input.write(bytes)),
      lines: this.lines,
      bytes: chunksOf(this.child.stdout),
      received: () => this.bytes,
      exited: this.exited,
      exit: () => this.ended,
      errorTail: () => this.errors.text,
      kill: this.kill
    }
  }

  get readErrors(): Effect.Effect<void> {
    const decoder = new TextDecoder()
    return chunksOf(this.child.stderr).pipe(
      Stream.runForEach((chunk) => Effect.sync(() => this.errors.add(decoder.decode(chunk, { stream: true }))))
    )
  }

  get kill(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      if (process.platform === "win32") {
        if (this.ended === undefined) yield* killTree(this.pid)
        return
      }
      const isGone = () => this.ended !== undefined && membersOf(this.pid).length === 0
      for (let spent = 0, pause = 2; !isGone() && spent < killGrace; pause = Math.min(pause * 2, 50)) {
        signalGroups(membersOf(this.pid), "SIGKILL")
        yield* Effect.sleep(pause)
        spent += pause
      }
    }).pipe(Effect.uninterruptible)
  }

  private get lines(): Stream.Stream<Line> {
    return chunksOf(this.child.stdout).pipe(
      Stream.map((chunk) => {
        this.bytes += chunk.length
        return this.splitter.take(chunk)
      }),
      Stream.flattenIterable
    )
  }

  private get exited(): Effect.Effect<ShellExit> {
    return Effect.callback<ShellExit>((resume) => {
      if (this.ended !== undefined) {
        resume(Effect.succeed(this.ended))
        return undefined
      }
      const listener = (exit: ShellExit): void => resume(Effect.succeed(exit))
      this.listeners.add(listener)
      return Effect.sync(() => this.listeners.delete(listener))
    })
  }

  private write(use: (input: Bun.FileSink) => void): Effect.Effect<void> {
    return Effect.promise(async () => {
      try {
        use(this.child.stdin)
        await this.child.stdin.flush()
      } catch {
        // It has gone: its exit says so.
      }
    })
  }
}

/** A pipe that breaks has ended. */
const chunksOf = (stream: ReadableStream<Uint8Array>): Stream.Stream<Uint8Array> =>
  Stream.fromReadableStream({ evaluate: () => stream, onError: () => "ended" as const }).pipe(
    Stream.catch(() => Stream.empty)
  )
