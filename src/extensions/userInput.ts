/**
 * What the user typed, as the request it stands for (MAIA §5.5): `§name arguments` becomes the steps of a skill. The same for
 * the terminal and headless runs; shows nothing.
 */
import { Effect } from "effect"
import type { Attachment } from "../domain/message.ts"
import type { Text } from "../domain/text.ts"
import { parseInvocation } from "./skills/invocation.ts"
import { Skills } from "./skills/Skills.ts"

export type UserInput =
  | {
      readonly kind: "request"
      /** For the model. */
      readonly text: string
      readonly attachments: ReadonlyArray<Attachment>
      readonly warnings: ReadonlyArray<Text>
    }
  /** `§` alone: the user wants to see the skills. */
  | { readonly kind: "list-skills" }
  /** Nothing is sent. */
  | { readonly kind: "refused"; readonly text: Text }

export const expandInput = Effect.fn("expandInput")(function* (
  typed: string,
  options: { readonly images: boolean }
): Effect.fn.Return<UserInput, never, Skills> {
  const invocation = parseInvocation(typed)
  if (invocation === undefined) return { kind: "request", text: typed, attachments: [], warnings: [] }
  if (invocation === "list") return { kind: "list-skills" }
  const skills = yield* Skills
  return yield* skills.use(invocation.name, invocation.args, options).pipe(
    Effect.map(({ text, attachments, warnings }): UserInput => ({ kind: "request", text, attachments, warnings })),
    Effect.catchTag("UnknownSkill", (error) => Effect.succeed<UserInput>({ kind: "refused", text: error.text }))
  )
})
