/**
 * The custom tools of the launch folder (MAIA §10): `.maia/tools/NAME/TOOL.json`, only while the folder is trusted (spec
 * 03). Reads definitions; runs nothing itself.
 */
import { Context, Effect, FileSystem, Layer, Path, Result } from "effect"
import { Config } from "../../config/Config.ts"
import { text, type Text } from "../../domain/text.ts"
import type { Tool } from "../../domain/tool.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import { Shell } from "../../process/Shell.ts"
import { ToolSet } from "../../tools/ToolSet.ts"
import { loadedNotice, nothing, type ExtensionKind } from "../Extensions.ts"
import { readSource } from "../readSource.ts"
import { makeCustomTool } from "./customTool.ts"
import { parseDefinition, type ToolDefinition } from "./definition.ts"

/** Bytes of one definition. */
const MAX_DEFINITION = 100_000
const MAX_TOOLS = 100

/** Names of tools that other kinds of extensions bring. */
const RESERVED = new Set(["Skill", "Agent", "lsp"])

/** A rule for a server's tools must not speak for a tool of the project. */
const OF_SERVERS = "mcp__"

export interface FoundTools {
  /** In order of folders. */
  readonly definitions: ReadonlyArray<ToolDefinition>
  readonly warnings: ReadonlyArray<Text>
}

export class CustomTools extends Context.Service<
  CustomTools,
  {
    /** As on disk, whether the folder is trusted or not: for `maia tools list`. */
    readonly find: Effect.Effect<FoundTools>
    readonly toTool: (definition: ToolDefinition) => Tool
    readonly kind: ExtensionKind
  }
>()("maia/extensions/CustomTools") {
  static readonly layer = Layer.effect(
    CustomTools,
    Effect.gen(function* () {
      const config = yield* Config
      const shell = yield* Shell
      const trusted = yield* TrustState
      const { tools } = yield* ToolSet
      const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const names = new Set([...RESERVED, ...tools.map(({ name }) => name)].map((name) => name.toLowerCase()))
      const taken = (name: string) => names.has(name.toLowerCase()) || name.startsWith(OF_SERVERS)
      const find = Effect.provide(findTools(config.projectDir, taken), services)
      const toTool = (definition: ToolDefinition) => makeCustomTool(definition, shell, config.launchFolder)
      const load = Effect.gen(function* () {
        const { definitions, warnings } = yield* find
        if (definitions.length === 0 && warnings.length === 0) return nothing
        if (!(yield* trusted)) return nothing
        const notices = loadedNotice(
          LOADED,
          definitions.map(({ name }) => name)
        )
        return { tools: definitions.map(toTool), prompt: [], warnings, notices }
      })
      return CustomTools.of({ find, toTool, kind: { name: "custom tools", load } })
    })
  )
}

const LOADED = text("Custom tools loaded:", "Outils personnalisés chargés :")

const findTools = Effect.fn("CustomTools.find")(function* (
  projectDir: string,
  taken: (name: string) => boolean
): Effect.fn.Return<FoundTools, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const place = path.join(projectDir, "tools")
  const warnings: Array<Text> = []
  const listed = yield* fs.readDirectory(place).pipe(
    Effect.catch((error) => {
      if (error.reason._tag !== "NotFound") warnings.push(about(place, text(error.message, error.message)))
      return Effect.succeed<ReadonlyArray<string>>([])
    })
  )
  const names = listed.filter((name) => !name.startsWith(".") && name !== "node_modules").sort()
  if (names.length > MAX_TOOLS) {
    warnings.push(
      about(
        place,
        text(
          `holds ${names.length} entries; the first ${MAX_TOOLS} by name are used`,
          `contient ${names.length} entrées ; les ${MAX_TOOLS} premières par nom sont utilisées`
        )
      )
    )
  }
  const read = yield* Effect.forEach(names.slice(0, MAX_TOOLS), (name) => readTool(path.join(place, name)), {
    concurrency: 16
  })
  const definitions = new Map<string, ToolDefinition>()
  for (const one of read) {
    warnings.push(...one.warnings)
    const { definition } = one
    if (definition === undefined) continue
    const other = definitions.get(definition.name)?.file
    if (other !== undefined || taken(definition.name)) warnings.push(nameTaken(definition, other))
    else definitions.set(definition.name, definition)
  }
  return { definitions: [...definitions.values()], warnings }
})

const readTool = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const none = (...warnings: ReadonlyArray<Text>) => ({ definition: undefined, warnings })
  const info = yield* Effect.result(fs.stat(folder))
  if (Result.isFailure(info)) {
    const why = info.failure.reason._tag
    return none(about(folder, text(`cannot be read (${why})`, `ne peut pas être lu (${why})`)))
  }
  if (info.success.type !== "Directory") return none()
  for (const name of ["TOOL.json", "tool.json"]) {
    const file = path.join(folder, name)
    const source = yield* readSource(file, MAX_DEFINITION)
    if ("problem" in source) {
      if (source.missing) continue
      return none(about(file, source.problem))
    }
    const parsed = parseDefinition({ file, folder, folderName: path.basename(folder), content: source.content })
    if (Result.isFailure(parsed)) return none(about(file, parsed.failure))
    const { definition, notes } = parsed.success
    return { definition, warnings: notes.map((note) => about(file, note)) }
  }
  return none(about(folder, text("there is no TOOL.json in this folder", "il n'y a pas de TOOL.json dans ce dossier")))
})

const about = (file: string, problem: Text): Text =>
  text(`${file}: ${ended(problem.en)}`, `${file} : ${ended(problem.fr)}`)

const ended = (clause: string): string => (clause.endsWith("?") ? clause : `${clause}.`)

const nameTaken = ({ file, name }: ToolDefinition, other: string | undefined): Text =>
  about(
    file,
    other === undefined
      ? text(
          `the name ${name} belongs to a tool of maia; choose another`,
          `le nom ${name} est celui d'un outil de maia ; choisissez-en un autre`
        )
      : text(`the name ${name} is already used by ${other}`, `le nom ${name} est déjà utilisé par ${other}`)
  )
