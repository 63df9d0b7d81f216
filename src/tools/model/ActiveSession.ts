/**
 * The session that is open now, for tools that name or follow it. Whoever opens a session sets it.
 */
import { Context, Effect, Layer, Ref } from "effect"

export interface OpenSession {
  /** Can change as long as the session has no file. */
  readonly name: Effect.Effect<string>
  /** Whether it is kept in a file. */
  readonly save: boolean
}

export class ActiveSession extends Context.Service<
  ActiveSession,
  {
    /** Undefined before a session is open. */
    readonly get: Effect.Effect<OpenSession | undefined>
    readonly set: (session: OpenSession) => Effect.Effect<void>
  }
>()("maia/tools/ActiveSession") {
  static readonly layer = Layer.effect(
    ActiveSession,
    Effect.map(Ref.make<OpenSession | undefined>(undefined), (session) =>
      ActiveSession.of({ get: Ref.get(session), set: (open) => Ref.set(session, open) })
    )
  )
}
