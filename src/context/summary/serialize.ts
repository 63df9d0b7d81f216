/**
 * A conversation as text for a summarising model, one segment for each message (seed 001, "Génération de résumés"). Pure. What
 * it says is data: its own tags are made harmless, so that no message can end the block it stands in.
 */
import type { Attachment, Message, UserMessage } from "../../domain/message.ts"
import { cut } from "../../domain/text.ts"

/** UTF-16 units kept of a tool result's beginning and of its end. */
const RESULT_EXCERPT = 8_000
const ARGUMENTS = 4_000

const FENCES = /<(\/?)(conversation|previous-summary|additional-context|read-files|modified-files)\b/gi

/** Keeps a text from closing or opening one of the prompt's own blocks. */
export const defuse = (text: string): string => text.replaceAll(FENCES, "<$1\u200b$2").toWellFormed()

/** Messages without content give no segment. Reasoning is never part of it. */
export const serializeMessage = (message: Message): string | undefined => {
  const body = bodyOf(message)
  return body === undefined ? undefined : defuse(body)
}

export const serializeConversation = (messages: Iterable<Message>): ReadonlyArray<string> => {
  const segments: Array<string> = []
  for (const message of messages) {
    const segment = serializeMessage(message)
    if (segment !== undefined) segments.push(segment)
  }
  return segments
}

const bodyOf = (message: Message): string | undefined => {
  switch (message.role) {
    case "user": {
      const content = [message.text, ...attachmentsOf(message.attachments)].filter((part) => part !== "").join("\n")
      return content === "" ? undefined : `[${labelOf(message.origin)}]: ${content}`
    }
    case "assistant": {
      const parts = message.text.trim() === "" ? [] : [`[Assistant]: ${message.text}`]
      const calls = message.toolCalls.map(({ name, arguments: input }) => `${name}(${shortened(input, ARGUMENTS)})`)
      if (calls.length > 0) parts.push(`[Assistant calls]: ${calls.join("; ")}`)
      return parts.length === 0 ? undefined : parts.join("\n")
    }
    case "tool": {
      const content = [headAndTail(message.text, RESULT_EXCERPT), ...attachmentsOf(message.attachments)].join("\n")
      return `[${message.isError ? "Failed" : "Result"} ${message.toolName}]: ${content}`
    }
  }
}

const labelOf = (origin: UserMessage["origin"]): string => {
  switch (origin) {
    case undefined:
    case "steering":
      return "User"
    case "shell":
      return "User's shell command"
    case "compaction_summary":
      return "Summary of what came before"
    case "branch_summary":
      return "Summary of another branch"
    case "context":
    case "custom":
      return "Context"
    default:
      return "Note from the program"
  }
}

const attachmentsOf = (attachments: ReadonlyArray<Attachment> | undefined): ReadonlyArray<string> =>
  (attachments ?? []).map(({ type, name, mediaType }) => `[${type}: ${name ?? mediaType}]`)

const shortened = (text: string, max: number): string => (text.length <= max ? text : `${cut(text, max)}…`)

/** At most `each` UTF-16 units of the beginning and of the end, and a note of what is missing. */
export const headAndTail = (text: string, each: number): string => {
  if (text.length <= 2 * each) return text
  return `${cut(text, each)}\n[… ${text.length - 2 * each} characters left out …]\n${tailOf(text, each)}`
}

const tailOf = (text: string, length: number): string => {
  const tail = text.slice(-length)
  const first = tail.charCodeAt(0)
  return first >= 0xdc00 && first <= 0xdfff ? tail.slice(1) : tail
}
