/**
 * Names of the sessions that hold the conversations of sub-agents (MAIA §20.5): `PARENT-AGENT`, then `_2`, `_3` … Given out
 * here, one after the other, since sub-agents that start at the same time would all find the first one free.
 */
import { Effect, Semaphore } from "effect"
import { agentSessionName, foldName, freeName } from "../../sessions/names.ts"
import { Sessions } from "../../sessions/Sessions.ts"
import { ActiveSession } from "../../tools/model/ActiveSession.ts"

export const makeTraceNames = Effect.gen(function* () {
  const active = yield* ActiveSession
  const sessions = yield* Sessions
  const oneAtATime = yield* Semaphore.make(1)
  const given = new Set<string>()

  /** Undefined where the session is not kept itself. */
  const next = Effect.fnUntraced(function* (agent: string) {
    const session = yield* active.get
    if (session?.save !== true) return undefined
    const parentSession = yield* session.name
    const wanted = agentSessionName(parentSession, agent)
    for (;;) {
      const name = freeName(wanted, (candidate) => given.has(foldName(candidate)))
      given.add(foldName(name))
      if (!(yield* sessions.exists(name))) return { name, parentSession }
    }
  }, oneAtATime.withPermit)

  return { next }
})
