/**
 * The parent's side of one running sub-agent (MAIA §20.2 to 20.4): starts its process, answers what it asks, ends it. Decides
 * nothing itself: rules, people and files are asked through `AgentHost`.
 */
import { Deferred, Effect, Fiber, Option, Semaphore, Stream, type Scope } from "effect"
import type { Text } from "../../domain/text.ts"
import type { Usage } from "../../domain/message.ts"
import { ChildPrograms, type ChildProgram } from "../../process/ChildPrograms.ts"
import type { Line } from "../../process/lineSplitter.ts"
import * as phrases from "./phrases.ts"
import { encode, MAX_LINE, parseFromChild, type Done, type Reply, type Request, type Start } from "./protocol.ts"

export interface AgentHost {
  readonly answer: (request: Request) => Effect.Effect<Reply>
  readonly onWarning: (message: Text) => Effect.Effect<void>
  readonly onProgress: (toolCalls: number, current: string) => Effect.Effect<void>
  readonly onUsage: (usage: Usage) => Effect.Effect<void>
}

export interface AgentRun {
  /** Program and arguments of the process. */
  readonly argv: ReadonlyArray<string>
  readonly start: Start
  readonly host: AgentHost
}

/** What came of it; `failure` where there is no result. */
export type AgentResult = Done | { readonly failure: Text; readonly toolCalls: number }

/** Tells hooks and commands whose they are. */
const AGENT_VARIABLE = "MAIA_AGENT"
/** Minutes of one run. */
export const TIME_LIMIT = 30
/** Milliseconds between `abort` and SIGKILL. */
const ABORT_GRACE = 5_000
/** Milliseconds in which the last words of a process that has ended are read. */
const LAST_WORDS = 500
/** Lines that are no messages, and bytes, before a process is stopped. */
const MAX_RUBBISH_LINES = 200
const MAX_BYTES = 256 * 1024 * 1024
/** Questions of one process that are open at the same time. */
const MAX_OPEN = 64

/** Never fails. When it returns, or is interrupted, the process and all it started have ended. */
export const runAgent = Effect.fn("Agents.run")(function* (
  run: AgentRun
): Effect.fn.Return<AgentResult, never, ChildPrograms> {
  let toolCalls = 0
  const host: AgentHost = {
    ...run.host,
    onProgress: (count, current) => {
      toolCalls = count
      return run.host.onProgress(count, current)
    }
  }
  return yield* Effect.gen(function* () {
    const programs = yield* ChildPrograms
    const child = yield* programs.start({
      argv: run.argv,
      cwd: run.start.config.launchFolder,
      env: { [AGENT_VARIABLE]: run.start.agent.name },
      maxLine: MAX_LINE
    })
    yield* Effect.addFinalizer(() => end(child))
    return yield* Effect.map(
      Effect.timeoutOption(converse(child, { ...run, host }), `${TIME_LIMIT} minutes`),
      Option.getOrElse((): AgentResult => ({ failure: phrases.tookTooLong(TIME_LIMIT), toolCalls }))
    )
  }).pipe(
    Effect.scoped,
    Effect.catchTag("ChildNotStarted", ({ message }) =>
      Effect.succeed<AgentResult>({ failure: phrases.notStarted(message), toolCalls })
    ),
    Effect.map((result): AgentResult => ("type" in result ? result : { ...result, toolCalls }))
  )
})

/** Asks the process to end, and does not wait for ever: its scope kills what is left. */
const end = (child: ChildProgram): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (child.exit() !== undefined) return Effect.void
    return child
      .send(encode({ type: "abort" }))
      .pipe(Effect.andThen(child.exited), Effect.interruptible, Effect.timeoutOption(ABORT_GRACE), Effect.asVoid)
  })

/** Sends the task, reads what comes and waits for the result. */
const converse = Effect.fnUntraced(function* (
  child: ChildProgram,
  { host, start }: AgentRun
): Effect.fn.Return<AgentResult, never, Scope.Scope> {
  const done = yield* Deferred.make<AgentResult>()
  const scope = yield* Effect.scope
  const open = yield* Semaphore.make(MAX_OPEN)
  let rubbish = 0

  const answer = (id: number, request: Request): Effect.Effect<void> =>
    Effect.flatMap(host.answer(request), (reply) => child.send(encode({ type: "reply", id, reply })))

  const receive = (line: Line): Effect.Effect<void> => {
    const message = line === undefined ? undefined : parseFromChild(line)
    if (message === undefined) rubbish++
    if (rubbish > MAX_RUBBISH_LINES || child.received() > MAX_BYTES) {
      return Effect.asVoid(Deferred.succeed(done, { failure: phrases.talksRubbish(child.errorTail()), toolCalls: 0 }))
    }
    switch (message?.type) {
      case "request":
        return open
          .take(1)
          .pipe(
            Effect.andThen(Effect.forkIn(Effect.ensuring(answer(message.id, message.request), open.release(1)), scope)),
            Effect.asVoid
          )
      case "warning":
        return host.onWarning(message.message)
      case "progress":
        return host.onProgress(message.toolCalls, message.current)
      case "usage":
        return host.onUsage(message.usage)
      case "done":
        return Effect.asVoid(Deferred.succeed(done, message))
      case undefined:
        return Effect.void
    }
  }

  const reader = yield* child.lines.pipe(Stream.runForEach(receive), Effect.forkScoped)
  yield* child.send(encode(start))
  const early = Effect.gen(function* () {
    const exit = yield* child.exited
    // What it wrote last is still on its way.
    yield* Effect.timeoutOption(Fiber.await(reader), LAST_WORDS)
    // A result that came with its last words counts.
    yield* Deferred.succeed(done, { failure: phrases.endedEarly(exit, child.errorTail()), toolCalls: 0 })
  })
  yield* Effect.forkScoped(early)
  return yield* Deferred.await(done)
})
