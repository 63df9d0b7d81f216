/**
 * What a turn works on: the open session, its messages as the model sees them, the fixed prompt and the tools. Messages
 * are kept beside the session so that nothing of the history is built again per step (spec 10).
 */
import { Effect } from "effect"
import type { Entry, EntryBody } from "../domain/entry.ts"
import type { ToolSpec } from "../domain/llm.ts"
import type { Message } from "../domain/message.ts"
import type { Text } from "../domain/text.ts"
import type { Tool } from "../domain/tool.ts"
import { ContextLog } from "../sessions/buildContext.ts"
import type { SessionCheckpoints } from "../sessions/checkpoints/Checkpoints.ts"
import type { ContextMessage } from "../sessions/protocol.ts"
import type { SessionHandle } from "../sessions/SessionHandle.ts"
import { LoopDetector } from "./loop/LoopDetector.ts"
import { PrefixWatch } from "./prefixWatch.ts"

export interface ConversationInput {
  readonly session: SessionHandle
  readonly model: string
  readonly system: string
  readonly tools: ReadonlyArray<Tool>
  /** The tools as they are now, where they can come and go; the same array while nothing changes. */
  readonly currentTools?: Effect.Effect<ReadonlyArray<Tool>>
  /** What went wrong with tools since it was last asked. */
  readonly toolWarnings?: Effect.Effect<ReadonlyArray<Text>>
  /** The tools as a model gets them; all when absent. */
  readonly fit?: (tools: ReadonlyArray<Tool>, model: string) => ReadonlyArray<Tool>
  /** Sent as `reasoning_effort` only when given. */
  readonly effort?: string | undefined
  /** Keeps files as they were; absent: nothing is kept. */
  readonly checkpoints?: SessionCheckpoints
  /** How it was opened, for a session that follows this one. */
  readonly opened?: { readonly save: boolean; readonly append?: string | undefined }
  /** Of the conversation that this one goes on, compacted. */
  readonly loops?: LoopDetector
}

export class Conversation {
  readonly session: SessionHandle
  readonly system: string
  readonly checkpoints: SessionCheckpoints | undefined
  readonly opened: NonNullable<ConversationInput["opened"]>
  readonly loops: LoopDetector
  readonly prefix = new PrefixWatch()
  readonly toolWarnings: Effect.Effect<ReadonlyArray<Text>>
  model: string
  effort: string | undefined
  private readonly context: ContextLog
  private readonly currentTools: Effect.Effect<ReadonlyArray<Tool>>
  private readonly fit: (tools: ReadonlyArray<Tool>, model: string) => ReadonlyArray<Tool>
  private toolList: ReadonlyArray<Tool>
  private fitted: string
  private declared: Declared
  private warningsTold = 0

  constructor(input: ConversationInput) {
    this.session = input.session
    this.system = input.system
    this.model = input.model
    this.effort = input.effort
    this.checkpoints = input.checkpoints
    this.opened = input.opened ?? { save: false }
    this.loops = input.loops ?? new LoopDetector()
    this.toolList = input.tools
    this.fit = input.fit ?? ((tools) => tools)
    this.fitted = input.model
    this.declared = declare(this.fit(input.tools, input.model))
    this.currentTools = input.currentTools ?? Effect.succeed(input.tools)
    this.toolWarnings = input.toolWarnings ?? Effect.succeed([])
    this.context = new ContextLog(input.session.path())
  }

  get tools(): ReadonlyMap<string, Tool> {
    return this.declared.tools
  }

  /** Sorted by name, so that the prefix of every request is the same. */
  get specs(): ReadonlyArray<ToolSpec> {
    return this.declared.specs
  }

  /** Takes over tools that came or went, or that another model gets; to be called before a request. */
  refreshTools(): Effect.Effect<void> {
    return Effect.map(this.currentTools, (now) => {
      if (now === this.toolList && this.model === this.fitted) return
      this.toolList = now
      this.fitted = this.model
      this.declared = declare(this.fit(now, this.model))
    })
  }

  /** Valid for a server at any time; a live view. */
  get messages(): ReadonlyArray<Message> {
    return this.context.messages
  }

  /** The same, each message with the entry it came from. */
  get items(): ReadonlyArray<ContextMessage> {
    return this.context.items
  }

  /** Changes whenever something else than an append happened to the messages. */
  get revision(): number {
    return this.context.revision
  }

  /** Writes the entry to the session, then lets the next request see it. */
  append(body: EntryBody): Effect.Effect<Entry> {
    return Effect.map(this.session.append(body), (entry) => {
      this.context.append(entry)
      if (body.type === "clear") this.loops.reset()
      return entry
    })
  }

  say(message: Message): Effect.Effect<Entry> {
    return this.append({ type: "message", message })
  }

  /** Warnings of the session that nobody was told of yet. */
  newWarnings(): ReadonlyArray<Text> {
    const all = this.session.warnings()
    const fresh = all.slice(this.warningsTold)
    this.warningsTold = all.length
    return fresh
  }

  /** Takes the session's path anew, after its leaf moved. */
  reload(): void {
    this.context.reset(this.session.path())
  }
}

interface Declared {
  readonly tools: ReadonlyMap<string, Tool>
  readonly specs: ReadonlyArray<ToolSpec>
}

const declare = (tools: ReadonlyArray<Tool>): Declared => ({
  tools: new Map(tools.map((tool) => [tool.name, tool])),
  specs: [...tools]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, description, parameters }) => ({ name, description, parameters }))
})
