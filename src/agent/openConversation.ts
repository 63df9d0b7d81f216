/**
 * Opens a session and makes it a conversation: instructions, fixed prompt, tools, what earlier turns left (spec 02, 04).
 */
import { Effect } from "effect"
import { Config } from "../config/Config.ts"
import { modelSettings, resolveModel } from "../config/modelSettings.ts"
import { text, type Text } from "../domain/text.ts"
import { Extensions } from "../extensions/Extensions.ts"
import { Hooks } from "../extensions/hooks/Hooks.ts"
import type { OpenOptions } from "../sessions/Sessions.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { Checkpoints } from "../sessions/checkpoints/Checkpoints.ts"
import { FileLedger } from "../tools/files/FileLedger.ts"
import { ActiveModel } from "../tools/model/ActiveModel.ts"
import { ActiveSession } from "../tools/model/ActiveSession.ts"
import { Conversation } from "./Conversation.ts"
import type { LoopDetector } from "./loop/LoopDetector.ts"
import { restore } from "./restore.ts"
import { loadInstructions, type Instructions } from "./instructions.ts"
import { toolsFor } from "./toolsFor.ts"
import { systemPrompt, type SystemPromptInput } from "./systemPrompt.ts"

export interface OpenInput {
  readonly model: string
  readonly effort?: string | undefined
  /** Text of `--system-append`. */
  readonly append?: string | undefined
  readonly session: OpenOptions
  /** Of the conversation that this one goes on. */
  readonly loops?: LoopDetector
  /** `false`: without the instructions of user and project. */
  readonly instructions?: boolean
  /** Builds the fixed text in place of `systemPrompt`. */
  readonly prompt?: (input: SystemPromptInput) => string
}

export interface OpenedConversation {
  readonly conversation: Conversation
  /** To be shown before the first turn. */
  readonly warnings: ReadonlyArray<Text>
  /** What was loaded, for who looks on. */
  readonly notices: ReadonlyArray<Text>
}

/** Tokens below which a model that reasons often has none left for its answer. */
const LITTLE_OUTPUT = 4_096

const lowLimit = ({ settings }: Config["Service"], model: string): ReadonlyArray<Text> => {
  const { profile, settings: own } = resolveModel(settings, model)
  const limit = own.maxOutputTokens ?? settings.MaxOutputTokens
  if (profile?.reasons !== true || own.thinking === false || limit === undefined || limit >= LITTLE_OUTPUT) return []
  return [
    text(
      `${model} reasons before it answers, and its answers end at ${limit} tokens: many will be cut. Raise maxOutputTokens to ${LITTLE_OUTPUT} or more, or set "thinking": false for it.`,
      `${model} raisonne avant de répondre, et ses réponses s'arrêtent à ${limit} tokens : beaucoup seront coupées. Portez maxOutputTokens à ${LITTLE_OUTPUT} ou plus, ou mettez « thinking » à false pour lui.`
    )
  ]
}

const noInstructions: Instructions = { found: [], warnings: [] }

export const openConversation = Effect.fn("Agent.openConversation")(function* (input: OpenInput) {
  const config = yield* Config
  const sessions = yield* Sessions
  const extensions = yield* Extensions
  const activeModel = yield* ActiveModel
  const ledger = yield* FileLedger
  const checkpoints = yield* Checkpoints
  const session = yield* sessions.open({ ...input.session, model: input.model })
  yield* activeModel.set(input.model)
  const activeSession = yield* Effect.serviceOption(ActiveSession)
  if (activeSession._tag === "Some") yield* activeSession.value.set({ name: session.name, save: input.session.save })
  const instructions = input.instructions === false ? noInstructions : yield* loadInstructions()
  const added = yield* extensions.load
  yield* restore(session.path())
  const { save } = input.session
  const kept = yield* checkpoints.forSession(session, { save })
  yield* ledger.onBefore(kept.capture)
  const conversation = new Conversation({
    checkpoints: kept,
    opened: { save, append: input.append },
    ...(input.loops === undefined ? {} : { loops: input.loops }),
    session,
    model: input.model,
    effort: input.effort,
    tools: yield* extensions.tools,
    currentTools: extensions.tools,
    toolWarnings: extensions.takeWarnings,
    fit: (tools, model) => toolsFor(config.settings, model, tools),
    system: (input.prompt ?? systemPrompt)({
      variant: modelSettings(config.settings, input.model).prompt ?? "full",
      launchFolder: config.launchFolder,
      platform: config.platform,
      instructions: instructions.found,
      sections: added.prompt.map((section) => section.text),
      startContext: session.header().startContext,
      append: input.append
    })
  })
  const hookWarnings = yield* startHooks(conversation, session.path().length > 0)
  const opened: OpenedConversation = {
    conversation,
    warnings: [
      ...hookWarnings,
      ...conversation.newWarnings(),
      ...instructions.warnings,
      ...added.warnings,
      ...lowLimit(config, input.model)
    ],
    notices: added.notices ?? []
  }
  return opened
})

/** `session_start`: what hooks say goes before the next request. Gives what went wrong with them. */
const startHooks = Effect.fnUntraced(function* (conversation: Conversation, resumed: boolean) {
  const hooks = yield* Hooks
  if (hooks.has("session_start")) {
    const contexts: Array<string> = []
    const payload = { resumed, model: conversation.model }
    yield* hooks.run("session_start", "", payload, ({ answer }) => {
      if (answer?.context !== undefined && answer.context !== "") contexts.push(answer.context)
      return payload
    })
    if (contexts.length > 0) yield* conversation.append({ type: "pending_context", text: contexts.join("\n\n") })
  }
  return yield* hooks.takeWarnings
})
