/**
 * What the user typed, as the request it stands for (MAIA §5.5): `§name arguments` becomes the steps of a skill, `/name
 * arguments` the text of a command of the user. The same for the terminal and headless runs; sends and shows nothing.
 */
import { Effect } from "effect"
import type { Attachment } from "../domain/message.ts"
import type { Text } from "../domain/text.ts"
import { parseSlash, type UserCommand } from "./commands/command.ts"
import { UserCommands } from "./commands/UserCommands.ts"
import { parseInvocation } from "./skills/invocation.ts"
import type { FileReading } from "./fileReading.ts"
import { Skills } from "./skills/Skills.ts"

export interface RequestInput {
  readonly kind: "request"
  /** For the model. */
  readonly text: string
  readonly attachments: ReadonlyArray<Attachment>
  readonly warnings: ReadonlyArray<Text>
  /** The command it came from: its model and what it allows hold for this request. */
  readonly command?: UserCommand
}

export type UserInput =
  | RequestInput
  /** `§` alone: the user wants to see the skills. */
  | { readonly kind: "list-skills" }
  /** Nothing is sent. */
  | { readonly kind: "refused"; readonly text: Text }

export interface InputOptions {
  /** How files are handed to the model; told the model that a command asks for. */
  readonly files: (model: string | undefined) => FileReading
}

/** A `/name` that is no command of the user is an ordinary request: it may be a path. */
export const expandInput = Effect.fn("expandInput")(function* (
  typed: string,
  options: InputOptions
): Effect.fn.Return<UserInput, never, Skills | UserCommands> {
  const slash = parseSlash(typed)
  if (slash !== undefined) {
    const service = yield* UserCommands
    const { commands } = yield* service.current
    const command = commands.find(({ name }) => name === slash.name.normalize())
    if (command !== undefined) {
      const expanded = yield* service.expand(command, slash.args, options.files(command.model))
      const { attachments, text, warnings } = expanded
      return { kind: "request", text, attachments, warnings, command }
    }
  }
  const invocation = parseInvocation(typed)
  if (invocation === undefined) return { kind: "request", text: typed, attachments: [], warnings: [] }
  if (invocation === "list") return { kind: "list-skills" }
  const skills = yield* Skills
  return yield* skills.use(invocation.name, invocation.args, options.files(undefined)).pipe(
    Effect.map(({ text, attachments, warnings }): UserInput => ({ kind: "request", text, attachments, warnings })),
    Effect.catchTag("UnknownSkill", (error) => Effect.succeed<UserInput>({ kind: "refused", text: error.text }))
  )
})
