/** `/compact` (spec 04): in place, or with `--new-session` into a session that starts from the summary. */
import { Effect } from "effect"
import { compactNow } from "../../agent/compactNow.ts"
import type { SummaryError } from "../../context/summary/errors.ts"
import type { Conversation } from "../../agent/Conversation.ts"
import { text } from "../../domain/text.ts"
import { isKnownEntry } from "../../sessions/checkEntry.ts"
import { countContext } from "../loop/contextUse.ts"
import { STAY } from "../loop/Talk.ts"
import { summaryItems } from "../store/history.ts"
import * as phrases from "../store/phrases.ts"
import { Ui } from "../Ui.ts"
import type { Command } from "./command.ts"

/** There was nothing to do, or the user has ended it. */
const isHarmless = ({ code }: SummaryError): boolean => code === "nothing" || code === "cancelled"

export const compactCommand: Command = {
  name: "compact",
  argument: text("[--new-session] [what matters]", "[--new-session] [ce qui compte]"),
  help: text("Replace the conversation by a summary of it", "Remplacer la conversation par son résumé"),
  run: Effect.fn("Tui.compact")(function* (talk, argument) {
    const ui = yield* Ui
    const isNew = /(?:^|\s)--new-session(?:\s|$)/.test(argument)
    const instructions = argument.replace("--new-session", "").trim()
    const compacted = yield* ui.waiting(
      text("Compacting the conversation", "Compactage de la conversation"),
      compactNow(talk.conversation, {
        cancel: ui.interrupted,
        ...(instructions === "" ? {} : { instructions }),
        ...(isNew ? { strategy: "new-session" } : {})
      }).pipe(
        Effect.catchTag("SummaryError", (error) => (isHarmless(error) ? Effect.succeed(error) : Effect.fail(error)))
      )
    )
    if ("code" in compacted) {
      yield* ui.info(compacted.text)
      return STAY
    }
    const done = compacted
    const changed = done.conversation !== talk.conversation
    talk.conversation = done.conversation
    yield* countContext(talk)
    const summary = summaryOf(done.conversation, changed)
    if (summary !== undefined) yield* ui.print(...summaryItems(summary, ui.store.current.language))
    yield* ui.info(phrases.compacted(done))
    if (changed) {
      const name = yield* done.conversation.session.name
      ui.store.update((state) => ({ ...state, status: { ...state.status, session: name } }))
      yield* ui.info(text(`The conversation goes on in ${name}.`, `La conversation continue dans ${name}.`))
    }
    for (const warning of done.warnings) yield* ui.warn(warning)
    return STAY
  })
}

const summaryOf = ({ session }: Conversation, isNew: boolean): string | undefined => {
  if (isNew) return session.header().startContext
  const last = session.path().findLast((entry) => isKnownEntry(entry) && entry.type === "compaction")
  return last !== undefined && isKnownEntry(last) && last.type === "compaction" ? last.summary : undefined
}
