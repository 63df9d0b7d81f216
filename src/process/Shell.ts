/**
 * Runs bash commands (spec 02 Bash, fixed points 7, 8 and 12; field cases E1 to E11). A command gets its own session and
 * process group, a standard input that is at its end, and one output file; it is waited for, never its descriptors. It
 * ends with maia, whatever ends maia (`supervisor.ts`). It runs in the `Sandbox` that the composition provides.
 *
 * Decides nothing about permissions and shows nothing: callers hand on a command that was approved.
 */
import { Clock, Context, Effect, Exit, Layer, Result } from "effect"
import { Config } from "../config/Config.ts"
import { findBash, noBash } from "./findBash.ts"
import { findProgram } from "./findProgram.ts"
import {
  capture,
  type CapturedOutput,
  closeOutput,
  createOutputFile,
  inputFile,
  nearestExistingFolder,
  type OutputFile,
  removeOldOutputs,
  removeOutput,
  sizeOf
} from "./outputFile.ts"
import { leftoverNotes } from "./leftoverNotes.ts"
import { groupExists, type Leftovers, leftovers } from "./processTable.ts"
import { progressReader } from "./progressReader.ts"
import { endSession, leftAfterExit, type RunningCommand, type ShellExit, spawnCommand } from "./runningCommand.ts"
import { Sandbox } from "./sandbox/Sandbox.ts"
import { shellEnvironment } from "./shellEnvironment.ts"
import { makeSupervisor, registerAndBecome } from "./supervisor.ts"

export type ShellStatus =
  | ShellExit
  | { readonly kind: "timedOut"; readonly seconds: number }
  | { readonly kind: "interrupted" }
  | { readonly kind: "tooMuchOutput"; readonly bytes: number }
  | { readonly kind: "couldNotStart"; readonly reason: string }

export interface ShellRequest {
  readonly command: string
  /** Absolute; the launch folder when left out. */
  readonly cwd?: string
  /** 120 when left out. */
  readonly timeoutSeconds?: number
  /** Told the output file as soon as the command runs. */
  readonly started?: (file: string) => Effect.Effect<void>
  /** New output, already reduced to what a terminal would show; about 5 times a second at most. */
  readonly progress?: (text: string) => Effect.Effect<void>
  /** Ends the command when it succeeds, with the status `interrupted` and the output so far. */
  readonly interrupt?: Effect.Effect<unknown>
  /** Bytes read back from each end of the output; 1 MiB when left out. */
  readonly readPerEnd?: number
  /** The user typed it: it runs as in any terminal, also where the model's commands run in a sandbox. */
  readonly outsideSandbox?: boolean
}

/** A program and its arguments, each taken as it is: no shell reads them. */
export interface ProgramRequest extends Omit<ShellRequest, "command"> {
  /** A program without a slash is looked for on PATH, one with a slash from `cwd`. */
  readonly argv: ReadonlyArray<string>
  /** Added to the environment of commands. */
  readonly env?: Readonly<Record<string, string>>
  /** All that it finds on its standard input. */
  readonly input?: string
}

export interface ProgramResult extends ShellResult {
  /** What it wrote to standard error; `output` is standard output alone. */
  readonly errors: CapturedOutput
}

export interface ShellResult {
  readonly status: ShellStatus
  readonly output: CapturedOutput
  /** English sentences about what the reader must know besides the output. */
  readonly notes: ReadonlyArray<string>
  /** Removes the output file; does nothing while a process can still write to it. */
  readonly discard: Effect.Effect<void>
}

/**
 * Variables for commands beside those maia was started with (`.maia/env`, spec 08). Cheap: asked for each command.
 */
export const CommandEnvironment = Context.Reference<Effect.Effect<Readonly<Record<string, string>>>>(
  "maia/process/CommandEnvironment",
  { defaultValue: () => Effect.succeed({}) }
)

export class Shell extends Context.Service<
  Shell,
  {
    /**
     * Runs one command to its end, its time limit or its interruption. Never fails: what went wrong is the status.
     * Interrupting the effect ends the command's whole session first.
     */
    readonly run: (request: ShellRequest) => Effect.Effect<ShellResult>
    /** The same for a program that is started without a shell. */
    readonly runProgram: (request: ProgramRequest) => Effect.Effect<ProgramResult>
  }
>()("maia/process/Shell") {
  static readonly layer = Layer.effect(
    Shell,
    Effect.suspend(() => make)
  )
}

export const defaultTimeoutSeconds = 120
export const maxTimeoutSeconds = 600

const defaultReadPerEnd = 1024 * 1024
/** A command that writes more is ended: it would fill the disk. */
const maxOutputBytes = 512 * 1024 * 1024
/** Milliseconds between two looks at a running command's output. */
const lookEvery = 200
/** Milliseconds for children that are about to end when their shell has ended. */
const exitGrace = 100
/** Milliseconds the supervisor gets to go away at the end. */
const supervisorGrace = 300
/** Outputs of earlier commands are kept this long (milliseconds) and up to this size in all. */
const outputMaxAge = 7 * 24 * 3600 * 1000
const outputsMaxBytes = 1024 * 1024 * 1024

