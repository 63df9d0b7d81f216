/**
 * What the user typed, as the request it stands for (MAIA §5.5): `§name arguments` becomes the steps of a skill, `/name
 * arguments` the text of a command of the user. The same for the terminal and headless runs; sends and shows nothing.
 */
import { Effect } from "effect"
import type { Attachment } from "../domain/message.ts"
import type { Text } from "../domain/text.ts"
import { parseSlash, type UserCommand } from "./commands/command.ts"
import { UserCommands } from "./commands/UserCommands.ts"
import { mcpPrompt, mcpResources } from "./mcp/mcpInput.ts"
import type { McpServers } from "./mcp/McpServers.ts"
import { parseInvocation } from "./skills/invocation.ts"
import type { FileReading } from "./fileReading.ts"
import { Skills } from "./skills/Skills.ts"

export interface RequestInput {
  readonly kind: "request"
  /** For the model. */
  readonly text: string
  readonly attachments: ReadonlyArray<Attachment>
  readonly warnings: ReadonlyArray<Text>
  /** Parts of what was typed that were taken for a prompt or a resource of a server: they name no files. */
  readonly taken: ReadonlyArray<string>
  /** The command it came from: its model and what it allows hold for this request. */
  readonly command?: UserCommand
}

/** What of `typed` may name files. */
export const mayNameFiles = (typed: string, { taken }: RequestInput): string =>
  taken.reduce((left, part) => left.replaceAll(part, ""), typed)

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

/** A request whose beginning means nothing, whatever it is: it was pasted. */
export const plainInput = Effect.fn("plainInput")(function* (
  typed: string
): Effect.fn.Return<RequestInput, never, McpServers> {
  const { blocks, taken, warnings } = yield* mcpResources(typed)
  return { kind: "request", text: [...blocks, typed].join("\n\n"), attachments: [], warnings, taken }
})

/** A `/name` that is no command of the user is an ordinary request: it may be a path. */
export const expandInput = Effect.fn("expandInput")(function* (
  typed: string,
  options: InputOptions
): Effect.fn.Return<UserInput, never, Skills | UserCommands | McpServers> {
  const prompt = yield* Effect.result(mcpPrompt(typed))
  if (prompt._tag === "Failure") return { kind: "refused", text: prompt.failure.text }
  if (prompt.success !== undefined)
    return { kind: "request", text: prompt.success, attachments: [], warnings: [], taken: [typed] }
  const slash = parseSlash(typed)
  if (slash !== undefined) {
    const service = yield* UserCommands
    const { commands } = yield* service.current
    const command = commands.find(({ name }) => name === slash.name.normalize())
    if (command !== undefined) {
      const expanded = yield* service.expand(command, slash.args, options.files(command.model))
      const { attachments, text, warnings } = expanded
      return { kind: "request", text, attachments, warnings, command, taken: [] }
    }
  }
  const invocation = parseInvocation(typed)
  if (invocation === undefined) return yield* plainInput(typed)
  if (invocation === "list") return { kind: "list-skills" }
  const skills = yield* Skills
  return yield* skills.use(invocation.name, invocation.args, options.files(undefined)).pipe(
    Effect.map(({ text, attachments, warnings }): UserInput => ({
      kind: "request",
      text,
      attachments,
      warnings,
      taken: []
    })),
    Effect.catchTag("UnknownSkill", (error) => Effect.succeed<UserInput>({ kind: "refused", text: error.text }))
  )
})
