/** Answers permission questions where no one can be asked (`--permissions`, spec 02). */
import { Effect, Layer } from "effect"
import { Approver } from "../../permissions/Approver.ts"

/** `ask`: unavailable, the call is refused with the rule that would allow it; `deny`: no; `allow`: yes. */
export const headlessApprover = (policy: "ask" | "deny" | "allow"): Layer.Layer<Approver> =>
  Layer.succeed(
    Approver,
    Approver.of({
      ask: () => {
        switch (policy) {
          case "ask":
            return Effect.succeed({ answer: "unavailable" as const })
          case "deny":
            return Effect.succeed({ answer: "no" as const, reason: "This run answers no to every question." })
          case "allow":
            return Effect.succeed({ answer: "yes" as const })
        }
      }
    })
  )
