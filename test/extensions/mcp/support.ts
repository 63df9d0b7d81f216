/** MCP servers of a test's own, started for real. */
import { Effect, Layer, Schedule } from "effect"
import { join, resolve } from "node:path"
import { readFileSync } from "node:fs"
import type { Tool, ToolOutput } from "../../../src/domain/tool.ts"
import { McpServers } from "../../../src/extensions/mcp/McpServers.ts"
import { Extensions } from "../../../src/extensions/Extensions.ts"
import { ToolSet } from "../../../src/tools/ToolSet.ts"
import { context } from "../../tools/files/support.ts"
import { around, type Folders } from "../support.ts"

const FAKE = resolve(import.meta.dirname, "fakeServer.ts")

/** Settings of a fake server with these flags. */
export const fake = (at: Folders, ...flags: ReadonlyArray<string>) => ({
  command: process.execPath,
  args: [FAKE, join(at.root, "starts"), ...flags]
})

export const starts = (at: Folders): number => {
  try {
    return readFileSync(join(at.root, "starts"), "utf8").split("\n").length - 1
  } catch {
    return 0
  }
}

export const withServers = <A, E, R>(
  at: Folders,
  servers: Readonly<Record<string, unknown>>,
  use: Effect.Effect<A, E, R>,
  more: { readonly scope?: "user" | "project"; readonly trusted?: boolean } = {}
) => {
  const extensionSettings = [
    { key: "mcpServers" as const, scope: more.scope ?? "user", file: "settings.json", line: 1, value: servers }
  ]
  const config = { extensionSettings, env: { HOME: at.home, PATH: process.env["PATH"] } }
  const extensions = Layer.unwrap(Effect.map(McpServers, ({ kind }) => Extensions.layer([kind])))
  return use.pipe(
    Effect.provide(
      extensions.pipe(
        Layer.provideMerge(McpServers.layer),
        Layer.provideMerge(Layer.succeed(ToolSet, ToolSet.of({ tools: [] }))),
        Layer.provideMerge(around(at, { config, trusted: more.trusted ?? true }))
      )
    ),
    Effect.scoped
  )
}

/** Runs a tool by name as the runner does; a failure is its message. */
export const callTool = (name: string, input: unknown) =>
  Effect.gen(function* () {
    const extensions = yield* Extensions
    const tool: Tool | undefined = (yield* extensions.tools).find((one) => one.name === name)
    if (tool === undefined) return { text: `no tool ${name}`, isError: true } satisfies ToolOutput
    const prepared = yield* tool.prepare(input)
    return yield* prepared.run(context)
  }).pipe(
    Effect.catchTag("ToolFailure", (failure) => Effect.succeed<ToolOutput>({ text: failure.message, isError: true }))
  )

export const toolNames = Effect.gen(function* () {
  const extensions = yield* Extensions
  return (yield* extensions.tools).map(({ name }) => name)
})

export const loaded = Effect.flatMap(Extensions, (extensions) => extensions.load)

/** Waits until it is so, 5 s at most. */
export const until = <R>(isSo: Effect.Effect<boolean, never, R>): Effect.Effect<void, never, R> =>
  isSo.pipe(
    Effect.filterOrFail(
      (so) => so,
      () => "not yet" as const
    ),
    Effect.retry({ schedule: Schedule.spaced(10), times: 500 }),
    Effect.orDie
  )
