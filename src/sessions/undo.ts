/**
 * Undoing the last turn of the user (spec 04, `/undo`): the leaf moves before it, nothing is deleted; its files are put back only
 * when that is asked for, after the plan was shown.
 */
import { Effect } from "effect"
import type { UserMessage } from "../domain/message.ts"
import { undoTarget } from "./buildContext.ts"
import { isKnownEntry } from "./checkEntry.ts"
import type { RestorePlan, SessionCheckpoints } from "./checkpoints/Checkpoints.ts"
import type { SessionHandle } from "./SessionHandle.ts"

export interface UndoPlan {
  /** The new leaf; `null` stands before the first entry. */
  readonly target: string | null
  /** What the user had asked for, to be edited and sent again. */
  readonly request: UserMessage | undefined
  /** What putting the files back would do. */
  readonly files: RestorePlan
}

/** Undefined where there is no turn to undo. Changes nothing: move the leaf, or the conversation, to `target`. */
export const planUndo = Effect.fn("Sessions.planUndo")(function* (
  session: SessionHandle,
  checkpoints: SessionCheckpoints
) {
  const found = undoTarget(session.path())
  if (found === undefined) return undefined
  const { request, target } = found
  const message = isKnownEntry(request) && request.type === "message" ? request.message : undefined
  const plan: UndoPlan = {
    target,
    request: message?.role === "user" ? message : undefined,
    files: yield* checkpoints.planRestore(target)
  }
  return plan
})
