/**
 * Turns any list of messages into one that a server takes (spec 04): every tool call has exactly one result, right after the
 * message that made it and in call order; nothing is orphaned. Pure, and incremental: appending costs what is appended.
 * Merging consecutive user messages is left to `llm/`, which knows what the server wants.
 */
import type { AssistantMessage, Message, ToolCall, ToolMessage } from "../domain/message.ts"

/** A message of the context and the session entry it came from. A made-up result has the entry of its call. */
export interface ContextMessage {
  readonly entryId: string
  readonly message: Message
}

/** Result text of a call that never got one. */
export const INTERRUPTED_RESULT =
  "[interrupted] This call did not finish: its result was lost or it was stopped. Check the state before you run it again."

/** Stands before a conversation whose beginning was cut off, because servers want a user message first. */
export const CUT_BEGINNING = "[The beginning of this conversation is not shown.]"

export const interruptedResult = (call: ToolCall): ToolMessage => ({
  role: "tool",
  toolCallId: call.id,
  toolName: call.name,
  text: INTERRUPTED_RESULT,
  isError: true
})

const isEmpty = (message: AssistantMessage): boolean => message.toolCalls.length === 0 && message.text.trim() === ""

/** One assistant message with calls, and what has come in for it. */
interface OpenCalls {
  readonly calls: ReadonlyArray<ToolCall>
  readonly results: Array<ContextMessage | undefined>
  missing: number
  /** Index in the list of the first result. */
  readonly start: number
}

/**
 * A list that is valid after every `append`. Calls at its end that still wait for results carry made-up ones, which the real
 * ones replace. `items` and `messages` are live views: copy them to keep them.
 */
export class MessageLog {
  private readonly list: Array<ContextMessage> = []
  private readonly plain: Array<Message> = []
  private open: OpenCalls | undefined

  get items(): ReadonlyArray<ContextMessage> {
    return this.list
  }

  /** The same without the entry ids. */
  get messages(): ReadonlyArray<Message> {
    return this.plain
  }

  append(item: ContextMessage): void {
    const { message } = item
    if (message.role === "tool") return this.addResult(item, message)
    if (message.role === "assistant") {
      if (isEmpty(message)) return
      this.open = undefined
      this.push(item)
      if (message.toolCalls.length > 0) this.openCalls(item, message.toolCalls)
      return
    }
    this.push(item)
  }

  private push(item: ContextMessage): void {
    if (this.list.length === 0 && item.message.role !== "user") {
      this.set(0, { entryId: item.entryId, message: { role: "user", text: CUT_BEGINNING, origin: "context" } })
    }
    this.set(this.list.length, item)
  }

  private set(index: number, item: ContextMessage): void {
    this.list[index] = item
    this.plain[index] = item.message
  }

  private openCalls(item: ContextMessage, calls: ReadonlyArray<ToolCall>): void {
    const start = this.list.length
    const results = calls.map(() => undefined)
    this.open = { calls, results, missing: calls.length, start }
    for (const call of calls) this.push({ entryId: item.entryId, message: interruptedResult(call) })
  }

  /** Puts a result in the place kept for it, right after its call: what a user said meanwhile stays behind it. */
  private addResult(item: ContextMessage, message: ToolMessage): void {
    const { open } = this
    if (open === undefined) return
    const index = open.calls.findIndex((call, at) => call.id === message.toolCallId && open.results[at] === undefined)
    if (index < 0) return
    open.results[index] = item
    open.missing--
    this.set(open.start + index, item)
    if (open.missing === 0) this.open = undefined
  }
}

/** The list made valid, each message with its entry. */
export const repairItems = (items: Iterable<ContextMessage>): ReadonlyArray<ContextMessage> => {
  const log = new MessageLog()
  for (const item of items) log.append(item)
  return log.items
}

/** The list made valid. */
export const repairMessages = (messages: Iterable<Message>): ReadonlyArray<Message> => {
  const log = new MessageLog()
  for (const message of messages) log.append({ entryId: "", message })
  return log.messages
}
