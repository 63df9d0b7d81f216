/**
 * One connection to an MCP server over Effect's client (spec 08): stdio or streamable HTTP. Loaded only when a server is
 * needed. Lives in the scope it is opened in.
 */
import { Cause, Effect, Predicate, type Scope } from "effect"
import { McpClient, McpProtocol } from "effect/ai"
import type { McpClientError } from "effect/ai/McpClientError"
import type * as McpSchema from "effect/ai/McpSchema"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { ChildProcess } from "effect/process"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import { text, type Text } from "../../domain/text.ts"
import type { ChildProgram, ChildPrograms } from "../../process/ChildPrograms.ts"
import { findProgram } from "../../process/findProgram.ts"
import { childSpawner } from "./childSpawner.ts"
import { McpFailure } from "./McpFailure.ts"
import { tolerant, type Negotiated } from "./negotiation.ts"
import type { ServerSettings } from "./serverSettings.ts"

/** Bytes of one message: a result of some megabytes is no reason to give up. */
const MAX_MESSAGE = 64 * 1024 * 1024

/** What a server says has changed. */
export type Changed = "tools" | "resources" | "prompts"

export interface Connection {
  readonly tools: Effect.Effect<ReadonlyArray<McpSchema.Tool>, McpFailure>
  readonly resources: Effect.Effect<ReadonlyArray<McpSchema.Resource>, McpFailure>
  readonly prompts: Effect.Effect<ReadonlyArray<McpSchema.Prompt>, McpFailure>
  readonly call: (
    tool: McpSchema.Tool,
    args: Record<string, unknown>
  ) => Effect.Effect<McpSchema.CallToolResult, McpFailure>
  readonly read: (uri: string) => Effect.Effect<McpSchema.ReadResourceResult, McpFailure>
  readonly prompt: (
    prompt: McpSchema.Prompt,
    args: Record<string, string>
  ) => Effect.Effect<McpSchema.GetPromptResult, McpFailure>
}

export interface ConnectOptions {
  readonly server: ServerSettings
  readonly programs: ChildPrograms["Service"]
  readonly launchFolder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly version: string
  readonly onChanged: (what: Changed) => void
  /** The server's process has ended; undefined where that is not known. */
  readonly onGone: (why: Text) => void
}

export const connect = Effect.fn("Mcp.connect")(function* (
  options: ConnectOptions
): Effect.fn.Return<Connection, McpFailure, Scope.Scope> {
  const { server, version } = options
  const started: Started = {}
  const negotiated: Negotiated = { version: undefined }
  const transport =
    server.type === "stdio"
      ? stdio(options, server, yield* located(options, server), started)
      : http(server, negotiated)
  const failed = (error: McpClientError): Effect.Effect<never, McpFailure> =>
    Effect.andThen(
      lastWords(error, started.program),
      Effect.suspend(() => toFailure(server, error, started.program))
    )
  const client = yield* Effect.gen(function* () {
    const plain = yield* transport
    yield* Effect.addFinalizer(() => goodbye(started))
    const made = yield* McpClient.make({ name: "maia", version, timeout: `${server.startTimeout} seconds` }).pipe(
      Effect.provideService(McpClient.Transport, tolerant(plain, negotiated))
    )
    started.answers = true
    return made
  }).pipe(Effect.catch(failed))
  const { program } = started
  if (program !== undefined) {
    yield* Effect.forkScoped(Effect.map(program.exited, () => options.onGone(ended(server, program))))
  }
  const timeout = `${server.timeout} seconds` as const
  return {
    tools: Effect.catch(client.listTools(), failed),
    resources: Effect.catch(client.listResources(), failed),
    prompts: Effect.catch(client.listPrompts(), failed),
    call: (tool, args) => Effect.catch(client.callTool({ tool, arguments: args }, { timeout }), failed),
    read: (uri) => Effect.catch(client.readResource({ uri }, { timeout }), failed),
    prompt: (prompt, args) => Effect.catch(client.getPrompt({ prompt, arguments: args }, { timeout }), failed)
  }
})

type StdioServer = Extract<ServerSettings, { readonly type: "stdio" }>

interface Located {
  /** Absolute. */
  readonly program: string
  readonly cwd: string
}

/** Where its program is; a program that is not there is said in words. */
const located = (
  { env, launchFolder, platform }: ConnectOptions,
  server: StdioServer
): Effect.Effect<Located, McpFailure> =>
  Effect.suspend(() => {
    const cwd = server.cwd ?? launchFolder
    const found = findProgram(server.command, { cwd, path: server.env["PATH"] ?? env["PATH"], platform })
    if ("program" in found) return Effect.succeed({ cwd, program: found.program })
    const { name } = server
    return new McpFailure({
      text: text(
        `MCP server ${name}: ${found.problem}.`,
        `Serveur MCP ${name} : le programme ${server.command} ne peut pas être lancé (${found.problem}).`
      ),
      isGone: false
    })
  })

interface Started {
  program?: ChildProgram
  /** It has said what it can do. */
  answers?: boolean
}

/** A server that leaves with its input is let go; any other is killed, and so is one that has not even begun. */
const goodbye = ({ answers = false, program }: Started): Effect.Effect<void> => {
  if (program === undefined) return Effect.void
  return answers
    ? program.endInput.pipe(
        Effect.andThen(Effect.timeoutOption(program.exited, "300 millis")),
        Effect.andThen(program.kill)
      )
    : program.kill
}

