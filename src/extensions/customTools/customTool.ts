/**
 * A `TOOL.json` as a tool of the model (MAIA §10.3): its program is started without a shell, each value stays one argument.
 */
import { Effect, Schema } from "effect"
import { ToolFailure, type PreparedCall, type Tool, type ToolContext, type ToolOutput } from "../../domain/tool.ts"
import { outputText } from "../../process/outputText.ts"
import type { ProgramResult, Shell } from "../../process/Shell.ts"
import { describeStatus } from "../../process/shellStatus.ts"
import { defineTool } from "../../tools/defineTool.ts"
import { fillCommandLine } from "./commandLine.ts"
import type { Parameter, ToolDefinition } from "./definition.ts"

/** Bytes of one argument; Linux takes 128 KiB. */
const MAX_ARGUMENT = 100_000

type Values = Readonly<Record<string, unknown>>

export const makeCustomTool = (definition: ToolDefinition, shell: Shell["Service"], launchFolder: string): Tool => {
  const { name, description, parameters } = definition

  const run = Effect.fn(`CustomTool.run`)(function* (
    values: Values,
    context: ToolContext
  ): Effect.fn.Return<ToolOutput, ToolFailure> {
    const argv = fillCommandLine(definition.run, values)
    const problem = refusal(argv, values)
    if (problem !== undefined) return yield* new ToolFailure({ message: problem })
    const result = yield* shell.runProgram({
      argv,
      cwd: definition.folder,
      env: { MAIA_CWD: launchFolder, MAIA_TOOL_DIR: definition.folder },
      timeoutSeconds: definition.timeout,
      progress: context.progress,
      ...(definition.stdin ? { input: `${JSON.stringify(values)}\n` } : {})
    })
    yield* result.discard
    return toOutput(name, result)
  })

  const tool = defineTool({
    name,
    description,
    parameters: inputSchema(parameters),
    schema: valuesSchema(parameters),
    permission: "ask",
    run
  })
  return {
    ...tool,
    prepare: (raw) => Effect.map(tool.prepare(withTexts(raw, parameters)), withDefaults(parameters, run))
  }
}

/** What is judged and run has every parameter. */
const withDefaults =
  (
    parameters: ReadonlyArray<Parameter>,
    run: (values: Values, context: ToolContext) => ReturnType<PreparedCall["run"]>
  ) =>
  (call: PreparedCall): PreparedCall => {
    const input = Object.fromEntries(parameters.map((one) => [one.name, call.input[one.name] ?? one.default]))
    return { ...call, input, run: (context) => run(input, context) }
  }

/** A number where a text is meant (an id, a version) is that text. */
const withTexts = (raw: unknown, parameters: ReadonlyArray<Parameter>): unknown => {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw
  const isText = (key: string) => parameters.some(({ name, type }) => name === key && type === "string")
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]: [string, unknown]) => [
      key,
      isText(key) && (typeof value === "number" || typeof value === "boolean") ? String(value) : value
    ])
  )
}

const inputSchema = (parameters: ReadonlyArray<Parameter>) => ({
  type: "object",
  properties: Object.fromEntries(
    parameters.map(({ choices, default: standard, description, name, type }) => [
      name,
      {
        type,
        ...(description === undefined ? {} : { description }),
        ...(choices === undefined ? {} : { enum: choices }),
        ...(standard === undefined ? {} : { default: standard })
      }
    ])
  ),
  required: parameters.filter((parameter) => parameter.default === undefined).map(({ name }) => name)
})

const valuesSchema = (parameters: ReadonlyArray<Parameter>) =>
  Schema.Struct(
    Object.fromEntries(
      parameters.map((parameter) => {
        const value = valueSchema(parameter)
        return [parameter.name, parameter.default === undefined ? value : Schema.optionalKey(value)]
      })
    )
  )

const valueSchema = ({ choices, type }: Parameter) => {
  if (choices !== undefined) return Schema.Literals(choices)
  return { string: Schema.String, number: Schema.Finite, boolean: Schema.Boolean }[type]
}

/** What no program could be given. */
const refusal = (argv: ReadonlyArray<string>, values: Values): string | undefined => {
  const nul = Object.entries(values).find(([, value]) => String(value).includes("\0"))
  if (nul !== undefined) return `"${nul[0]}" contains a NUL character, which no argument can hold. Send it without.`
  if (argv.some((argument) => Buffer.byteLength(argument) > MAX_ARGUMENT)) {
    return "A value is longer than 100 KB, more than an argument can hold. Write it to a file with Write and give its path."
  }
  return undefined
}

const toOutput = (name: string, { errors, notes, output, status }: ProgramResult): ToolOutput => {
  const written = textOf(output)
  const complaint = textOf(errors)
  const ok = status.kind === "exited" && status.code === 0
  const parts = ok
    ? [
        written === "" && complaint === "" ? "(no output)" : written,
        ...(complaint === "" ? [] : [`[stderr]\n${complaint}`])
      ]
    : [`The tool ${name} failed. ${describeStatus(status).en}`, complaint, written]
  return {
    text: [...parts.filter((part) => part !== ""), ...notes].join("\n"),
    isError: !ok,
    details: { status }
  }
}

const textOf = (captured: ProgramResult["output"]): string => {
  const { head, tail } = outputText(captured)
  return tail === undefined ? head : `${head}\n[… the middle of ${captured.size} bytes is left out …]\n${tail}`
}
