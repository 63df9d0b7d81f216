/**
 * The Bash tool (spec 02): one command in the launch folder, or a job in the background. The runner has asked for
 * permission before it runs.
 */
import { Effect, Schema } from "effect"
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from "../../domain/tool.ts"
import { BackgroundJobs } from "../../process/BackgroundJobs.ts"
import { maxTimeoutSeconds, Shell } from "../../process/Shell.ts"
import { defineTool } from "../defineTool.ts"
import { ArgumentRails } from "../repairArguments.ts"
import { readBashArguments } from "./arguments.ts"
import { commandText } from "./result.ts"

const Input = Schema.Struct({
  command: Schema.String,
  timeout_s: Schema.optionalKey(Schema.Finite),
  run_in_background: Schema.optionalKey(Schema.Boolean)
})
type Input = typeof Input.Type

const parameters = {
  type: "object",
  properties: {
    command: { type: "string" },
    timeout_s: { type: "number", description: "Time limit in seconds, 120 by default, at most 600" },
    run_in_background: { type: "boolean", description: "Return an id at once (servers, watchers)" }
  },
  required: ["command"]
}

const description =
  "Runs a bash command in the working folder and returns its output and exit code. Each call is a new shell: cd and " +
  "variables do not last. There is no input and no terminal: pass answers and messages as options (-y, -m). Prefer " +
  "Read, Glob, Grep and Edit for files. With run_in_background, follow the job with BashOutput and end it with KillBash."

export const makeBash: Effect.Effect<Tool, never, Shell | BackgroundJobs> = Effect.gen(function* () {
  const shell = yield* Shell
  const jobs = yield* BackgroundJobs

  const runNow = Effect.fnUntraced(function* (input: Input, context: ToolContext): Effect.fn.Return<ToolOutput> {
    const { status, output, notes, discard } = yield* shell.run({
      command: input.command,
      progress: context.progress,
      ...(input.timeout_s === undefined ? {} : { timeoutSeconds: Math.min(input.timeout_s, maxTimeoutSeconds) })
    })
    const { text, namesFile } = commandText(output, status, notes, context.outputLimit)
    if (!namesFile) yield* discard
    return { text, isError: status.kind === "couldNotStart", limited: true, details: { status } }
  })

  const runBehind = Effect.fnUntraced(function* ({ command }: Input): Effect.fn.Return<ToolOutput, ToolFailure> {
    const job = yield* jobs
      .start(command)
      .pipe(Effect.mapError(({ reason }) => new ToolFailure({ message: `[could not start: ${reason}]` })))
    const text = `Started in the background with the id ${job.id}; output goes to ${job.file}. Read what is new with BashOutput, end it with KillBash; it ends with the session.`
    return { text, limited: true, details: { job: job.id } }
  })

  const tool = defineTool({
    name: "Bash",
    description,
    parameters,
    schema: Input,
    permission: "ask",
    hints: {
      aliases: {
        command: ["cmd", "script", "code", "shell_command", "bash_command", "input"],
        timeout_s: ["timeout", "timeout_seconds", "timeoutSeconds"],
        run_in_background: ["background", "runInBackground", "is_background"]
      }
    },
    run: (input, context) => {
      const problem = refusal(input)
      if (problem !== undefined) return Effect.fail(new ToolFailure({ message: problem }))
      return input.run_in_background === true ? runBehind(input) : runNow(input, context)
    }
  })
  return {
    ...tool,
    prepare: (raw) =>
      Effect.flatMap(ArgumentRails, ({ types }) => {
        if (!types) return tool.prepare(raw)
        const read = readBashArguments(raw)
        return Effect.map(tool.prepare(read.raw), (call) => ({ ...call, notes: [...read.notes, ...call.notes] }))
      })
  }
})

/** What the shell could only fail on without saying why. */
const refusal = ({ command, timeout_s }: Input): string | undefined => {
  if (command.trim() === "") return 'The command is empty. Give the bash command to run in "command".'
  if (command.includes("\0")) return "The command contains a NUL character. Send it without."
  if (Buffer.byteLength(command) > maxCommandBytes) {
    return "The command is longer than 100 KB. Write long contents to a file with Write, then use the file."
  }
  if (timeout_s !== undefined && !(timeout_s > 0)) return '"timeout_s" must be more than 0 and at most 600.'
  return undefined
}

/** Linux takes 128 KiB in one argument. */
const maxCommandBytes = 100_000