/** A server whose pipe has broken is about to say why it ends. */
const lastWords = ({ reason }: McpClientError, program: ChildProgram | undefined): Effect.Effect<void> =>
  program === undefined || !GONE.has(reason._tag)
    ? Effect.void
    : Effect.asVoid(Effect.timeoutOption(program.exited, "500 millis"))

const stdio = (
  { onChanged, programs }: ConnectOptions,
  server: StdioServer,
  { cwd, program }: Located,
  started: Started
) => {
  const spawner = childSpawner(
    programs,
    {
      argv: [program, ...server.args],
      cwd,
      env: server.env,
      maxLine: MAX_MESSAGE
    },
    {
      line: (line) => {
        const changed = line === undefined ? undefined : changeIn(line)
        if (changed !== undefined) onChanged(changed)
      },
      started: (program) => {
        started.program = program
      }
    }
  )
  return McpClient.stdio({
    // What is started is the request above; the client only asks for it.
    command: ChildProcess.make(server.command, [...server.args]),
    protocol: McpProtocol.v2025_11_25,
    maxMessageBytes: MAX_MESSAGE
  }).pipe(Effect.provideService(ChildProcessSpawner, spawner))
}

const http = (server: Extract<ServerSettings, { readonly type: "http" }>, negotiated: Negotiated) =>
  Effect.flatMap(HttpClient.HttpClient, (client) =>
    McpClient.http({
      url: server.url,
      headers: server.headers,
      protocol: McpProtocol.v2025_11_25,
      maxMessageBytes: MAX_MESSAGE
    }).pipe(
      Effect.provideService(
        HttpClient.HttpClient,
        HttpClient.mapRequest(client, (request) =>
          negotiated.version === undefined
            ? request
            : HttpClientRequest.setHeader(request, "mcp-protocol-version", negotiated.version)
        )
      )
    )
  ).pipe(Effect.provide(FetchHttpClient.layer))

const NOTICES: ReadonlyArray<readonly [method: string, changed: Changed]> = [
  ["notifications/tools/list_changed", "tools"],
  ["notifications/resources/list_changed", "resources"],
  ["notifications/prompts/list_changed", "prompts"]
]

/** Most lines are answers, some of megabytes: only short ones are looked at. */
const changeIn = (line: string): Changed | undefined =>
  line.length > 2_000 ? undefined : NOTICES.find(([method]) => line.includes(`"${method}"`))?.[1]

const GONE = new Set(["TransportError", "ClosedError"])

const toFailure = (
  server: ServerSettings,
  { reason }: McpClientError,
  program: ChildProgram | undefined
): McpFailure => {
  const isGone = GONE.has(reason._tag) || program?.exit() !== undefined
  if (program?.exit() !== undefined) return new McpFailure({ text: ended(server, program), isGone })
  const why = describe(reason, server)
  return new McpFailure({
    text: text(`MCP server ${server.name}: ${why.en}`, `Serveur MCP ${server.name} : ${why.fr}`),
    isGone
  })
}

const describe = (reason: McpClientError["reason"], server: ServerSettings): Text => {
  switch (reason._tag) {
    case "TimeoutError":
      return reason.operation === "initialization"
        ? text(
            `it did not answer within ${server.startTimeout} s of its start.`,
            `il n'a pas répondu dans les ${server.startTimeout} s après son lancement.`
          )
        : text(
            `it did not answer ${reason.operation} in time (${server.timeout} s).`,
            `il n'a pas répondu à ${reason.operation} à temps (${server.timeout} s).`
          )
    case "HttpError":
      return text(
        `it answered with HTTP status ${reason.status}${reason.description === undefined ? "" : `: ${reason.description}`}.`,
        `il a répondu par le statut HTTP ${reason.status}${reason.description === undefined ? "" : ` : ${reason.description}`}.`
      )
    case "TransportError": {
      const cause = reason.cause === undefined ? "" : firstLine(causeOf(reason.cause))
      const more = cause === "" ? "" : ` (${cause})`
      return text(`it cannot be reached${more}.`, `il est injoignable${more}.`)
    }
    default: {
      const said = "description" in reason && typeof reason.description === "string" ? reason.description : reason._tag
      return text(`${said}.`, `${said}.`)
    }
  }
}

/** The deepest reason that was given: its code (`ECONNREFUSED`) or its words. */
const causeOf = (cause: unknown): string => {
  let found = ""
  let at: unknown = Cause.isCause(cause) ? Cause.squash(cause) : cause
  for (let depth = 0; depth < 8 && Predicate.isObject(at); depth++) {
    const code = "code" in at && Predicate.isString(at.code) ? at.code : undefined
    found = code ?? ("message" in at && Predicate.isString(at.message) && at.message !== "" ? at.message : found)
    at = "reason" in at && Predicate.isObject(at.reason) ? at.reason : "cause" in at ? at.cause : undefined
  }
  return found
}

const firstLine = (message: string): string => message.split("\n", 1)[0]?.slice(0, 300) ?? ""

/** How its process ended, with the last of what it wrote to standard error. */
const ended = (server: ServerSettings, program: ChildProgram): Text => {
  const exit = program.exit()
  const how = exit === undefined ? "?" : exit.kind === "exited" ? `exit code ${exit.code}` : exit.signal
  const tail = program.errorTail().trim().split("\n").slice(-3).join(" | ").slice(-400)
  const more = tail === "" ? "" : `: ${tail}`
  return text(
    `MCP server ${server.name} has ended (${how})${more}`,
    `Le serveur MCP ${server.name} s'est terminé (${how})${more}`
  )
}
