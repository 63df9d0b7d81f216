/**
 * The connection to one running language server: messages, the documents it has been given, the diagnostics it publishes. Shows it no file that it was not asked to open.
 */
import { Deferred, Effect, Option, Schema, Stream, type Scope } from "effect"
import { pathToFileURL } from "node:url"
import type { ChildProgram } from "../../process/ChildPrograms.ts"
import { JsonRpc, LspFailure, type RpcHandlers } from "./JsonRpc.ts"
import { diagnosticsOf, PublishedParams, type Diagnostic } from "./protocol.ts"
import type { ServerDefinition } from "./serverSettings.ts"

/** Documents kept open with the server. */
const MAX_DOCUMENTS = 50
const INITIALIZE = "60 seconds"
const REQUEST = "30 seconds"

interface OpenDocument {
  version: number
  text: string
}

interface Published {
  readonly version: number | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

type Listener = (uri: string, published: Published) => void

export class LspClient {
  readonly program: ChildProgram
  private readonly rpc: JsonRpc
  private readonly documents = new Map<string, OpenDocument>()
  private readonly published = new Map<string, Published>()
  private readonly listeners = new Set<Listener>()

  constructor(program: ChildProgram, answers: RpcHandlers["answers"]) {
    this.program = program
    this.rpc = new JsonRpc(program.write, {
      answers,
      notified: (method, params) => {
        if (method === "textDocument/publishDiagnostics") this.publish(params)
      }
    })
  }

  /** The server's answer, unchecked. Interruption tells the server that nobody waits any more. */
  request(method: string, params: unknown, within: typeof REQUEST | typeof INITIALIZE = REQUEST) {
    return this.rpc.request(method, params).pipe(
      Effect.raceFirst(this.ended),
      Effect.timeoutOrElse({
        duration: within,
        orElse: () => Effect.fail(new LspFailure({ message: `${method} took longer than ${within}` }))
      })
    )
  }

  /** A server that has gone is noticed by its exit. */
  notify(method: string, params: unknown): Effect.Effect<void> {
    return this.rpc.notify(method, params)
  }

  /** Bytes the server has written. */
  receive(bytes: Uint8Array): Effect.Effect<void> {
    return this.rpc.receive(bytes)
  }

  /** Fails when the program ends. */
  private get ended(): Effect.Effect<never, LspFailure> {
    return Effect.flatMap(this.program.exited, () => Effect.fail(new LspFailure({ message: this.lastWords })))
  }

  get hasEnded(): boolean {
    return this.program.exit() !== undefined
  }

  /** How it ended, and the last line it wrote. */
  get lastWords(): string {
    const exit = this.program.exit()
    const how = exit === undefined ? "" : exit.kind === "exited" ? `exit code ${exit.code}` : `signal ${exit.signal}`
    const [line] = this.program.errorTail().trimEnd().split("\n").slice(-1)
    return `it ended (${how})${line === undefined || line === "" ? "" : `: ${line.slice(0, 300)}`}`
  }

  /** Gives the server the text of a file as it is now. True when that is news to it. */
  sync(path: string, language: string, text: string): Effect.Effect<boolean> {
    const uri = uriOf(path)
    const open = this.documents.get(uri)
    if (open === undefined) {
      return Effect.gen({ self: this }, function* () {
        yield* this.closeOldest()
        this.documents.set(uri, { version: 1, text })
        const textDocument = { uri, languageId: language, version: 1, text }
        yield* this.notify("textDocument/didOpen", { textDocument })
        return true
      })
    }
    if (open.text === text) return Effect.succeed(false)
    return Effect.gen({ self: this }, function* () {
      open.version++
      open.text = text
      const textDocument = { uri, version: open.version }
      yield* this.notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] })
      yield* this.notify("textDocument/didSave", { textDocument: { uri }, text })
      return true
    })
  }

  /** Files that are open with the server, by path. */
  get openFiles(): ReadonlyArray<string> {
    return [...this.documents.keys()].map((uri) => decodeURIComponent(new URL(uri).pathname))
  }

  close(path: string): Effect.Effect<void> {
    const uri = uriOf(path)
    if (!this.documents.delete(uri)) return Effect.void
    this.published.delete(uri)
    return this.notify("textDocument/didClose", { textDocument: { uri } })
  }

  /**
   * What the server says of a file after its last change, undefined where it says nothing within `first` milliseconds. A
   * server speaks in several steps: it gets `quiet` milliseconds more as long as it names no problem, `settle` once it has.
   */
  diagnostics(
    path: string,
    isNews: boolean,
    { first, quiet, settle }: { readonly first: number; readonly quiet: number; readonly settle: number }
  ): Effect.Effect<ReadonlyArray<Diagnostic> | undefined> {
    const uri = uriOf(path)
    const version = this.documents.get(uri)?.version ?? 0
    const fits = (given: Published) => given.version === undefined || given.version >= version
    const known = this.published.get(uri)
    let latest = !isNews && known !== undefined && fits(known) ? known : undefined
    let arrived = Deferred.makeUnsafe<void>()
    const namesProblems = () => latest !== undefined && latest.diagnostics.length > 0
    const listen: Listener = (about, given) => {
      if (about !== uri || !fits(given)) return
      latest = given
      Deferred.doneUnsafe(arrived, Effect.void)
    }
    /** Whether something came in time. */
    const wait = (millis: number) =>
      Effect.suspend(() => {
        arrived = Deferred.makeUnsafe<void>()
        return Effect.timeoutOption(Deferred.await(arrived), millis)
      }).pipe(Effect.raceFirst(Effect.as(Effect.ignore(this.ended), Option.none())))
    const listening = Effect.gen(function* () {
      if (namesProblems()) return
      let more = latest === undefined ? yield* wait(first) : Option.some<void>(undefined)
      while (Option.isSome(more) && !namesProblems()) more = yield* wait(quiet)
      if (namesProblems()) yield* wait(settle)
    })
    return Effect.acquireUseRelease(
      Effect.sync(() => this.listeners.add(listen)),
      () => Effect.map(listening, () => latest?.diagnostics),
      () => Effect.sync(() => this.listeners.delete(listen))
    )
  }

  private publish(value: unknown): void {
    const decoded = Schema.decodeUnknownOption(PublishedParams)(value)
    if (Option.isNone(decoded)) return
    const { diagnostics, uri, version } = decoded.value
    const given = { version: version ?? undefined, diagnostics: diagnosticsOf(diagnostics) }
    const key = canonical(uri)
    this.published.set(key, given)
    for (const listener of this.listeners) listener(key, given)
  }

  private closeOldest(): Effect.Effect<void> {
    const [oldest] = this.documents.keys()
    if (oldest === undefined || this.documents.size < MAX_DOCUMENTS) return Effect.void
    this.documents.delete(oldest)
    return this.notify("textDocument/didClose", { textDocument: { uri: oldest } })
  }
}

