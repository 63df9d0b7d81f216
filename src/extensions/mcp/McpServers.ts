/**
 * The MCP servers of the settings (spec 08): their tools as tools of maia, their resources by `@server:uri`, their prompts as
 * slash commands. None is started before it is needed, and none delays a prompt. The project's only while it is trusted.
 */
import { Clock, Context, Effect, Fiber, type FileSystem, Layer, Option, type Path, Queue, Scope } from "effect"
import type * as McpSchema from "effect/ai/McpSchema"
import { Config } from "../../config/Config.ts"
import { text, type Text } from "../../domain/text.ts"
import type { Tool } from "../../domain/tool.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import { ChildPrograms } from "../../process/ChildPrograms.ts"
import type { Contribution, ExtensionKind } from "../Extensions.ts"
import { resourceText } from "./callOutput.ts"
import { McpFailure } from "./McpFailure.ts"
import { McpServer, type ServerStatus } from "./McpServer.ts"
import { mcpTool } from "./mcpTool.ts"
import { readServers, type ServerSettings } from "./serverSettings.ts"
import { readKept, writeKept } from "./toolCache.ts"
import { toolName } from "./toolNames.ts"

export interface McpPrompt {
  readonly server: string
  readonly name: string
  readonly description: string | undefined
  /** Names of its arguments, in order; required ones first. */
  readonly arguments: ReadonlyArray<{ readonly name: string; readonly required: boolean }>
}

export interface McpResource {
  readonly server: string
  readonly uri: string
  readonly name: string
}

export class McpServers extends Context.Service<
  McpServers,
  {
    readonly kind: ExtensionKind
    readonly status: Effect.Effect<ReadonlyArray<ServerStatus>>
    /** Starts a server (or all) and gives what became of it. */
    readonly start: (name?: string) => Effect.Effect<ReadonlyArray<ServerStatus>>
    /** Of one server, or of all that have not failed. */
    readonly prompts: (server?: string) => Effect.Effect<ReadonlyArray<McpPrompt>>
    readonly resources: (server?: string) => Effect.Effect<ReadonlyArray<McpResource>>
    /** The text of a prompt, for the model. Values beyond those it takes go to the last one. */
    readonly prompt: (server: string, name: string, args: ReadonlyArray<string>) => Effect.Effect<string, McpFailure>
    /** Undefined where no server has this name. */
    readonly read: (server: string, uri: string) => Effect.Effect<string | undefined, McpFailure>
  }
>()("maia/extensions/McpServers") {
  static readonly layer = Layer.effect(
    McpServers,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(ChildPrograms.layer))
}

/** Of one server; each costs tokens of every request. */
const MOST_TOOLS = 200
/** Milliseconds after which a kept list is looked at again in the background. */
const FRESH = 24 * 3_600_000
/** A server that is not known yet is given this long before the first request goes out without its tools, once. */
const FIRST_START = "1500 millis"
/** Before a server is started only to see what it offers now: the first request goes out meanwhile. */
const LOOK_AGAIN = "1 second"

