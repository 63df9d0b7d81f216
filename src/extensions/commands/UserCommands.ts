/**
 * The slash commands of the user and of a trusted project (spec 08): `.maia/commands/NAME.md` of the launch folder, then
 * `~/.maia/commands`. Reads files and puts a request together; sends nothing.
 */
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { Config } from "../../config/Config.ts"
import type { Attachment } from "../../domain/message.ts"
import { text, type Text } from "../../domain/text.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import { resolveMentions } from "../../tools/mentions.ts"
import { nothing, type Contribution, type ExtensionKind } from "../Extensions.ts"
import { withPositions } from "../expandBody.ts"
import type { FileReading } from "../fileReading.ts"
import { mayBring } from "../mayBring.ts"
import { readSource } from "../readSource.ts"
import { isCommandName, parseCommand, type ParsedCommand, type UserCommand } from "./command.ts"

/** Bytes of one file. */
const MAX_COMMAND = 200_000
/** Files of one folder. */
const MAX_COMMANDS = 200

export interface LoadedCommands {
  /** In order of names; a project's wins over the user's. */
  readonly commands: ReadonlyArray<UserCommand>
  readonly warnings: ReadonlyArray<Text>
}

export interface ExpandedCommand {
  readonly command: UserCommand
  /** For the model. */
  readonly text: string
  readonly attachments: ReadonlyArray<Attachment>
  readonly warnings: ReadonlyArray<Text>
}

export class UserCommands extends Context.Service<
  UserCommands,
  {
    /** Takes what is on disk anew. */
    readonly load: Effect.Effect<LoadedCommands>
    /** As of the last `load`. */
    readonly current: Effect.Effect<LoadedCommands>
    readonly expand: (command: UserCommand, args: string, files: FileReading) => Effect.Effect<ExpandedCommand>
    /** Only warnings: commands are for the person, the model sees nothing of them. */
    readonly kind: ExtensionKind
  }
>()("maia/extensions/UserCommands") {
  static readonly layer = Layer.effect(
    UserCommands,
    Effect.gen(function* () {
      const config = yield* Config
      const permissions = yield* Permissions
      const trusted = yield* TrustState
      const services = yield* Effect.context<FileSystem.FileSystem | Path.Path | Config>()
      const user = Effect.provide(readFolder(`${config.userDir}/commands`, "user"), services)
      const project = Effect.provide(readFolder(`${config.projectDir}/commands`, "project"), services)
      let loaded: LoadedCommands | undefined

      const load = Effect.gen(function* () {
        const own = yield* user
        const theirs = config.projectDir === config.userDir ? none : yield* project
        const counts = (theirs.commands.length > 0 || theirs.warnings.length > 0) && (yield* trusted)
        loaded = counts ? join(own, theirs) : own
        return loaded
      }).pipe(Effect.withSpan("UserCommands.load"))

      const expand = Effect.fn("UserCommands.expand")(function* (
        command: UserCommand,
        args: string,
        files: FileReading
      ) {
        // Before the arguments are put in: what they name is for whoever wrote them to bring.
        const mentions = yield* resolveMentions(command.body, {
          ...files,
          ignoreMissing: true,
          mayBring: mayBring({ folder: undefined, level: command.level }, config, permissions)
        }).pipe(Effect.provide(services))
        const { attachments, blocks, warnings } = mentions
        const expanded: ExpandedCommand = {
          command,
          text: [...blocks, withPositions(command.body, args)].join("\n\n"),
          attachments,
          warnings
        }
        return expanded
      })

      return UserCommands.of({
        load,
        current: Effect.suspend(() => (loaded === undefined ? load : Effect.succeed(loaded))),
        expand,
        kind: { name: "commands", load: Effect.map(load, ({ warnings }): Contribution => ({ ...nothing, warnings })) }
      })
    })
  )
}

const none: LoadedCommands = { commands: [], warnings: [] }

const join = (own: LoadedCommands, theirs: LoadedCommands): LoadedCommands => {
  const names = new Set(theirs.commands.map(({ name }) => name))
  const commands = [...theirs.commands, ...own.commands.filter(({ name }) => !names.has(name))]
  return {
    commands: commands.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    warnings: [...theirs.warnings, ...own.warnings]
  }
}

const readFolder = Effect.fnUntraced(function* (
  folder: string,
  level: UserCommand["level"]
): Effect.fn.Return<LoadedCommands, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const warnings: Array<Text> = []
  const listed = yield* fs.readDirectory(folder).pipe(
    Effect.catch((error) => {
      if (error.reason._tag !== "NotFound")
        warnings.push(text(`${folder}: ${error.message}`, `${folder} : ${error.message}`))
      return Effect.succeed<ReadonlyArray<string>>([])
    })
  )
  const names = listed.filter((name) => /\.md$/i.test(name) && !name.startsWith(".")).sort()
  if (names.length > MAX_COMMANDS) {
    warnings.push(
      text(
        `${folder} holds ${names.length} commands; the first ${MAX_COMMANDS} by name are used.`,
        `${folder} contient ${names.length} commandes ; les ${MAX_COMMANDS} premières par nom sont utilisées.`
      )
    )
  }
  const read = yield* Effect.forEach(
    names.slice(0, MAX_COMMANDS),
    (name) => readCommand(path.join(folder, name), level),
    {
      concurrency: 16
    }
  )
  return {
    commands: read.flatMap(({ command }) => (command === undefined ? [] : [command])),
    warnings: [...warnings, ...read.flatMap((one) => one.warnings)]
  }
})

const readCommand = Effect.fnUntraced(function* (
  file: string,
  level: UserCommand["level"]
): Effect.fn.Return<ParsedCommand, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const name = path.basename(file).replace(/\.md$/i, "").normalize()
  if (!isCommandName(name)) {
    const warning = text(
      `${file}: the file's name cannot name a command: use letters, digits, _ . and -, at most 64.`,
      `${file} : le nom du fichier ne peut pas nommer une commande : lettres, chiffres, _ . et -, 64 au plus.`
    )
    return { command: undefined, warnings: [warning] }
  }
  const source = yield* readSource(file, MAX_COMMAND)
  if ("content" in source) return yield* parseCommand({ name, file, level, content: source.content })
  const { en, fr } = source.problem
  return { command: undefined, warnings: [text(`${file}: ${en}.`, `${file} : ${fr}.`)] }
})
