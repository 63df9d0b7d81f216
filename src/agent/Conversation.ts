/**
 * What a turn works on: the open session, its messages as the model sees them, the fixed prompt and the tools. Messages
 * are kept beside the session so that nothing of the history is built again per step (spec 10).
 */
import { Effect } from "effect"
import type { Entry, EntryBody } from "../domain/entry.ts"
import type { ToolSpec } from "../domain/llm.ts"
import type { Message } from "../domain/message.ts"
import type { Tool } from "../domain/tool.ts"

/** The part of a session that a turn needs. `append` never fails: what cannot be written is a warning of the session. */
export interface Transcript {
  readonly name: Effect.Effect<string>
  readonly append: (body: EntryBody) => Effect.Effect<Entry>
}

/** A message of the context and the session entry it came from. */
export interface ContextMessage {
  readonly entryId: string
  readonly message: Message
}

export interface ConversationInput {
  readonly transcript: Transcript
  readonly model: string
  readonly system: string
  readonly tools: ReadonlyArray<Tool>
  /** Valid for a server: every call has its result. */
  readonly history: ReadonlyArray<ContextMessage>
  /** Sent as `reasoning_effort` only when given. */
  readonly effort?: string | undefined
}

export class Conversation {
  readonly transcript: Transcript
  readonly system: string
  readonly tools: ReadonlyMap<string, Tool>
  /** Sorted by name, so that the prefix of every request is the same. */
  readonly specs: ReadonlyArray<ToolSpec>
  model: string
  effort: string | undefined
  private context: Array<ContextMessage>
  private list: Array<Message>

  constructor(input: ConversationInput) {
    this.transcript = input.transcript
    this.system = input.system
    this.model = input.model
    this.effort = input.effort
    this.tools = new Map(input.tools.map((tool) => [tool.name, tool]))
    this.specs = [...input.tools]
      .sort((left, right) => (left.name < right.name ? -1 : 1))
      .map(({ name, description, parameters }) => ({ name, description, parameters }))
    this.context = [...input.history]
    this.list = input.history.map(({ message }) => message)
  }

  /** The live list: it grows in place and must not be changed by others. */
  get messages(): ReadonlyArray<Message> {
    return this.list
  }

  get items(): ReadonlyArray<ContextMessage> {
    return this.context
  }

  /** Writes the message to the session, then makes it part of the next request. */
  append(message: Message): Effect.Effect<Entry> {
    return Effect.map(this.transcript.append({ type: "message", message }), (entry) => {
      this.context.push({ entryId: entry.id, message })
      this.list.push(message)
      return entry
    })
  }

  /** Takes a new context after compaction, pruning or a move in the tree. */
  replace(history: ReadonlyArray<ContextMessage>): void {
    this.context = [...history]
    this.list = history.map(({ message }) => message)
  }
}
