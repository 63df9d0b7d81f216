/** A tool of an MCP server as a tool of maia (spec 08). What the server says of it is data: bounded, and never a rule. */
import { Effect, Schema } from "effect"
import { ToolFailure, type Tool } from "../../domain/tool.ts"
import { cut } from "../../domain/text.ts"
import { defineTool } from "../../tools/defineTool.ts"
import { callOutput } from "./callOutput.ts"
import type { McpServer } from "./McpServer.ts"
import { cleanSchema } from "./schema/cleanSchema.ts"
import type { RemoteTool } from "./toolCache.ts"

/** Characters. */
const LONGEST_DESCRIPTION = 2_000

const Input = Schema.Record(Schema.String, Schema.Unknown)

export const mcpTool = (server: McpServer, remote: RemoteTool, name: string): Tool =>
  defineTool({
    name,
    description: describe(server, remote),
    parameters: cleanSchema(remote.inputSchema),
    schema: Input,
    permission: "ask",
    run: (input, context) =>
      Effect.gen(function* () {
        const before = server.status.crashes
        const result = yield* server.call(remote.name, { ...input }).pipe(
          Effect.catchTag("McpFailure", (failure) =>
            Effect.gen(function* () {
              if (server.status.crashes > before) {
                yield* context.report?.({ type: "warning", code: "mcp_server", message: failure.text }) ?? Effect.void
              }
              const advice = failure.isGone
                ? " It will be started again by the next call, once. Check what this call has done before you repeat it."
                : ""
              return yield* new ToolFailure({ message: `${failure.message.replace(/[^.]$/, "$&.")}${advice}` })
            })
          )
        )
        return callOutput(result, context.model.images)
      })
  })

const describe = (server: McpServer, { description, name }: RemoteTool): string => {
  const said = (description ?? "").trim()
  return said === "" ? `Tool "${name}" of the MCP server "${server.settings.name}".` : cut(said, LONGEST_DESCRIPTION)
}
