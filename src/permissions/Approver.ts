/**
 * Who answers a permission question. A front end provides it: a person in the terminal, a fixed policy in headless runs.
 */
import { Context, type Effect } from "effect"
import type { PermissionAnswer, PermissionQuestion } from "../domain/agent-event.ts"
import type { PermissionCall } from "./Permissions.ts"

export class Approver extends Context.Service<
  Approver,
  {
    /** `unavailable`: no one can be asked, the call is refused. Questions are asked one at a time. */
    readonly ask: (
      tool: string,
      question: PermissionQuestion,
      call: PermissionCall
    ) => Effect.Effect<PermissionAnswer | { readonly answer: "unavailable" }>
  }
>()("maia/permissions/Approver") {}