const make = Effect.gen(function* () {
  const config = yield* Config
  const trusted = yield* TrustState
  const programs = yield* ChildPrograms
  const files = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  // All are left at once: each may take its time.
  const scope = yield* Effect.flatMap(Effect.scope, (outer) => Scope.fork(outer, "parallel"))
  const servers = new Map<string, McpServer>()
  const changes = yield* Queue.unbounded<McpServer>()
  const troubles: Array<Text> = []
  const told = new Set<string>()
  let warnings: ReadonlyArray<Text> = []
  let isRead = false
  let tools: ReadonlyArray<Tool> = []
  let isOld = false

  const keep = (server: ServerSettings, found: McpServer["tools"] | undefined) =>
    Effect.provide(writeKept(config.cacheDir, server, config.launchFolder, found), files)

  const known = Effect.fnUntraced(function* (settings: ServerSettings) {
    const kept = yield* Effect.provide(readKept(config.cacheDir, settings, config.launchFolder), files)
    const server: McpServer = new McpServer({
      server: settings,
      programs,
      launchFolder: config.launchFolder,
      env: config.env,
      platform: config.platform,
      version: config.version,
      scope,
      kept,
      onTools: (found) =>
        Effect.suspend(() => {
          isOld = true
          return keep(settings, found)
        }),
      onChanged: (one) => void Queue.offerUnsafe(changes, one),
      onFailed: (why) =>
        Effect.suspend(() => {
          warn(why)
          return kept === undefined ? keep(settings, undefined) : Effect.void
        })
    })
    return { server, kept }
  })

  const start = Effect.fnUntraced(function* ({ kept, server }: Effect.Success<ReturnType<typeof known>>) {
    // One that could not be started is tried again each time: what was missing may be there now.
    if (kept?.tools !== undefined && (yield* Clock.currentTimeMillis) - kept.time < FRESH) return
    const connected = Effect.ignore(server.connection)
    if (kept !== undefined) return void (yield* Effect.forkIn(Effect.delay(connected, LOOK_AGAIN), scope))
    const started = yield* Effect.forkIn(connected, scope)
    const inTime = yield* Effect.timeoutOption(Fiber.await(started), FIRST_START)
    // A slow one is waited for once, not at each start until a run is long enough for it.
    if (Option.isNone(inTime) && server.tools.length === 0) yield* keep(server.settings, undefined)
  })

  const read = Effect.gen(function* () {
    if (isRead) return
    isRead = true
    const isTrusted = yield* trusted
    const sources = config.extensionSettings.filter(
      ({ key, scope: from }) => key === "mcpServers" && (from === "user" || isTrusted)
    )
    if (sources.length === 0) return
    const found = readServers(sources, config.env)
    warnings = found.warnings
    isOld = true
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.take(changes), (server) => server.refresh)))
    const opened = yield* Effect.forEach(found.servers, known, { concurrency: "unbounded" })
    // In order of names, whichever was read first: the names of tools depend on it.
    for (const { server } of opened) servers.set(server.settings.name, server)
    yield* Effect.forEach(opened, start, { concurrency: "unbounded", discard: true })
  }).pipe(Effect.provideService(Scope.Scope, scope))

  const warn = (warning: Text): void => {
    if (!told.has(warning.en)) troubles.push(warning)
    told.add(warning.en)
  }

  /** Those that are wanted; a server does not decide how much each request costs. */
  const offered = ({ settings, tools: all }: McpServer) => {
    const wanted = all.filter(({ name }) => settings.tools === undefined || settings.tools.includes(name))
    if (wanted.length > MOST_TOOLS) warn(tooManyTools(settings.name, wanted.length))
    return wanted.slice(0, MOST_TOOLS)
  }

  /** The same array until a list changes. */
  const current = Effect.sync(() => {
    if (!isOld) return tools
    isOld = false
    const taken = new Set<string>()
    tools = [...servers.values()].flatMap((server) => {
      return offered(server).map((remote) => {
        const name = toolName(server.settings.name, remote.name, taken)
        taken.add(name)
        return mcpTool(server, remote, name)
      })
    })
    return tools
  })

  const load = Effect.gen(function* () {
    yield* read
    const contribution: Contribution = { tools: yield* current, prompt: [], warnings }
    return contribution
  })

  const all = Effect.map(read, () => [...servers.values()])
  const status = Effect.map(all, (list) => list.map((server) => server.status))

  const ofEach = <A>(name: string | undefined, ask: (server: McpServer) => Effect.Effect<ReadonlyArray<A>>) =>
    Effect.gen(function* () {
      const list = (yield* all).filter(({ settings, status }) =>
        name === undefined ? status.state !== "failed" : settings.name === name
      )
      return (yield* Effect.forEach(list, ask, { concurrency: "unbounded" })).flat()
    })

  const takeWarnings = Effect.sync(() => troubles.splice(0))

  return McpServers.of({
    kind: { name: "MCP", load, current, takeWarnings },
    status,
    start: Effect.fn("McpServers.start")(function* (name) {
      const wanted = (yield* all).filter((server) => name === undefined || server.settings.name === name)
      yield* Effect.forEach(wanted, (server) => Effect.ignore(server.connection), { concurrency: "unbounded" })
      return wanted.map((server) => server.status)
    }),
    prompts: (server) => ofEach(server, promptsOf),
    resources: (server) => ofEach(server, resourcesOf),
    prompt: Effect.fn("McpServers.prompt")(function* (serverName, name, args) {
      yield* read
      const server = servers.get(serverName)
      if (server === undefined) return yield* unknownServer(serverName)
      return yield* server.ask((connection) =>
        Effect.gen(function* () {
          const prompt = (yield* connection.prompts).find((one) => one.name === name)
          if (prompt === undefined) return yield* unknownPrompt(serverName, name)
          const result = yield* connection.prompt(prompt, named(prompt.arguments ?? [], args))
          return result.messages.map(({ content }) => promptText(content)).join("\n\n")
        })
      )
    }),
    read: Effect.fn("McpServers.read")(function* (serverName, uri) {
      yield* read
      const server = servers.get(serverName)
      if (server === undefined) return undefined
      const result = yield* server.ask((connection) => connection.read(uri))
      return result.contents.map(resourceText).join("\n")
    })
  })
})

