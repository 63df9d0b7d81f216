/**
 * One MCP server over the life of maia (spec 08): started when it is first needed, started once more when it has crashed, its
 * tools known from the last time until it says otherwise.
 */
import { Effect, Exit, Scope, Semaphore } from "effect"
import type * as McpSchema from "effect/ai/McpSchema"
import { text, type Text } from "../../domain/text.ts"
import type { Changed, Connection, ConnectOptions } from "./connect.ts"
import { McpFailure } from "./McpFailure.ts"
import type { ServerSettings } from "./serverSettings.ts"
import { plain, type Kept, type RemoteTool } from "./toolCache.ts"

export interface ServerStatus {
  readonly name: string
  readonly type: ServerSettings["type"]
  /** `known`: its tools are known from before, it is started when one is called. */
  readonly state: "idle" | "known" | "starting" | "ready" | "failed"
  readonly tools: number
  /** How often it ended unasked. */
  readonly crashes: number
  readonly problem?: Text
}

export interface ServerOptions extends Omit<ConnectOptions, "onChanged" | "onGone"> {
  /** Connections live in it. */
  readonly scope: Scope.Scope
  readonly kept: Kept | undefined
  /** The list of tools is another one. */
  readonly onTools: (tools: ReadonlyArray<RemoteTool>) => Effect.Effect<void>
  /** Says that the list of tools is to be asked for anew (`refresh`), soon and elsewhere. */
  readonly onChanged: (server: McpServer) => void
  /** It could not be started. */
  readonly onFailed: (why: Text) => Effect.Effect<void>
}

/** Unasked ends after which it is started once more. */
const MOST_CRASHES = 1

interface Open {
  readonly connection: Connection
  readonly scope: Scope.Closeable
  /** The live descriptions by name. */
  tools: ReadonlyMap<string, McpSchema.Tool>
}

export class McpServer {
  readonly settings: ServerSettings
  private readonly options: ServerOptions
  private readonly gate = Semaphore.makeUnsafe(1)
  private open: Open | undefined
  private starting = false
  /** Starts that have come to an end, and how the last one failed. */
  private attempts = 0
  private failure: McpFailure | undefined
  private crashes = 0
  private problem: Text | undefined
  private remote: ReadonlyArray<RemoteTool>
  /** A notice is waiting: those that come meanwhile are the same. */
  private isStale = false

  constructor(options: ServerOptions) {
    this.options = options
    this.settings = options.server
    this.remote = options.kept?.tools ?? []
  }

  /** As far as known. */
  get tools(): ReadonlyArray<RemoteTool> {
    return this.remote
  }

  get status(): ServerStatus {
    const { name, type } = this.settings
    const state =
      this.open !== undefined
        ? "ready"
        : this.starting
          ? "starting"
          : this.problem !== undefined
            ? "failed"
            : this.options.kept?.tools === undefined
              ? "idle"
              : "known"
    const problem = this.problem === undefined ? {} : { problem: this.problem }
    return { name, type, state, tools: this.remote.length, crashes: this.crashes, ...problem }
  }

  /** The connection, made when there is none. Several that wait get the same one. */
  readonly connection: Effect.Effect<Connection, McpFailure> = Effect.suspend(() => {
    const before = this.attempts
    return this.open === undefined
      ? this.gate.withPermit(Effect.suspend(() => this.connect(before)))
      : Effect.succeed(this.open.connection)
  })

  /** Whoever waited for a start that failed need not wait for another one. */
  private connect(before: number): Effect.Effect<Connection, McpFailure> {
    if (this.open !== undefined) return Effect.succeed(this.open.connection)
    if (this.attempts !== before && this.failure !== undefined) return Effect.fail(this.failure)
    return Effect.map(this.start(), ({ connection }) => connection)
  }

  call(name: string, args: Record<string, unknown>): Effect.Effect<McpSchema.CallToolResult, McpFailure> {
    return this.retried(
      Effect.gen({ self: this }, function* () {
        const connection = yield* this.connection
        const tool = this.open?.tools.get(name)
        if (tool === undefined) {
          return yield* new McpFailure({
            text: text(
              `MCP server ${this.settings.name} no longer has a tool ${name}.`,
              `Le serveur MCP ${this.settings.name} n'a plus d'outil ${name}.`
            ),
            isGone: false
          })
        }
        return yield* connection.call(tool, args)
      })
    )
  }

