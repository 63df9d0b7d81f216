/**
 * Plays one task with one model, from the empty folder to the verdict. The composition of the agent is handed in by whoever
 * knows it (`EvalHost`); nothing here knows servers or the terminal.
 */
import { Clock, Effect, FileSystem, Layer, Path, Stream } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { Agent } from "../agent/Agent.ts"
import { openConversation } from "../agent/openConversation.ts"
import type { Config } from "../config/Config.ts"
import type { AgentEvent } from "../domain/agent-event.ts"
import { text, type Text } from "../domain/text.ts"
import type { Approver } from "../permissions/Approver.ts"
import { outputText } from "../process/outputText.ts"
import { Sandbox } from "../process/sandbox/Sandbox.ts"
import { Shell } from "../process/Shell.ts"
import { evalApprover } from "./EvalApprover.ts"
import { FactCollector, type Facts } from "./facts.ts"
import { judgeTask, type EvalTask, type Outcome } from "./task.ts"
import { makeWorkspace, WorkspaceError, type Workspace } from "./workspace.ts"

export interface PlayInput {
  readonly task: EvalTask
  readonly model: string
  /** Seconds for the turn. */
  readonly seconds: number
  /** The user's settings: of these only server, key and models count. */
  readonly config: Config["Service"]
  /** Commands run in a sandbox. */
  readonly sandboxed: boolean
  /** Every event of the turn, as it comes. */
  readonly watch?: (event: AgentEvent) => Effect.Effect<void>
}

export interface Played extends Facts {
  readonly solved: boolean
  /** What is wrong with the result. */
  readonly fault: Text | undefined
  readonly seconds: number
  /** The time limit ended the turn. */
  readonly timedOut: boolean
}

/** One turn and the checks after it; what it needs is what a host composes. */
const turnAndChecks = (input: PlayInput, workspace: Workspace) =>
  Effect.gen(function* () {
    const { task } = input
    const { conversation } = yield* openConversation({
      model: input.model,
      session: { save: false }
    })
    const agent = yield* Agent
    const collector = new FactCollector()
    const started = yield* Clock.currentTimeMillis
    let timedOut = false
    const events = agent.turn(conversation, {
      text: task.prompt,
      interrupt: Effect.sync(() => {
        timedOut = true
      }).pipe(Effect.delay(`${input.seconds} seconds`))
    })
    yield* Stream.runForEach(events, (event) => {
      collector.take(event)
      return input.watch?.(event) ?? Effect.void
    })
    const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
    const { facts } = collector
    const found = yield* judgeTask(task, yield* outcomeOf(workspace, facts.answer))
    const fault = timedOut ? tooLong(input.seconds) : found
    const played: Played = { ...facts, solved: fault === undefined, fault, seconds, timedOut }
    return played
  }).pipe(Effect.scoped)

/** Services that a turn and its checks need of a composition. */
export type EvalServices = Effect.Services<ReturnType<typeof turnAndChecks>>

/** What the platform gives. */
export type EvalPlatform = FileSystem.FileSystem | Path.Path | ChildProcessSpawner.ChildProcessSpawner

/** Composes an agent for a config and an approver. */
export type EvalHost = (
  config: Config["Service"],
  approver: Layer.Layer<Approver, never, FileSystem.FileSystem>
) => Layer.Layer<Exclude<EvalServices, EvalPlatform>, never, EvalPlatform>

export const playTask = (input: PlayInput, host: EvalHost): Effect.Effect<Played, WorkspaceError, EvalPlatform> =>
  Effect.gen(function* () {
    const workspace = yield* makeWorkspace(input.task, input.config)
    const layers = host(workspace.config, evalApprover(workspace.folder, input.sandboxed))
    // A composition of its own: nothing of another task's folder may be shared.
    return yield* Effect.provide(turnAndChecks(input, workspace), layers, { local: true })
  }).pipe(
    Effect.catchTag("SessionError", (error) => new WorkspaceError({ message: error.message })),
    Effect.scoped
  )

/** Whether commands run in a sandbox where this config says `auto`. */
export const sandboxWorks: Effect.Effect<boolean> = Effect.map(
  Effect.flatMap(Sandbox, ({ missing }) => missing),
  (missing) => missing === undefined
)

const CHECK_SECONDS = 30

const outcomeOf = (workspace: Workspace, answer: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const shell = yield* Shell
    const at = (name: string): string => path.join(workspace.folder, name)
    const outcome: Outcome = {
      answer,
      read: (name) => fs.readFileString(at(name)).pipe(Effect.orElseSucceed(() => undefined)),
      write: (name, content) => Effect.ignore(fs.writeFileString(at(name), content)),
      changed: workspace.changed,
      run: (command) =>
        Effect.gen(function* () {
          const { status, output, discard } = yield* shell.run({ command, timeoutSeconds: CHECK_SECONDS })
          const { head } = outputText(output)
          yield* discard
          return { ok: status.kind === "exited" && status.code === 0, output: head }
        })
    }
    return outcome
  })

const tooLong = (seconds: number): Text => text(`not done within ${seconds} s`, `pas terminé en ${seconds} s`)
