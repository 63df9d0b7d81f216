/**
 * The language servers that can be used now (spec 08): named in the settings, and their program is on PATH. Each is started when
 * first needed, for the launch folder; one that ends unexpectedly is started once more, and that is told.
 */
import { Context, Deferred, Effect, FileSystem, Layer, Scope, type Duration } from "effect"
import { Config } from "../../config/Config.ts"
import { text, type Text } from "../../domain/text.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import { ChildPrograms } from "../../process/ChildPrograms.ts"
import { findProgram } from "../../process/findProgram.ts"
import { LspFailure } from "./JsonRpc.ts"
import { connect, uriOf, type LspClient } from "./LspClient.ts"
import type { Diagnostic } from "./protocol.ts"
import { languageOf, readServerSettings, type ServerDefinition } from "./serverSettings.ts"

/** Starts of one server: the first, and one more after it has ended unexpectedly. */
const MAX_STARTS = 2
/** Bytes of a file that is given to a server. */
const MAX_FILE = 2_000_000

export interface ServerForFile {
  readonly definition: ServerDefinition
  readonly language: string
}

/** A server that has the file open as it is on disk. */
export interface OpenFile {
  readonly client: LspClient
  readonly server: string
  readonly content: string
  /** The server did not know this text yet. */
  readonly isNews: boolean
}

export class LspServers extends Context.Service<
  LspServers,
  {
    /** Reads the settings anew. */
    readonly load: Effect.Effect<{ readonly warnings: ReadonlyArray<Text> }>
    /** Those that can be used; the same array as long as nothing changes. */
    readonly usable: Effect.Effect<ReadonlyArray<ServerDefinition>>
    readonly forFile: (path: string) => Effect.Effect<ServerForFile | undefined>
    /** Starts the server where it does not run yet. Fails with a clause for the model. */
    readonly open: (path: string) => Effect.Effect<OpenFile, LspFailure>
    readonly running: (definition: ServerDefinition) => Effect.Effect<LspClient, LspFailure>
    /** What a changed file's server says of it within the time; undefined where there is none, or nothing in time. */
    readonly afterChange: (
      path: string,
      within: Duration.Input
    ) => Effect.Effect<{ readonly server: string; readonly diagnostics: ReadonlyArray<Diagnostic> } | undefined>
    /** What happened to servers since it was last asked. */
    readonly takeNews: Effect.Effect<ReadonlyArray<Text>>
  }
>()("maia/extensions/LspServers") {
  static readonly layer = Layer.effect(
    LspServers,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(ChildPrograms.layer))
}

/** One server through its lives. */
interface Slot {
  readonly definition: ServerDefinition
  starts: number
  current: { readonly ready: Deferred.Deferred<LspClient, LspFailure>; client: LspClient | undefined } | undefined
  /** Why it is not started any more. */
  dead: string | undefined
}

