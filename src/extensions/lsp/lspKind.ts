/**
 * Language servers as a kind of extension: the lsp tool while a server can be used, and what a server says of a file that Write
 * or Edit has changed, behind their result. A slow server costs an edit a second at most.
 */
import { Effect } from "effect"
import type { Tool } from "../../domain/tool.ts"
import { nothing, type Contribution, type ExtensionKind } from "../Extensions.ts"
import { diagnosticLines, seriousOnes } from "./format.ts"
import { LspServers } from "./LspServers.ts"
import { makeLspTool } from "./lspTool.ts"

const AFTER_EDIT = "1 second"
const CHANGING = new Set(["Write", "Edit"])

export const lspKind = Effect.gen(function* () {
  const servers = yield* LspServers
  const tools: ReadonlyArray<Tool> = [yield* makeLspTool]
  const none: ReadonlyArray<Tool> = []
  const current = Effect.map(servers.usable, (usable) => (usable.length === 0 ? none : tools))
  const kind: ExtensionKind = {
    name: "language servers",
    load: Effect.gen(function* () {
      const { warnings } = yield* servers.load
      const contribution: Contribution = { ...nothing, tools: yield* current, warnings }
      return contribution
    }),
    current,
    takeWarnings: servers.takeNews,
    wrap: (tool) => (CHANGING.has(tool.name) ? withDiagnostics(tool, servers) : tool)
  }
  return kind
})

const withDiagnostics = (tool: Tool, servers: LspServers["Service"]): Tool => ({
  ...tool,
  prepare: (raw) =>
    Effect.map(tool.prepare(raw), (call) => ({
      ...call,
      run: (context) =>
        Effect.gen(function* () {
          const output = yield* call.run(context)
          const path = output.details?.["path"]
          if (output.isError === true || call.input["dry_run"] === true || typeof path !== "string") return output
          const answer = yield* servers.afterChange(path, AFTER_EDIT)
          const problems = seriousOnes(answer?.diagnostics ?? [])
          if (answer === undefined || problems.length === 0) return output
          return {
            ...output,
            text: `${output.text}\n[${answer.server} finds in this file now:]\n${diagnosticLines(problems)}`
          }
        })
    }))
})