  /** For what changes nothing: lists, resources, prompts. */
  ask<A>(question: (connection: Connection) => Effect.Effect<A, McpFailure>): Effect.Effect<A, McpFailure> {
    return this.retried(Effect.flatMap(this.connection, question))
  }

  /** A connection that turns out to be dead before anything was asked of the new one is made once more. */
  private retried<A>(work: Effect.Effect<A, McpFailure>): Effect.Effect<A, McpFailure> {
    const isFresh = Effect.sync(() => this.open === undefined)
    return Effect.flatMap(isFresh, (fresh) =>
      Effect.catchTag(work, "McpFailure", (failure) => {
        if (!failure.isGone) return Effect.fail(failure)
        return Effect.andThen(this.drop(failure.text), fresh ? Effect.fail(failure) : this.mayRetry(failure, work))
      })
    )
  }

  private mayRetry<A>(failure: McpFailure, work: Effect.Effect<A, McpFailure>): Effect.Effect<A, McpFailure> {
    // A call that was under way may have done its work: only the model can tell whether to repeat it.
    return this.settings.type === "http" ? work : Effect.fail(failure)
  }

  private start(): Effect.Effect<Open, McpFailure> {
    return Effect.gen({ self: this }, function* () {
      if (this.crashes > MOST_CRASHES) {
        return yield* new McpFailure({
          text: text(
            `MCP server ${this.settings.name} has ended ${this.crashes} times; it is not started again in this run.`,
            `Le serveur MCP ${this.settings.name} s'est terminé ${this.crashes} fois ; il n'est plus relancé cette fois.`
          ),
          isGone: true
        })
      }
      this.starting = true
      const { connect } = yield* Effect.promise(() => import("./connect.ts"))
      const scope = yield* Scope.fork(this.options.scope)
      const open = yield* connect({
        ...this.options,
        onChanged: (changed) => this.noteChange(changed),
        onGone: (why) => this.noteGone(scope, why)
      }).pipe(
        Effect.flatMap((connection) => Effect.map(connection.tools, (tools) => ({ connection, tools }))),
        Scope.provide(scope),
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
      )
      this.problem = undefined
      this.failure = undefined
      this.open = { connection: open.connection, scope, tools: new Map(open.tools.map((tool) => [tool.name, tool])) }
      yield* this.learn(open.tools)
      return this.open
    }).pipe(
      Effect.tapError((failure) => {
        this.problem = failure.text
        this.failure = failure
        return this.options.onFailed(failure.text)
      }),
      Effect.ensuring(
        Effect.sync(() => {
          this.starting = false
          this.attempts++
        })
      )
    )
  }

  private learn(tools: ReadonlyArray<McpSchema.Tool>): Effect.Effect<void> {
    const remote = tools.map(plainTool)
    const isSame = JSON.stringify(remote) === JSON.stringify(this.remote)
    if (isSame) return Effect.void
    this.remote = remote
    return this.options.onTools(remote)
  }

  private noteChange(changed: Changed): void {
    if (changed !== "tools" || this.isStale) return
    this.isStale = true
    this.options.onChanged(this)
  }

  /** Takes the list of tools of a server that has said it is another one. */
  readonly refresh: Effect.Effect<void> = Effect.suspend(() => {
    this.isStale = false
    const { open } = this
    if (open === undefined) return Effect.void
    return open.connection.tools.pipe(
      Effect.flatMap((tools) => {
        open.tools = new Map(tools.map((tool) => [tool.name, tool]))
        return this.learn(tools)
      }),
      Effect.ignore
    )
  })

  private noteGone(scope: Scope.Closeable, why: Text): void {
    if (this.open?.scope !== scope) return
    this.open = undefined
    this.crashes++
    this.problem = why
  }

  private drop(why: Text): Effect.Effect<void> {
    const { open } = this
    if (open === undefined) return Effect.void
    this.open = undefined
    this.crashes++
    this.problem = why
    return Scope.close(open.scope, Exit.void)
  }
}

const plainTool = ({ description, inputSchema, name }: McpSchema.Tool): RemoteTool =>
  plain({
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: Object.fromEntries(Object.entries(inputSchema))
  })