const make = Effect.gen(function* () {
  const config = yield* Config
  const fs = yield* FileSystem.FileSystem
  const programs = yield* ChildPrograms
  const trusted = yield* TrustState
  const scope = yield* Effect.scope
  const isSet = config.extensionSettings.some(({ key }) => key === "lsp")
  const slots = new Map<string, Slot>()
  let usable: ReadonlyArray<ServerDefinition> = []
  let news: Array<Text> = []

  const load = Effect.gen(function* () {
    if (!isSet) return { warnings: [] }
    const trust = yield* trusted
    const { servers, warnings } = readServerSettings(
      config.extensionSettings.filter((settings) => settings.scope === "user" || trust),
      config
    )
    usable = servers.filter(isThere)
    return { warnings }
  })

  const places = { path: config.env["PATH"], cwd: config.launchFolder, platform: config.platform }
  const programOf = ({ argv: [program = ""] }: ServerDefinition) => findProgram(program, places)

  const isThere = (definition: ServerDefinition): boolean =>
    slots.get(definition.name)?.dead === undefined && "program" in programOf(definition)

  const slotOf = (definition: ServerDefinition): Slot => {
    const known = slots.get(definition.name)
    if (known?.definition === definition) return known
    const slot: Slot = { definition, starts: 0, current: undefined, dead: undefined }
    slots.set(definition.name, slot)
    return slot
  }

  const start = (definition: ServerDefinition): Effect.Effect<LspClient, LspFailure, Scope.Scope> =>
    Effect.gen(function* () {
      const found = programOf(definition)
      if ("problem" in found) return yield* new LspFailure({ message: found.problem })
      const program = yield* programs
        .start({
          argv: [found.program, ...definition.argv.slice(1)],
          cwd: config.launchFolder,
          // A server runs code of others' making: it has no use for the key.
          env: { LITELLM_API_KEY: undefined, OPENAI_API_KEY: undefined, ...definition.env },
          maxLine: 0
        })
        .pipe(Effect.mapError(({ message }) => new LspFailure({ message })))
      return yield* connect(program, definition, config.launchFolder)
    })

  /** A life of the server: begins in the background, so that whoever gave up waiting does not end it. */
  const begin = (slot: Slot): Effect.Effect<LspClient, LspFailure> =>
    Effect.gen(function* () {
      slot.starts++
      const life = { ready: Deferred.makeUnsafe<LspClient, LspFailure>(), client: undefined as LspClient | undefined }
      slot.current = life
      const work = start(slot.definition).pipe(
        Scope.provide(scope),
        Effect.tap((client) => Effect.sync(() => (life.client = client))),
        Effect.onExit((exit) => Deferred.done(life.ready, exit))
      )
      yield* Effect.forkIn(work, scope)
      return yield* Deferred.await(life.ready)
    })

  /** Notes the end of a life; the next use begins another, or nothing can be used any more. */
  const end = (slot: Slot, why: string): void => {
    slot.current = undefined
    const { name } = slot.definition
    if (slot.starts < MAX_STARTS) {
      news.push(
        text(
          `The language server ${name} ended unexpectedly (${why}); it is started once more.`,
          `Le serveur de langage ${name} s'est arrêté de façon inattendue (${why}) ; il est relancé une fois.`
        )
      )
      return
    }
    slot.dead = why
    usable = usable.filter((definition) => definition !== slot.definition)
    news.push(
      text(
        `The language server ${name} does not work and is not used any more: ${why}.`,
        `Le serveur de langage ${name} ne fonctionne pas et n'est plus utilisé : ${why}.`
      )
    )
  }

  const running = (definition: ServerDefinition): Effect.Effect<LspClient, LspFailure> =>
    Effect.gen(function* () {
      const slot = slotOf(definition)
      const life = slot.current
      if (life?.client?.hasEnded === true) end(slot, life.client.lastWords)
      if (slot.dead !== undefined) return yield* new LspFailure({ message: `${definition.name}: ${slot.dead}` })
      const current = slot.current
      const client = current === undefined ? begin(slot) : Deferred.await(current.ready)
      return yield* client.pipe(
        Effect.tapError((failure) =>
          Effect.sync(() => {
            // Several may have waited: the life ends once.
            if (slot.current !== undefined && slot.current.client === undefined) end(slot, failure.message)
          })
        )
      )
    })

  const forFile = (path: string) =>
    Effect.sync((): ServerForFile | undefined => {
      for (const definition of usable) {
        const language = languageOf(definition, path)
        if (language !== undefined) return { definition, language }
      }
      return undefined
    })

  const readFile = Effect.fnUntraced(
    function* (path: string) {
      const info = yield* fs.stat(path)
      if (info.type === "File" && Number(info.size) <= MAX_FILE) return yield* fs.readFileString(path)
      return yield* new LspFailure({ message: "it is no file of at most 2 MB" })
    },
    Effect.catchTag("PlatformError", (error) =>
      Effect.fail(new LspFailure({ message: `it cannot be read (${error.reason._tag})` }))
    )
  )

  /** Files that others have changed meanwhile: a server believes what it was told. */
  const refresh = Effect.fnUntraced(function* (client: LspClient, but: string) {
    for (const path of client.openFiles) {
      if (path === but) continue
      const content = yield* Effect.option(readFile(path))
      if (content._tag === "None") yield* client.close(path)
      else yield* client.sync(path, "", content.value)
    }
  })

  const open = Effect.fn("LspServers.open")(function* (path: string) {
    const server = yield* forFile(path)
    if (server === undefined) return yield* new LspFailure({ message: "no language server is set up for such files" })
    const content = yield* readFile(path)
    const client = yield* running(server.definition)
    yield* refresh(client, path)
    const isNews = yield* client.sync(path, server.language, content)
    const file: OpenFile = { client, server: server.definition.name, content, isNews }
    return file
  })

  const afterChange = Effect.fn("LspServers.afterChange")(function* (path: string, within: Duration.Input) {
    if ((yield* forFile(path)) === undefined) return undefined
    const asked = Effect.gen(function* () {
      const { client, isNews, server } = yield* open(path)
      yield* client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: uriOf(path), type: 2 }] })
      const diagnostics = yield* client.diagnostics(path, isNews, { first: 1_000, quiet: 1_000, settle: 150 })
      return diagnostics === undefined ? undefined : { server, diagnostics }
    })
    const answer = yield* Effect.timeoutOption(Effect.option(asked), within)
    return answer._tag === "Some" && answer.value._tag === "Some" ? answer.value.value : undefined
  })

  return LspServers.of({
    load,
    usable: Effect.sync(() => usable),
    forFile,
    open,
    running,
    afterChange,
    takeNews: Effect.sync(() => {
      const taken = news
      news = []
      return taken
    })
  })
})
