/**
 * `maia sub-agent`: the process that plays a sub-agent (MAIA §20.3), started by maia itself and not shown in the help. Its
 * task comes on stdin; its stdout carries messages, and nothing else may write there.
 */
import { Cause, Effect, Layer, Ref, Schedule } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { runSubAgent } from "../agent/subAgent/runSubAgent.ts"
import { text } from "../domain/text.ts"
import { subAgentExtensions } from "../extensions/extensionsLayer.ts"
import { toConfig } from "../extensions/agents/child/childConfig.ts"
import { openParentLink, type ParentLink } from "../extensions/agents/child/ParentLink.ts"
import { relayApprover, relayPermissions } from "../extensions/agents/child/relayPermissions.ts"
import { interrupted } from "../extensions/agents/phrases.ts"
import type { Done } from "../extensions/agents/protocol.ts"
import { Interrupts, runMain } from "../process/shutdown.ts"
import { stdinKind } from "../process/stdinKind.ts"
import { Output } from "../process/stdout.ts"
import { EXIT } from "./exitCodes.ts"
import { agentLayer } from "./layers.ts"
import type { MainInput } from "./main.ts"

export const subAgentMain = (input: MainInput): void =>
  runMain(subAgent(input).pipe(Effect.provide(Layer.merge(NodeServices.layer, Output.layer))))

/** Milliseconds in which a turn that shall end may come to its end. */
const END_GRACE = 3_000
/** Milliseconds between two messages of progress. */
const PROGRESS_EVERY = 200

const subAgent = Effect.fnUntraced(function* (facts: MainInput) {
  const output = yield* Output
  if (stdinKind() === "terminal") {
    yield* output.err("maia: this command is for maia itself\n")
    return EXIT.usage
  }
  const link = yield* openParentLink
  if (link === undefined) return EXIT.error
  const done =
    link.start.version === facts.version
      ? yield* play(link, facts).pipe(Effect.catchCause((cause) => Effect.succeed(crashed(cause))))
      : failed(text("maia was updated while it ran: start it again", "maia a été mis à jour : relancez-le"))
  yield* link.tell(done)
  return EXIT.done
}, Effect.scoped)

const play = Effect.fnUntraced(function* (link: ParentLink, facts: MainInput) {
  const { start } = link
  const interrupts = yield* Interrupts
  const stopped = Effect.raceFirst(link.stopped, interrupts.first)
  const onWarning = (message: Done["failure"] & object) => link.tell({ type: "warning", message })
  const { onProgress, sender } = yield* progress(link)
  const layers = agentLayer(toConfig(start, facts), relayApprover(link), {
    trust: start.trust === "no" ? "never" : start.trust === "run",
    permissions: relayPermissions(link),
    extensions: subAgentExtensions(start.agent, onWarning)
  })
  const work = runSubAgent({
    agent: start.agent,
    task: start.task,
    model: start.model,
    maxIterations: start.maxIterations,
    ...(start.trace === undefined ? {} : { trace: start.trace }),
    interrupt: stopped,
    onProgress,
    onUsage: (usage) => link.tell({ type: "usage", usage }),
    onWarning,
    onFile: (path, noticed) => Effect.asVoid(link.request({ ask: "before", path, noticed }))
  }).pipe(
    Effect.catchTag("SessionError", (error) => Effect.succeed(failed(error.text))),
    Effect.provide(layers),
    Effect.scoped
  )
  // A turn ends by itself when it is told to; what hangs elsewhere is not waited for.
  const overdue = Effect.as(Effect.delay(stopped, END_GRACE), failed(interrupted))
  return yield* Effect.raceFirst(work, Effect.andThen(sender, overdue))
})

/** The newest state goes out a few times a second, however fast the calls are. */
const progress = Effect.fnUntraced(function* (link: ParentLink) {
  const newest = yield* Ref.make<{ readonly toolCalls: number; readonly current: string } | undefined>(undefined)
  const send = Effect.flatMap(Ref.getAndSet(newest, undefined), (state) =>
    state === undefined ? Effect.void : link.tell({ type: "progress", ...state })
  )
  return {
    onProgress: (toolCalls: number, current: string) => Ref.set(newest, { toolCalls, current }),
    sender: Effect.asVoid(Effect.forkScoped(Effect.repeat(send, Schedule.spaced(PROGRESS_EVERY))))
  }
})

const failed = (failure: NonNullable<Done["failure"]>): Done => ({
  type: "done",
  text: "",
  ended: "failed",
  failure,
  refused: [],
  toolCalls: 0,
  iterations: 0
})

const crashed = (cause: Cause.Cause<unknown>): Done => {
  const said = Cause.pretty(cause)
  return failed(text(`an unexpected fault in maia: ${said}`, `une erreur inattendue de maia : ${said}`))
}
