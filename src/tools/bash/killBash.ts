/** The KillBash tool (spec 02): ends a background job with all its processes. */
import { Effect, Schema } from "effect"
import { ToolFailure, type Tool, type ToolOutput } from "../../domain/tool.ts"
import { BackgroundJobs } from "../../process/BackgroundJobs.ts"
import { defineTool } from "../defineTool.ts"
import { jobAliases, jobState, unknownJob } from "./jobs.ts"

const Input = Schema.Struct({ id: Schema.String })

const parameters = {
  type: "object",
  properties: { id: { type: "string", description: "Id that Bash gave" } },
  required: ["id"]
}

export const makeKillBash: Effect.Effect<Tool, never, BackgroundJobs> = Effect.gen(function* () {
  const jobs = yield* BackgroundJobs
  return defineTool({
    name: "KillBash",
    description: "Ends a background job.",
    parameters,
    schema: Input,
    permission: "auto",
    hints: { aliases: { id: jobAliases } },
    run: Effect.fnUntraced(function* ({ id }): Effect.fn.Return<ToolOutput, ToolFailure> {
      const job = yield* jobs.kill(id).pipe(Effect.mapError(unknownJob))
      return { text: `Job ${id}: ${jobState(job)}`, details: { job: id, running: false } }
    })
  })
})
