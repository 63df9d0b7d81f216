/** Every `/command` by name, and what is done with a line that begins with `/` (spec 07). */
import { Effect } from "effect"
import { nearest } from "../../config/nearest.ts"
import { text, type Text } from "../../domain/text.ts"
import { parseSlash } from "../../extensions/commands/command.ts"
import { UserCommands } from "../../extensions/commands/UserCommands.ts"
import { STAY, type Talk } from "../loop/Talk.ts"
import { Ui } from "../Ui.ts"
import type { Command } from "./command.ts"
import { leaveCommands } from "./leave.ts"
import { makeHelp } from "./help.ts"
import { modelCommands } from "./model.ts"
import { sessionCommands } from "./sessions.ts"
import { compactCommand } from "./compact.ts"
import { extensionCommands } from "./extensions.ts"
import { exportCommands } from "./export.ts"
import { initCommand } from "./init.ts"
import { moveCommands } from "./moves.ts"
import { reportCommands } from "./reports.ts"
import { statusCommand } from "./status.ts"

const others: ReadonlyArray<Command> = [
  ...modelCommands,
  ...sessionCommands,
  compactCommand,
  ...moveCommands,
  statusCommand,
  ...reportCommands,
  ...extensionCommands,
  ...exportCommands,
  initCommand,
  ...leaveCommands
]

export const COMMANDS: ReadonlyArray<Command> = [makeHelp(() => COMMANDS), ...others]

/** A command of the user's own, which is a request; maia's commands win a name. */
export const isOwnCommand = Effect.fnUntraced(function* (line: string) {
  // A prompt of an MCP server.
  if (line.startsWith("/mcp__")) return true
  const slash = parseSlash(line)
  if (slash === undefined || COMMANDS.some(({ name }) => name === slash.name)) return false
  const { commands } = yield* Effect.flatMap(UserCommands, (service) => service.current)
  return commands.some(({ name }) => name === slash.name.normalize())
})

export const dispatch = Effect.fn("Tui.command")(function* (talk: Talk, line: string) {
  const ui = yield* Ui
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const command = COMMANDS.find((one) => one.name === name)
  if (command !== undefined) return yield* command.run(talk, argument.trim())
  const { commands } = yield* Effect.flatMap(UserCommands, (service) => service.current)
  const names = [...COMMANDS, ...commands].map((one) => one.name)
  yield* ui.fail(unknownCommand(name, nearest(name, names, 1)[0] ?? names.find((one) => one.startsWith(name))))
  return STAY
})

const unknownCommand = (name: string, near: string | undefined): Text =>
  text(
    `Unknown command /${name}.${near === undefined ? " /help lists them." : ` Did you mean /${near}?`}`,
    `Commande inconnue /${name}.${near === undefined ? " /help les liste." : ` Vouliez-vous dire /${near} ?`}`
  )
