/**
 * Starts an MCP server for Effect's client the way maia starts all programs that work for it: in a session of its own that never
 * outlives maia. What it writes passes by here, so that its notices are heard, which the client leaves out.
 */
import { Effect, PlatformError, Sink, Stream } from "effect"
import { ExitCode, make, makeHandle, ProcessId, type ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type { ChildProgram, ChildPrograms, ChildRequest } from "../../process/ChildPrograms.ts"

export interface Listener {
  /** A line of its stdout; undefined for one that was too long. */
  readonly line: (line: string | undefined) => void
  readonly started: (program: ChildProgram) => void
}

export const childSpawner = (
  programs: ChildPrograms["Service"],
  request: ChildRequest,
  listener: Listener
): ChildProcessSpawner["Service"] =>
  make(() =>
    Effect.gen(function* () {
      const program = yield* programs.start(request).pipe(Effect.mapError((error) => failure("spawn", error.message)))
      listener.started(program)
      const decoder = new TextDecoder()
      const encoder = new TextEncoder()
      return makeHandle({
        pid: ProcessId(program.pid),
        exitCode: Effect.flatMap(program.exited, (exit) =>
          exit.kind === "exited"
            ? Effect.succeed(ExitCode(exit.code))
            : Effect.fail(failure("exitCode", `ended by ${exit.signal}`))
        ),
        isRunning: Effect.sync(() => program.exit() === undefined),
        kill: () => program.kill,
        // The client writes whole messages, each with its line end.
        stdin: Sink.forEach((bytes: Uint8Array) => program.send(decoder.decode(bytes).replace(/\n$/, ""))).pipe(
          Sink.ensuring(program.endInput)
        ),
        stdout: program.lines.pipe(
          Stream.tap((line) => Effect.sync(() => listener.line(line))),
          Stream.filter((line) => line !== undefined),
          Stream.map((line) => encoder.encode(`${line}\n`))
        ),
        stderr: Stream.empty,
        all: Stream.empty,
        getInputFd: () => Sink.drain,
        getOutputFd: () => Stream.empty,
        unref: Effect.fail(failure("unref", "not offered"))
      })
    })
  )

const failure = (method: string, description: string): PlatformError.PlatformError =>
  PlatformError.systemError({ _tag: "Unknown", module: "ChildProcess", method, description })
