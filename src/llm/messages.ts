/**
 * The conversation in the wire format (spec 01, "Requests"; MAIA §6). Pure. Each message is written out once and kept by
 * identity, so that a long history costs a lookup a message and its bytes never change from request to request.
 */
import type {
  AssistantMessage,
  Attachment,
  Message,
  Reasoning,
  ToolCall,
  ToolMessage,
  UserMessage
} from "../domain/message.ts"
import { isFields, parseJson } from "./wire.ts"

/** JSON texts of the wire messages, in order, without the system prompt. */
export const wireMessages = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const turnStart = currentTurn(messages)
  const out: Array<string> = []
  let users: Array<UserMessage> = []
  let images: Array<ToolMessage> = []
  const flushUsers = () => {
    const [first] = users
    if (first !== undefined) out.push(userJson(first, users))
    users = []
  }
  const flushImages = () => {
    const [first] = images
    if (first !== undefined) users.push(imagesMessage(first, images))
    images = []
  }
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      flushUsers()
      out.push(toolJson(message))
      if ((message.attachments ?? []).length > 0) images.push(message)
      continue
    }
    flushImages()
    if (message.role === "user") {
      users.push(message)
      continue
    }
    // An answer that was interrupted before it said anything: servers refuse an empty assistant message.
    if (message.text === "" && message.toolCalls.length === 0) continue
    flushUsers()
    out.push(assistantJson(message, at > turnStart))
  }
  flushImages()
  flushUsers()
  return out
}

/** Index of the last message the user typed: reasoning goes back only for answers after it. */
const currentTurn = (messages: ReadonlyArray<Message>): number =>
  messages.findLastIndex((message) => message.role === "user" && message.origin === undefined)

const wellFormed = (text: string): string => text.toWellFormed()

// --- user --------------------------------------------------------------------------------------------------------

interface MergedUsers {
  readonly members: ReadonlyArray<UserMessage>
  readonly json: string
}
const userTexts = new WeakMap<UserMessage, MergedUsers>()

/** Neighbouring user messages become one: some providers insist that roles alternate. */
const userJson = (first: UserMessage, members: ReadonlyArray<UserMessage>): string => {
  const known = userTexts.get(first)
  if (known !== undefined && known.members.length === members.length) {
    if (known.members.every((member, i) => member === members[i])) return known.json
  }
  const text = members
    .map((member) => member.text)
    .filter((part) => part !== "")
    .join("\n\n")
  const attachments = members.flatMap((member) => member.attachments ?? [])
  const content =
    attachments.length === 0
      ? wellFormed(text)
      : [...(text === "" ? [] : [{ type: "text", text: wellFormed(text) }]), ...attachments.map(attachmentPart)]
  const json = JSON.stringify({ role: "user", content })
  userTexts.set(first, { members, json })
  return json
}

const attachmentPart = (attachment: Attachment): object => {
  const url = `data:${attachment.mediaType};base64,${attachment.data}`
  return attachment.type === "image"
    ? { type: "image_url", image_url: { url } }
    : { type: "file", file: { filename: wellFormed(attachment.name ?? "file"), file_data: url } }
}

const imageMessages = new WeakMap<
  ToolMessage,
  { readonly members: ReadonlyArray<ToolMessage>; readonly message: UserMessage }
>()

/** Tool messages carry text only in this format: what a tool shows follows the results as a user message. */
const imagesMessage = (first: ToolMessage, members: ReadonlyArray<ToolMessage>): UserMessage => {
  const known = imageMessages.get(first)
  if (known !== undefined && known.members.length === members.length) return known.message
  const message: UserMessage = {
    role: "user",
    text: `Attached by the results of ${members.map((member) => member.toolName).join(", ")}:`,
    attachments: members.flatMap((member) => member.attachments ?? []),
    origin: "context"
  }
  imageMessages.set(first, { members, message })
  return message
}

// --- tool --------------------------------------------------------------------------------------------------------

const toolTexts = new WeakMap<ToolMessage, string>()

const toolJson = (message: ToolMessage): string => {
  const known = toolTexts.get(message)
  if (known !== undefined) return known
  const json = JSON.stringify({
    role: "tool",
    tool_call_id: wellFormed(message.toolCallId),
    // Servers refuse an empty result.
    content: message.text === "" ? "(no output)" : wellFormed(message.text)
  })
  toolTexts.set(message, json)
  return json
}

// --- assistant ---------------------------------------------------------------------------------------------------

const assistantTexts = new WeakMap<AssistantMessage, { plain?: string; withReasoning?: string }>()

const assistantJson = (message: AssistantMessage, inTurn: boolean): string => {
  const key = inTurn && message.reasoning !== undefined ? "withReasoning" : "plain"
  const known = assistantTexts.get(message) ?? {}
  const json = known[key] ?? writeAssistant(message, key === "withReasoning" ? message.reasoning : undefined)
  known[key] = json
  assistantTexts.set(message, known)
  return json
}

const writeAssistant = (message: AssistantMessage, reasoning: Reasoning | undefined): string => {
  const thought = reasoning?.field === "think" ? `<think>\n${reasoning.text.trim()}\n</think>\n\n` : ""
  const content = thought + message.text
  return JSON.stringify({
    role: "assistant",
    content: content === "" ? null : wellFormed(content),
    ...(reasoning === undefined ? {} : reasoningFields(reasoning)),
    ...(message.toolCalls.length === 0 ? {} : { tool_calls: message.toolCalls.map(callFields) })
  })
}

/** In the field it came in; blocks and details as they came, byte for byte. */
const reasoningFields = (reasoning: Reasoning): Record<string, unknown> => ({
  ...(reasoning.field === "reasoning_content" || reasoning.field === "reasoning"
    ? { [reasoning.field]: wellFormed(reasoning.text) }
    : {}),
  ...(reasoning.blocks === undefined ? {} : { thinking_blocks: reasoning.blocks }),
  ...(reasoning.details === undefined ? {} : { reasoning_details: reasoning.details })
})

const callFields = (call: ToolCall): object => ({
  ...call.extra,
  id: call.id,
  type: "function",
  function: { ...call.functionExtra, name: safeName(call.name), arguments: safeArguments(call.arguments) }
})

/** A name the model made up may hold what servers refuse in every later request. */
const safeName = (name: string): string => {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return name
  const safe = name.replaceAll(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64)
  return safe === "" ? "unnamed_tool" : safe
}

/** Anything but a JSON object would make every later request a 400 (field cases A7 and A12). */
const safeArguments = (text: string): string => (isFields(parseJson(text)) ? wellFormed(text) : "{}")
