/**
 * What the user typed for the model (MAIA §5.5): `§skill` becomes its steps, `@file` its content in front of the request, a full
 * context is compacted before and after, and at the iteration limit the user may go on.
 */
import { Effect, Scope } from "effect"
import { ContextCare } from "../../agent/ContextCare.ts"
import { compactWhereFull } from "../../agent/compactWhereFull.ts"
import { Config } from "../../config/Config.ts"
import { text as phrase } from "../../domain/text.ts"
import type { UserCommand } from "../../extensions/commands/command.ts"
import { fileReading } from "../../extensions/fileReading.ts"
import { expandInput, mayNameFiles, plainInput } from "../../extensions/userInput.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { resolveMentions } from "../../tools/mentions.ts"
import { listSkills } from "../commands/skills.ts"
import { kindOf, shownText, typedPart } from "../store/sent.ts"
import * as phrases from "../store/phrases.ts"
import type { Sent } from "../store/state.ts"
import { Ui } from "../Ui.ts"
import { countContext } from "./contextUse.ts"
import type { Talk } from "./Talk.ts"
import { runTurn } from "./turn.ts"

/** What the model is told when the user lets it go on after the limit. */
const GO_ON = "Go on with what remains to be done."

export const handleRequest = Effect.fn("Tui.request")(function* (talk: Talk, sent: Sent) {
  const ui = yield* Ui
  const typed = sent.text
  const { settings } = yield* Config
  const files = (model: string | undefined) => fileReading(settings, model ?? talk.conversation.model)
  const input = kindOf(sent) === "request" ? yield* plainInput(typed) : yield* expandInput(typed, { files })
  if (input.kind === "list-skills") return yield* listSkills
  yield* ui.print({
    type: "user",
    text: shownText(sent.content, ui.store.current.language),
    steering: false
  })
  if (input.kind === "refused") return yield* ui.fail(input.text)
  for (const warning of input.warnings) yield* ui.warn(warning)
  const mentions = yield* resolveMentions(mayNameFiles(typedPart(sent.content), input), files(input.command?.model))
  for (const warning of mentions.warnings) yield* ui.warn(warning)
  if (mentions.blocks.length > 0) {
    // An entry of its own: the request stays as typed, to be shown and edited again.
    yield* talk.conversation.append({ type: "pending_context", text: mentions.blocks.join("\n\n") })
  }
  yield* makeRoom(talk, input.text)
  const request = { text: input.text, attachments: [...input.attachments, ...mentions.attachments] }
  yield* asCommandSays(talk, input.command, turns(talk, request))
})

/**
 * The rules and the model of a command of the user hold for its request only. The scope is for the rules alone: what the work
 * opens (a session that goes on from a summary) stays open.
 */
const asCommandSays = <R>(talk: Talk, command: UserCommand | undefined, work: Effect.Effect<void, never, R>) =>
  command === undefined
    ? work
    : Effect.scopedWith((scope) =>
        Effect.gen(function* () {
          const permissions = yield* Permissions
          yield* Effect.provideService(permissions.grant(command.allow, command.file), Scope.Scope, scope)
          const { model } = talk.conversation
          talk.conversation.model = command.model ?? model
          yield* Effect.ensuring(
            work,
            Effect.sync(() => {
              talk.conversation.model = model
            })
          )
        })
      )

/** A turn, and more where the user says so at the iteration limit. */
export const turns = Effect.fnUntraced(function* (talk: Talk, request: Parameters<typeof runTurn>[1]) {
  const ui = yield* Ui
  let reason = yield* runTurn(talk, request)
  while (reason === "max_iterations" && (yield* ui.confirm(goOnQuestion))) {
    reason = yield* runTurn(talk, { text: GO_ON })
  }
  // What was to join a turn that was stopped is not a request of its own: the user may want to change it.
  if (reason === "interrupted" || reason === "error") yield* ui.recall
  else yield* makeRoom(talk)
})

const goOnQuestion = phrase(
  "The iteration limit is reached. Go on?",
  "La limite d'itérations est atteinte. Continuer ?"
)

/** Compacts where the next request would be too long; Esc stops it and changes nothing. */
const makeRoom = Effect.fnUntraced(function* (talk: Talk, next?: string) {
  const ui = yield* Ui
  const care = yield* ContextCare
  if (!(yield* care.isFull(talk.conversation, next))) return
  const made = yield* ui.waiting(
    compacting,
    compactWhereFull(talk.conversation, { cancel: ui.interrupted, ...(next === undefined ? {} : { next }) })
  )
  if (made.tokens !== undefined) yield* ui.info(phrases.compacted(made.tokens))
  for (const note of made.notes) yield* ui.info(note)
  talk.conversation = made.conversation
  yield* countContext(talk)
})

const compacting = phrase("Compacting the conversation", "Compactage de la conversation")
