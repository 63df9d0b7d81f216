/**
 * Rules and person of a sub-agent are its parent's: each call is judged there, each question asked there. What it may not do
 * there it cannot do here, also when a rule was written or the mode changed a moment ago.
 */
import { Effect, Layer } from "effect"
import { text } from "../../../domain/text.ts"
import { Approver } from "../../../permissions/Approver.ts"
import { Permissions, type Decision } from "../../../permissions/Permissions.ts"
import { fits, type ParentLink } from "./ParentLink.ts"
import type { Reply, Request } from "../protocol.ts"

export const relayPermissions = (link: ParentLink): Layer.Layer<Permissions> =>
  Layer.succeed(
    Permissions,
    Permissions.of({
      decide: (call) => {
        const request: Request = { ask: "decision", call }
        return fits(request)
          ? Effect.flatMap(link.request(request), (reply) =>
              "decision" in reply ? Effect.succeed(reply.decision) : mismatch(reply)
            )
          : Effect.succeed(tooLarge)
      },
      rules: Effect.flatMap(link.request({ ask: "rules" }), (reply) =>
        "rules" in reply ? Effect.succeed(reply.rules) : mismatch(reply)
      ),
      // The parent writes the rule of an "always" before it answers.
      allow: () => Effect.void,
      // Commands of the user are typed to the parent.
      grant: () => Effect.void,
      log: Effect.succeed([]),
      mode: Effect.succeed("ask"),
      setMode: () => Effect.void
    })
  )

export const relayApprover = (link: ParentLink): Layer.Layer<Approver> =>
  Layer.succeed(
    Approver,
    Approver.of({
      ask: (_tool, _question, call) =>
        Effect.flatMap(link.request({ ask: "person", call }), (reply) =>
          "person" in reply ? Effect.succeed(reply.person) : mismatch(reply)
        )
    })
  )

const tooLarge: Decision = {
  decision: "deny",
  reason: text("The call is too large to be judged.", "L'appel est trop volumineux pour être jugé."),
  subject: "",
  suggestions: []
}

const mismatch = (reply: Reply) => Effect.die(new Error(`The parent answered something else: ${Object.keys(reply)[0]}`))
