/**
 * MAIA's sessions, one JSON object per file (MAIA §12.1), turned into entries. Tolerant: what is missing has a default, what is
 * not understood is left out. Pure.
 */
import { Predicate } from "effect"
import type { EntryBody } from "../domain/entry.ts"
import type { AssistantMessage, Attachment, Message, ToolCall, ToolMessage, UserMessage } from "../domain/message.ts"

export interface LegacySession {
  readonly model: string | undefined
  readonly startContext: string | undefined
  readonly parentSession: string | undefined
  /** ISO 8601 time, when the file says one. */
  readonly created: string | undefined
  readonly bodies: ReadonlyArray<EntryBody>
}

type Fields = Readonly<Record<string, unknown>>

const asFields = (value: unknown): Fields | undefined =>
  // Objects that come out of JSON have string keys.
  Predicate.isObject(value) ? (value as Fields) : undefined

const asText = (value: unknown): string | undefined => (Predicate.isString(value) ? value.toWellFormed() : undefined)

const asList = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const joined = (parts: ReadonlyArray<string>): string => parts.filter((part) => part !== "").join("\n")

/** Text of a string, a text block or a list of them. */
const plainText = (content: unknown): string => {
  if (Array.isArray(content)) return joined(content.map(plainText))
  return asText(content) ?? asText(asFields(content)?.["text"]) ?? ""
}

const image = (block: Fields): Attachment | undefined => {
  const source = asFields(block["source"])
  const mediaType = asText(source?.["media_type"])
  const data = asText(source?.["data"])
  return mediaType === undefined || data === undefined ? undefined : { type: "image", mediaType, data }
}

/** The blocks of a message's content; a plain string is one text block. */
const blocksOf = (content: unknown): ReadonlyArray<Fields> => {
  const blocks: Array<Fields> = []
  for (const block of Predicate.isString(content) ? [content] : asList(content)) {
    const fields = Predicate.isString(block) ? { type: "text", text: block } : asFields(block)
    if (fields !== undefined) blocks.push(fields)
  }
  return blocks
}

const toCall = (block: Fields, index: number): ToolCall => ({
  id: asText(block["id"]) ?? `call_${index}`,
  name: asText(block["name"]) ?? "",
  arguments: JSON.stringify(asFields(block["input"]) ?? {})
})

const assistantMessage = (content: unknown): AssistantMessage => {
  const blocks = blocksOf(content)
  return {
    role: "assistant",
    text: joined(blocks.filter((block) => block["type"] === "text").map(plainText)),
    toolCalls: blocks.filter((block) => block["type"] === "tool_use").map(toCall)
  }
}

/** A user's turn of MAIA carries the results of the calls before it, and text. */
const userMessages = (content: unknown, callNames: ReadonlyMap<string, string>): ReadonlyArray<Message> => {
  const results: Array<ToolMessage> = []
  const texts: Array<string> = []
  const attachments: Array<Attachment> = []
  for (const block of blocksOf(content)) {
    if (block["type"] === "tool_result") {
      const toolCallId = asText(block["tool_use_id"]) ?? ""
      results.push({
        role: "tool",
        toolCallId,
        toolName: callNames.get(toolCallId) ?? "",
        text: plainText(block["content"]),
        isError: block["is_error"] === true || block["isError"] === true
      })
    } else if (block["type"] === "image") {
      const found = image(block)
      if (found !== undefined) attachments.push(found)
    } else texts.push(plainText(block))
  }
  const text = joined(texts)
  if (text === "" && attachments.length === 0) return results
  const user: UserMessage = { role: "user", text, ...(attachments.length === 0 ? {} : { attachments }) }
  return [...results, user]
}

const isoTime = (value: unknown): string | undefined => {
  const millis = Predicate.isNumber(value) ? value : Predicate.isString(value) ? Date.parse(value) : Number.NaN
  return Number.isFinite(millis) && Math.abs(millis) < 8.64e15 ? new Date(millis).toISOString() : undefined
}

/** `undefined` when the text is no session of MAIA. */
export const parseLegacy = (json: string): LegacySession | undefined => {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return undefined
  }
  const file = asFields(parsed)
  if (file === undefined || (!Array.isArray(file["messages"]) && asText(file["startContext"]) === undefined)) {
    return undefined
  }
  const bodies: Array<EntryBody> = []
  const callNames = new Map<string, string>()
  for (const item of asList(file["messages"])) {
    const message = asFields(item)
    if (message?.["role"] === "assistant") {
      const assistant = assistantMessage(message["content"])
      for (const call of assistant.toolCalls) callNames.set(call.id, call.name)
      bodies.push({ type: "message", message: assistant })
    } else if (message?.["role"] === "user") {
      for (const user of userMessages(message["content"], callNames)) bodies.push({ type: "message", message: user })
    }
  }
  const pending = file["pendingContext"]
  for (const item of Array.isArray(pending) ? pending : [pending]) {
    const text = plainText(item)
    if (text !== "") bodies.push({ type: "pending_context", text })
  }
  return {
    model: asText(file["model"]),
    startContext: asText(file["startContext"]),
    parentSession: asText(file["parentSession"]),
    created: isoTime(file["createdAt"] ?? file["created"] ?? file["date"]),
    bodies
  }
}
