/**
 * Answers of servers that are not what the protocol says (quirk): Effect's client refuses a whole list for one odd tool in it, a
 * whole result for one odd block. What is odd is mended or left out here, before the client looks. Pure.
 */
import { Exit, Predicate, Schema } from "effect"
import * as McpSchema from "effect/ai/McpSchema"

type Fields = Readonly<Record<string, unknown>>

const isTool = (value: unknown): boolean => Exit.isSuccess(Schema.decodeUnknownExit(McpSchema.Tool)(value))
const isBlock = (value: unknown): boolean => Exit.isSuccess(Schema.decodeUnknownExit(McpSchema.ContentBlock)(value))

const fieldsOf = (value: unknown): Fields | undefined =>
  Predicate.isObject(value) && !Array.isArray(value) ? { ...value } : undefined

/** The result of `tools/list`: a tool without a name is left out, any other keeps what of it makes sense. */
export const mendTools = (result: unknown): unknown => {
  const fields = fieldsOf(result)
  if (fields === undefined || !Array.isArray(fields["tools"])) return result
  const given: ReadonlyArray<unknown> = fields["tools"]
  const tools = given.map((tool) => (isTool(tool) ? tool : mendTool(tool))).filter((tool) => tool !== undefined)
  return { ...fields, tools }
}

const mendTool = (tool: unknown): Fields | undefined => {
  const fields = fieldsOf(tool)
  if (fields === undefined || !Predicate.isString(fields["name"]) || fields["name"] === "") return undefined
  const { description, name } = fields
  const schema = fieldsOf(fields["inputSchema"]) ?? {}
  const { properties, required, type: _type, ...rest } = schema
  const known = fieldsOf(properties)
  const names = Array.isArray(required) ? required.filter(Predicate.isString) : []
  return {
    name,
    ...(Predicate.isString(description) ? { description } : {}),
    inputSchema: {
      ...rest,
      type: "object",
      ...(known === undefined ? {} : { properties: onlySchemas(known) }),
      ...(names.length === 0 ? {} : { required: names })
    }
  }
}

/** A property that is no schema may be anything. */
const onlySchemas = (properties: Fields): Fields =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      Predicate.isBoolean(schema) || fieldsOf(schema) !== undefined ? schema : {}
    ])
  )

/** The result of `tools/call`: a block that cannot be read is named in place of it. */
export const mendResult = (result: unknown): unknown => {
  const fields = fieldsOf(result)
  if (fields === undefined) return result
  const { content = [] } = fields
  // A single block, or a bare text, in place of the list.
  const blocks: ReadonlyArray<unknown> = Array.isArray(content) ? content : [content]
  return { ...fields, content: blocks.map(mendBlock) }
}

const mendBlock = (block: unknown): unknown => {
  if (Predicate.isString(block)) return { type: "text", text: block }
  const fields = fieldsOf(block)
  // Most blocks, some of them of megabytes.
  if (fields?.["type"] === "text" && Predicate.isString(fields["text"])) return { type: "text", text: fields["text"] }
  if (isBlock(block)) return block
  const type = Predicate.isString(fields?.["type"]) ? fields["type"].slice(0, 40) : "unknown type"
  return { type: "text", text: `[content that cannot be read: ${type}]` }
}