const promptsOf = (server: McpServer): Effect.Effect<ReadonlyArray<McpPrompt>> =>
  server
    .ask((connection) => connection.prompts)
    .pipe(
      Effect.map((prompts) =>
        prompts.map((prompt) => ({
          server: server.settings.name,
          name: prompt.name,
          description: prompt.description,
          arguments: ordered(prompt.arguments ?? []).map(({ name, required }) => ({
            name,
            required: required === true
          }))
        }))
      ),
      Effect.orElseSucceed(() => [])
    )

const resourcesOf = (server: McpServer): Effect.Effect<ReadonlyArray<McpResource>> =>
  server
    .ask((connection) => connection.resources)
    .pipe(
      Effect.map((found) => found.map(({ name, uri }) => ({ server: server.settings.name, name, uri }))),
      Effect.orElseSucceed(() => [])
    )

interface Argument {
  readonly name: string
  readonly required?: boolean | undefined
}

const ordered = <A extends Argument>(list: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...list.filter(({ required }) => required === true),
  ...list.filter(({ required }) => required !== true)
]

/** `name=value` anywhere; the others by place, the last one taking all that is left. */
const named = (known: ReadonlyArray<Argument>, values: ReadonlyArray<string>): Record<string, string> => {
  const given: Record<string, string> = {}
  const rest: Array<string> = []
  for (const value of values) {
    const [, name = "", said = ""] = /^([A-Za-z_][\w-]*)=([\s\S]*)$/.exec(value) ?? []
    if (known.some((one) => one.name === name)) given[name] = said
    else rest.push(value)
  }
  const open = ordered(known).filter(({ name }) => given[name] === undefined)
  for (const [at, { name }] of open.entries()) {
    const said = at === open.length - 1 ? rest.slice(at).join(" ") : rest[at]
    if (said !== undefined && said !== "") given[name] = said
  }
  return given
}

const promptText = (content: McpSchema.GetPromptResult["messages"][number]["content"]): string => {
  switch (content.type) {
    case "text":
      return content.text
    case "resource":
      return resourceText(content.resource)
    case "resource_link":
      return `[resource ${content.name}: ${content.uri}]`
    default:
      return `[${content.type}; not shown]`
  }
}

const tooManyTools = (name: string, count: number) =>
  text(
    `MCP server ${name} offers ${count} tools; the first ${MOST_TOOLS} are declared. Name those you want under "tools" of the server in the settings.`,
    `Le serveur MCP ${name} propose ${count} outils ; les ${MOST_TOOLS} premiers sont déclarés. Nommez ceux que vous voulez sous « tools » du serveur dans les réglages.`
  )

const unknownServer = (name: string) =>
  new McpFailure({
    text: text(`There is no MCP server "${name}".`, `Il n'y a pas de serveur MCP « ${name} ».`),
    isGone: false
  })

const unknownPrompt = (server: string, name: string) =>
  new McpFailure({
    text: text(
      `The MCP server ${server} has no prompt "${name}".`,
      `Le serveur MCP ${server} n'a pas de prompt « ${name} ».`
    ),
    isGone: false
  })
