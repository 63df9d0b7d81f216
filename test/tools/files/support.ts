/** The file and search tools on a temporary launch folder. */
import { Effect, Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Tool, ToolContext, ToolOutput } from "../../../src/domain/tool.ts"
import { FileLedger } from "../../../src/tools/files/FileLedger.ts"
import { FilePaths } from "../../../src/tools/files/filePath.ts"
import { searchGuard } from "../../../src/permissions/searchGuard.ts"
import { HiddenFiles } from "../../../src/tools/search/HiddenFiles.ts"
import { SearchEngine } from "../../../src/tools/search/SearchEngine.ts"
import { testConfigLayer } from "../../support/testConfig.ts"

export const folder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "maia-files-")))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Rules for reading, as written. */
export interface ReadRules {
  readonly allow?: ReadonlyArray<string>
  readonly ask?: ReadonlyArray<string>
  readonly deny?: ReadonlyArray<string>
}

const hiddenBy = (rules: ReadRules, launchFolder: string) => {
  const all = (["allow", "ask", "deny"] as const).flatMap((kind) =>
    (rules[kind] ?? []).map((text) => ({ text, kind, scope: "user" as const, file: "test", line: 1 }))
  )
  const places = { launchFolder, home: `${launchFolder}-home`, outputDir: `${launchFolder}-out`, ignoreCase: false }
  return Layer.succeed(HiddenFiles, { current: Effect.succeed(searchGuard(all, places)) })
}

export const services = (launchFolder: string, rules: ReadRules = {}) =>
  Layer.mergeAll(FileLedger.layer, FilePaths.layer, SearchEngine.layer, hiddenBy(rules, launchFolder)).pipe(
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
