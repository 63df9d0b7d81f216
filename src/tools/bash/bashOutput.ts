/** The BashOutput tool (spec 02): what a background job has printed since it was last read. */
import { Effect, Schema } from "effect"
import { ToolFailure, type Tool, type ToolOutput } from "../../domain/tool.ts"
import { BackgroundJobs } from "../../process/BackgroundJobs.ts"
import { defineTool } from "../defineTool.ts"
import { headAndTail } from "../outputLimit.ts"
import { jobAliases, jobState, unknownJob } from "./jobs.ts"

const Input = Schema.Struct({ id: Schema.String })

const parameters = {
  type: "object",
  properties: { id: { type: "string", description: "Id that Bash gave" } },
  required: ["id"]
}

export const makeBashOutput: Effect.Effect<Tool, never, BackgroundJobs> = Effect.gen(function* () {
  const jobs = yield* BackgroundJobs
  return defineTool({
    name: "BashOutput",
    description: "Returns what a background job printed since the last read, and whether it still runs.",
    parameters,
    schema: Input,
    permission: "auto",
    hints: { aliases: { id: jobAliases } },
    run: Effect.fnUntraced(function* ({ id }, { outputLimit }): Effect.fn.Return<ToolOutput, ToolFailure> {
      const job = yield* jobs.read(id).pipe(Effect.mapError(unknownJob))
      const end = jobState(job)
      const text = job.text.replace(/\n$/, "")
      const room = outputLimit - end.length - 1
      const shown = text === "" ? "(no new output)" : text.length > room ? headAndTail(text, room, job.file) : text
      return { text: `${shown}\n${end}`, limited: true, details: { job: id, running: job.status === undefined } }
    })
  })
})
