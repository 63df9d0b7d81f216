/**
 * Builds a `Tool` from a Schema and a function: decoding, argument repair and the repair text are the same for all.
 */
import { Effect, Predicate, Schema } from "effect"
import { ToolFailure, type PreparedCall, type Tool, type ToolContext, type ToolOutput } from "../domain/tool.ts"
import { ArgumentRails, repairArguments, type RepairHints } from "./repairArguments.ts"

export interface ToolDefinition<Input extends object> {
  readonly name: string
  /** Short, and written to be followed. */
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly schema: Schema.Codec<Input, unknown>
  readonly permission: "auto" | "ask"
  /** Near names of the parameters (`{ command: ["cmd", "script"] }`) and other repairs. */
  readonly hints?: RepairHints
  readonly lockKey?: (input: Input) => Effect.Effect<string | undefined>
  readonly run: (input: Input, context: ToolContext) => Effect.Effect<ToolOutput, ToolFailure>
}

/** A tool whose failures to decode are text the model can act on (spec 02, "Tool runner"). */
export const defineTool = <Input extends object>(definition: ToolDefinition<Input>): Tool => {
  const decode = Schema.decodeUnknownEffect(definition.schema)
  const prepare = Effect.fn("Tool.prepare")(function* (raw: unknown): Effect.fn.Return<PreparedCall, ToolFailure> {
    const repaired = repairArguments(raw, definition.parameters, definition.hints ?? {}, yield* ArgumentRails)
    const input = yield* decode(repaired.input).pipe(
      Effect.mapError(
        (error) =>
          new ToolFailure({
            message: `Invalid arguments for ${definition.name}: ${firstLine(error.message)}. Received: ${received(raw)}. Expected: ${expected(definition.parameters)}.`
          })
      )
    )
    return {
      input: Object.fromEntries(Object.entries(input)),
      notes: repaired.notes,
      lockKey: definition.lockKey === undefined ? Effect.undefined : definition.lockKey(input),
      run: (context) => definition.run(input, context)
    }
  })
  const { name, description, parameters, permission } = definition
  return { name, description, parameters, permission, prepare }
}

const firstLine = (message: string): string =>
  message
    .split("\n")
    .map((line) => line.trim())
    .join(" ")

/** Names and types of what came in, never the values: they can be long. */
const received = (raw: unknown): string => {
  if (!Predicate.isObject(raw)) return raw === null ? "null" : typeof raw
  const keys = Object.entries(raw).map(([key, value]) => `${key} (${Array.isArray(value) ? "array" : typeof value})`)
  return keys.length === 0 ? "no parameters" : keys.join(", ")
}

const expected = (parameters: Readonly<Record<string, unknown>>): string => {
  const properties = Predicate.isObject(parameters["properties"]) ? Object.entries(parameters["properties"]) : []
  const required = Array.isArray(parameters["required"]) ? parameters["required"] : []
  const shape = properties.map(([key, value]) => {
    const type = Predicate.isObject(value) && "type" in value ? String(value.type) : "any"
    return `${key}${required.includes(key) ? "" : "?"}: ${type}`
  })
  return `{${shape.join(", ")}}`
}