interface Prepared {
  /** Program and arguments. */
  readonly argv: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly notes: ReadonlyArray<string>
  /** Of a program: its input, and its standard error goes to a file of its own. */
  readonly program?: { readonly input: string | undefined }
}

interface Started {
  readonly running: RunningCommand
  readonly file: OutputFile
  readonly errors: OutputFile | undefined
  readonly notes: ReadonlyArray<string>
}

const make = Effect.gen(function* () {
  const config = yield* Config
  const sandbox = yield* Sandbox
  const added = yield* CommandEnvironment
  const supervisor = makeSupervisor()
  const prefix = `${process.pid}-${crypto.randomUUID().slice(0, 8)}`
  /** By session id: commands that run, and those whose children still do (with the groups seen last). */
  const live = new Map<number, RunningCommand>()
  const lingering = new Map<number, ReadonlyArray<number>>()
  let bash: string | undefined
  let count = 0
  let closed = false

  const forget = (running: RunningCommand): void => {
    live.delete(running.pid)
    lingering.delete(running.pid)
    supervisor.forget(running.pid)
  }

  const settle = (running: RunningCommand, left: Leftovers): void => {
    if (left.inside.length === 0) forget(running)
    else lingering.set(running.pid, [...new Set(left.inside.map((entry) => entry.group))])
  }

  /** Ids of processes are used again: a session that has ended must not be remembered. */
  const forgetEnded = (): void => {
    for (const [session, groups] of lingering) {
      const running = live.get(session)
      if (running !== undefined && !groups.some(groupExists)) settle(running, leftovers(running, false))
    }
  }

  /** What to start. Fails with the reason for which nothing can or may run. */
  const prepare = Effect.fnUntraced(function* (request: ShellRequest): Effect.fn.Return<Prepared, string> {
    bash ??= findBash(config)
    if (bash === undefined) return yield* Effect.fail(noBash(config.platform))
    const wanted = request.cwd ?? config.launchFolder
    const cwd = nearestExistingFolder(wanted)
    const notes = cwd === wanted ? [] : [`The folder ${wanted} no longer exists; the command ran in ${cwd}.`]
    const plain = [bash, "--noprofile", "--norc", "-c", withReopenableOutput(request.command), "bash"]
    const env = { ...config.env, ...(yield* added) }
    return { argv: yield* wrapped(request, plain, cwd), cwd, env, notes }
  })

  const prepareProgram = Effect.fnUntraced(function* (request: ProgramRequest): Effect.fn.Return<Prepared, string> {
    const cwd = request.cwd ?? config.launchFolder
    const env = { ...config.env, ...(yield* added), ...request.env }
    const [name = "", ...args] = request.argv
    const found = findProgram(name, { path: env["PATH"], cwd, platform: config.platform })
    if ("problem" in found) return yield* Effect.fail(found.problem)
    const argv = yield* wrapped(request, [found.program, ...args], cwd)
    return { argv, cwd, env, notes: [], program: { input: request.input } }
  })

  const wrapped = (
    { outsideSandbox }: Pick<ShellRequest, "outsideSandbox">,
    argv: ReadonlyArray<string>,
    cwd: string
  ): Effect.Effect<ReadonlyArray<string>, string> =>
    outsideSandbox === true
      ? Effect.succeed(argv)
      : sandbox.wrap(argv, cwd).pipe(
          Effect.map((command) => command.argv),
          Effect.mapError((error) => error.message)
        )

  /** Throws when the command cannot be started. */
  const start = ({ argv, cwd, env, notes, program }: Prepared, now: number): Started => {
    if (closed) throw new Error("maia is ending")
    forgetEnded()
    const name = `${prefix}-${++count}`
    const file = createOutputFile(config.outputDir, `bash-${name}.log`)
    let errors: OutputFile | undefined
    let input: OutputFile | undefined
    const mark = `MAIA_COMMAND=${name}`
    const lifeline = config.platform === "win32" ? undefined : supervisor.lifeline(live.keys())
    try {
      if (program !== undefined) errors = createOutputFile(config.outputDir, `bash-${name}-errors.log`)
      if (program?.input !== undefined) input = inputFile(config.outputDir, `bash-${name}-input.log`, program.input)
      const running = spawnCommand({
        command: lifeline === undefined ? argv : ["/bin/sh", "-c", registerAndBecome, "sh", ...argv],
        cwd,
        env: shellEnvironment(env, { MAIA_COMMAND: name, PWD: cwd }),
        mark,
        output: file.descriptor,
        errors: errors?.descriptor,
        input: input?.descriptor,
        lifeline,
        startedAt: now
      })
      live.set(running.pid, running)
      return { running, file, errors, notes }
    } catch (error) {
      for (const made of [file, errors]) discardOutput(made)
      throw error
    } finally {
      if (input !== undefined) closeOutput(input)
    }
  }

  const stop = (started: Started): Effect.Effect<Leftovers> =>
    endSession(started.running).pipe(Effect.tap((left) => Effect.sync(() => settle(started.running, left))))

  const abandon = (started: Started): Effect.Effect<void> =>
    Effect.map(stop(started), () => {
      for (const made of [started.file, started.errors]) discardOutput(made)
    })

  /** Waits for what ends the command first. */
  const watch = Effect.fnUntraced(function* (
    request: Omit<ShellRequest, "command">,
    { running, file, errors }: Started
  ) {
    const seconds = request.timeoutSeconds ?? defaultTimeoutSeconds
    const ending: Effect.Effect<ShellExit | "interrupted"> =
      request.interrupt === undefined
        ? running.exited
        : Effect.raceFirst(running.exited, Effect.as(request.interrupt, "interrupted" as const))
    const report = request.progress === undefined ? undefined : progressReader(file.descriptor, request.progress)
    for (let left = seconds * 1000; ;) {
      const pause = Math.min(left, lookEvery)
      const ended = yield* Effect.timeoutOption(ending, pause)
      if (ended._tag === "Some") return ended.value
      left -= pause
      if (left <= 0) return "timedOut"
      if (sizeOf(file.descriptor) + (errors === undefined ? 0 : sizeOf(errors.descriptor)) > maxOutputBytes) {
        return "tooMuchOutput"
      }
      if (report !== undefined) yield* report
    }
  })

  const finish = Effect.fnUntraced(function* (request: Omit<ShellRequest, "command">, started: Started) {
    const { running, file, errors } = started
    const ended = yield* watch(request, started)
    let status: ShellStatus
    let left: Leftovers
    if (typeof ended === "string") {
      left = yield* stop(started)
      if (ended === "timedOut") status = { kind: ended, seconds: request.timeoutSeconds ?? defaultTimeoutSeconds }
      else if (ended === "tooMuchOutput") status = { kind: ended, bytes: maxOutputBytes }
      else status = { kind: ended }
    } else {
      status = ended
      left = yield* leftAfterExit(running, exitGrace)
      settle(running, left)
    }
    const perEnd = request.readPerEnd ?? defaultReadPerEnd
    const output = capture(file, perEnd)
    closeOutput(file)
    const written = errors === undefined ? nothingWritten : capture(errors, perEnd)
    if (errors !== undefined) discardOutput(errors)
    const quiet = left.inside.length === 0 && left.outside.length === 0
    const notes = quiet ? started.notes : [...started.notes, ...leftoverNotes(left)]
    const discard = quiet ? Effect.sync(() => removeOutput(file.path)) : Effect.void
    return { status, output, errors: written, notes, discard } satisfies ProgramResult
  })

  const runPrepared = Effect.fnUntraced(function* (
    request: Omit<ShellRequest, "command">,
    preparing: Effect.Effect<Prepared, string>
  ) {
    const prepared = yield* Effect.result(preparing)
    if (Result.isFailure(prepared)) return notStarted(prepared.failure)
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.uninterruptibleMask((restore) => {
      let started: Started
      try {
        started = start(prepared.success, now)
      } catch (error) {
        return Effect.succeed(notStarted(error))
      }
      const told = request.started?.(started.file.path) ?? Effect.void
      return Effect.onExit(restore(Effect.andThen(told, finish(request, started))), (exit) =>
        Exit.isSuccess(exit) ? Effect.void : abandon(started)
      )
    })
  })

  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      closed = true
      yield* Effect.forEach([...live.values()], (running) => endSession(running), {
        concurrency: "unbounded",
        discard: true
      })
      live.clear()
      yield* Effect.timeoutOption(
        Effect.promise(() => supervisor.close()),
        supervisorGrace
      )
      if (count > 0) removeOldOutputs(config.outputDir, yield* Clock.currentTimeMillis, outputMaxAge, outputsMaxBytes)
    })
  )

  const run = Effect.fn("Shell.run")(function* (request: ShellRequest): Effect.fn.Return<ShellResult> {
    return yield* runPrepared(request, prepare(request))
  })

  const runProgram = Effect.fn("Shell.runProgram")((request: ProgramRequest) =>
    runPrepared(request, prepareProgram(request))
  )

  return Shell.of({ run, runProgram })
})

const nothingWritten: CapturedOutput = { size: 0, head: new Uint8Array(), tail: undefined, path: "" }

const notStarted = (error: unknown): ProgramResult => {
  const reason = error instanceof Error ? error.message : String(error)
  const status = { kind: "couldNotStart", reason } as const
  return { status, output: nothingWritten, errors: nothingWritten, notes: [], discard: Effect.void }
}

const discardOutput = (file: OutputFile | undefined): void => {
  if (file === undefined) return
  closeOutput(file)
  removeOutput(file.path)
}

/**
 * `> /dev/stderr` opens the output anew, which would empty a file: such a command writes through a pipe. The second bash
 * does not know of `cat`, so a bare `wait` does not wait for it.
 */
const withReopenableOutput = (command: string): string =>
  /\/dev\/(std(out|err)|fd\/[12])\b|\/proc\/(self|\$\$)\/fd\//.test(command)
    ? `exec > >(exec cat) 2>&1; exec "$BASH" --noprofile --norc -c '${command.replaceAll("'", "'\\''")}' bash`
    : command
