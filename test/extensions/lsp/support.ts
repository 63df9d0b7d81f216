/** Language servers in tests: the scripted one, and the composition that the tool and Write and Edit run in. */
import { Effect, Layer } from "effect"
import { resolve } from "node:path"
import type { ToolContext } from "../../../src/domain/tool.ts"
import { Extensions } from "../../../src/extensions/Extensions.ts"
import { lspKind } from "../../../src/extensions/lsp/lspKind.ts"
import { LspServers } from "../../../src/extensions/lsp/LspServers.ts"
import { FileLedger } from "../../../src/tools/files/FileLedger.ts"
import { FilePaths } from "../../../src/tools/files/filePath.ts"
import { makeEdit } from "../../../src/tools/files/edit.ts"
import { makeWrite } from "../../../src/tools/files/write.ts"
import { ToolSet } from "../../../src/tools/ToolSet.ts"
import { around, type Around, type Folders } from "../support.ts"

const FAKE = resolve(import.meta.dirname, "fixtures/fakeServer.mjs")

export interface Plan {
  /** Ends with exit code 3 when it gets this. */
  readonly die?: string
  /** A file: it dies only as long as this is not there. */
  readonly once?: string
  /** Publishes no diagnostics. */
  readonly silent?: boolean
  /** Never answers this. */
  readonly slow?: string
  /** Answers this with an error. */
  readonly bad?: string
  readonly noise?: boolean
  /** Publishes an empty list first. */
  readonly later?: boolean
  readonly log?: string
}

/** The `lsp` settings with the scripted server for `.x` files. */
export const fake = (plan: Plan = {}, more: Readonly<Record<string, unknown>> = {}) => ({
  fake: { command: [process.execPath, FAKE, JSON.stringify(plan)], files: { ".x": "x" }, ...more }
})

export const withLsp = <A, E>(
  at: Folders,
  settings: unknown,
  use: Effect.Effect<A, E, Extensions | LspServers>,
  { scope = "user" as "user" | "project", ...options }: Around & { readonly scope?: "user" | "project" } = {}
) =>
  use.pipe(
    Effect.provide(
      Layer.unwrap(Effect.map(lspKind, (kind) => Extensions.layer([kind]))).pipe(
        Layer.provideMerge(LspServers.layer),
        Layer.provide(
          Layer.effect(
            ToolSet,
            Effect.map(Effect.all([makeWrite, makeEdit]), (tools) => ToolSet.of({ tools }))
          )
        ),
        Layer.provide(Layer.mergeAll(FilePaths.layer, FileLedger.layer)),
        Layer.provide(
          around(at, {
            ...options,
            config: { extensionSettings: [{ key: "lsp", scope, file: `/${scope}.json`, line: 2, value: settings }] }
          })
        )
      )
    )
  )

/** Calls a tool by name as it is now. */
export const callTool = (name: string, input: unknown) =>
  Effect.gen(function* () {
    const extensions = yield* Extensions
    const tool = (yield* extensions.tools).find((one) => one.name === name)
    if (tool === undefined) return yield* Effect.die(`there is no tool ${name}`)
    const context: ToolContext = {
      callId: "1",
      progress: () => Effect.void,
      outputLimit: 30_000,
      model: { id: "m", images: false }
    }
    const call = yield* tool.prepare(input)
    return yield* call.run(context)
  }).pipe(Effect.catchTag("ToolFailure", ({ message }) => Effect.succeed({ text: message, isError: true })))

export const load = Effect.flatMap(Extensions, (extensions) => extensions.load)

/** What people are told meanwhile. */
export const news = Effect.flatMap(Extensions, ({ takeWarnings }) =>
  Effect.map(takeWarnings, (all) => all.map(({ en }) => en))
)