export const uriOf = (path: string): string => pathToFileURL(path).href

/** Servers escape more or less of a path. */
const canonical = (uri: string): string => {
  const url = URL.parse(uri)
  if (url?.protocol !== "file:") return uri
  try {
    return uriOf(decodeURIComponent(url.pathname))
  } catch {
    return uri
  }
}

/** Begins to speak with a program and has it take up its work in the folder. */
export const connect = Effect.fn("Lsp.connect")(function* (
  program: ChildProgram,
  definition: ServerDefinition,
  folder: string
): Effect.fn.Return<LspClient, LspFailure, Scope.Scope> {
  const client = new LspClient(program, answersTo(definition, folder))
  yield* Effect.forkScoped(Stream.runForEach(program.bytes, (bytes) => client.receive(bytes)))
  yield* client.request("initialize", initializeParams(definition, folder), INITIALIZE)
  yield* client.notify("initialized", {})
  if (definition.settings !== undefined) {
    yield* client.notify("workspace/didChangeConfiguration", { settings: definition.settings })
  }
  return client
})

/** What a server may ask: nothing of it changes a file or opens a window. */
const answersTo = (
  { settings }: ServerDefinition,
  folder: string
): Readonly<Record<string, (params: unknown) => unknown>> => ({
  "workspace/configuration": (params) => sectionsOf(params).map((section) => valueAt(settings, section)),
  "workspace/workspaceFolders": () => [workspaceFolder(folder)],
  "workspace/applyEdit": () => ({ applied: false }),
  "window/showMessageRequest": () => null,
  "window/showDocument": () => ({ success: false }),
  "window/workDoneProgress/create": () => null,
  "client/registerCapability": () => null,
  "client/unregisterCapability": () => null
})

const ConfigurationParams = Schema.Struct({
  items: Schema.Array(Schema.Struct({ section: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
})

const sectionsOf = (params: unknown): ReadonlyArray<string> =>
  Option.match(Schema.decodeUnknownOption(ConfigurationParams)(params), {
    onNone: () => [],
    onSome: ({ items }) => items.map(({ section }) => section ?? "")
  })

/** `a.b` in an object; null where there is none, as the protocol wants it. */
const valueAt = (settings: unknown, section: string): unknown => {
  let value = settings
  for (const name of section === "" ? [] : section.split(".")) {
    value =
      typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
  }
  return value ?? null
}

const workspaceFolder = (folder: string) => ({ uri: uriOf(folder), name: folder.slice(folder.lastIndexOf("/") + 1) })

const initializeParams = (definition: ServerDefinition, folder: string) => ({
  processId: process.pid,
  clientInfo: { name: "maia" },
  rootUri: uriOf(folder),
  rootPath: folder,
  workspaceFolders: [workspaceFolder(folder)],
  ...(definition.initializationOptions === undefined
    ? {}
    : { initializationOptions: definition.initializationOptions }),
  capabilities: {
    general: { positionEncodings: ["utf-16"] },
    workspace: { configuration: true, workspaceFolders: true, symbol: {}, didChangeConfiguration: {} },
    window: { workDoneProgress: false },
    textDocument: {
      synchronization: { didSave: true },
      publishDiagnostics: { versionSupport: true },
      hover: { contentFormat: ["plaintext", "markdown"] },
      definition: { linkSupport: true },
      references: {},
      documentSymbol: { hierarchicalDocumentSymbolSupport: true }
    }
  }
})
