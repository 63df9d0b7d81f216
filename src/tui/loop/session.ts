/**
 * One conversation in the terminal (MAIA §5.5): takes what the user sends, runs commands and turns, until the user leaves or
 * goes to another session. Errors are shown and never end it.
 */
import { Cause, Effect } from "effect"
import { openConversation, type OpenInput } from "../../agent/openConversation.ts"
import { text, type Text } from "../../domain/text.ts"
import { Permissions, type PermissionMode } from "../../permissions/Permissions.ts"
import { dispatch, isOwnCommand } from "../commands/table.ts"
import { historyItems, summaryItems } from "../store/history.ts"
import { kindOf } from "../store/sent.ts"
import type { Sent } from "../store/state.ts"
import { Ui } from "../Ui.ts"
import { countContext, lookUpWindow } from "./contextUse.ts"
import { helpInput } from "./inputHelp.ts"
import { handleRequest, turns } from "./request.ts"
import { handleShell } from "./shellCommand.ts"
import { STAY, type Outcome, type Reopen, type Talk } from "./Talk.ts"

export interface SessionInput extends OpenInput {
  readonly showHistory: boolean
  /** To be said once the conversation is open. */
  readonly warnings: ReadonlyArray<Text>
}

/** How it ended, and what the next conversation takes over. */
export interface SessionEnd {
  readonly reopen: Reopen | undefined
  /** Its name, for when the next one cannot be opened. */
  readonly session: string
  readonly model: string
  readonly effort: string | undefined
  readonly mode: PermissionMode
}

export const runSession = Effect.fn("Tui.session")(function* (input: SessionInput) {
  const ui = yield* Ui
  const permissions = yield* Permissions
  const { conversation, notices, warnings } = yield* openConversation(input)
  const talk: Talk = { conversation, usage: undefined }
  yield* showOpened(talk, input.showHistory)
  for (const notice of notices) yield* ui.info(notice)
  for (const warning of [...input.warnings, ...warnings]) yield* ui.warn(warning)
  yield* helpInput
  yield* Effect.forkScoped(followMode)
  yield* Effect.forkScoped(Effect.andThen(ui.ready, lookUpWindow(talk)))
  for (;;) {
    const sent = yield* ui.next
    const outcome = yield* safely(handle(talk, sent))
    if (outcome.type === "stay" || outcome.type === "turn") continue
    const end: SessionEnd = {
      reopen: outcome.type === "reopen" ? outcome.reopen : undefined,
      session: yield* talk.conversation.session.name,
      model: talk.conversation.model,
      effort: talk.conversation.effort,
      mode: yield* permissions.mode
    }
    return end
  }
})

const handle = Effect.fnUntraced(function* (talk: Talk, sent: Sent) {
  const typed = sent.text.trim()
  const kind = kindOf(sent)
  if (kind === "shell") {
    yield* handleShell(talk, typed.slice(1).trim())
    return STAY
  }
  if (kind !== "command" || (yield* isOwnCommand(typed))) {
    yield* handleRequest(talk, sent)
    return STAY
  }
  const outcome = yield* dispatch(talk, typed)
  if (outcome.type === "turn") yield* turns(talk, { text: outcome.text })
  return outcome
})

/** A failure is said and the conversation goes on; only an interruption from outside ends it. */
const safely = <E extends { readonly text?: Text; readonly message: string }, R>(
  work: Effect.Effect<Outcome, E, R>
): Effect.Effect<Outcome, never, R | Ui> => {
  const say = (problem: Text) =>
    Effect.as(
      Effect.flatMap(Ui, (ui) => ui.fail(problem)),
      STAY
    )
  return work.pipe(
    Effect.catch((error) => say(error.text ?? text(error.message, error.message))),
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => say(internal(Cause.pretty(cause)))
    )
  )
}

const internal = (cause: string): Text =>
  text(`Something went wrong inside maia: ${cause}`, `Une erreur interne de maia s'est produite : ${cause}`)

const showOpened = Effect.fnUntraced(function* (talk: Talk, showHistory: boolean) {
  const ui = yield* Ui
  const { session } = talk.conversation
  const name = yield* session.name
  const { language } = ui.store.current
  const { items, todos } = historyItems(session.path(), language)
  const { startContext } = session.header()
  ui.store.update((state) => ({ ...state, todos, status: { ...state.status, session: name } }))
  if (showHistory) {
    yield* ui.ready
    yield* ui.print(...(startContext === undefined ? [] : summaryItems(startContext, language)), ...items)
  }
  yield* countContext(talk)
})

/** Shift+Tab: the next permission mode. */
const followMode = Effect.gen(function* () {
  const ui = yield* Ui
  const permissions = yield* Permissions
  const show = Effect.map(permissions.mode, (mode) =>
    ui.store.update((state) => ({ ...state, status: { ...state.status, mode } }))
  )
  yield* show
  for (;;) {
    yield* ui.modeCycled
    const mode = yield* permissions.mode
    yield* permissions.setMode(MODES[(MODES.indexOf(mode) + 1) % MODES.length] ?? "ask")
    yield* show
  }
})

const MODES: ReadonlyArray<PermissionMode> = ["ask", "accept-edits", "plan", "auto"]
