/** The file and search tools on a temporary launch folder. */
import { Effect, Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Tool, ToolContext, ToolOutput } from "../../../src/domain/tool.ts"
import { FileLedger } from "../../../src/tools/files/FileLedger.ts"
import { FilePaths } from "../../../src/tools/files/filePath.ts"
import { SearchEngine } from "../../../src/tools/search/SearchEngine.ts"
import { testConfigLayer } from "../../support/testConfig.ts"

export const folder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "maia-files-")))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

export const services = (launchFolder: string) =>
  Layer.mergeAll(FileLedger.layer, FilePaths.layer, SearchEngine.layer).pipe(
    Layer.provideMerge(testConfigLayer({ launchFolder, home: launchFolder })),
    Layer.provideMerge(NodeServices.layer)
  )

export const context: ToolContext = {
  callId: "test",
  progress: () => Effect.void,
  outputLimit: 30_000,
  model: { id: "test", images: true }
}

/** Runs a call as the runner does; a failure is its message. */
export const call = (tool: Tool, input: unknown, more: Partial<ToolContext> = {}) =>
  Effect.gen(function* () {
    const prepared = yield* tool.prepare(input)
    const output: ToolOutput = yield* prepared.run({ ...context, ...more })
    return output
  }).pipe(Effect.catchTag("ToolFailure", (failure) => Effect.succeed({ text: failure.message, isError: true })))
