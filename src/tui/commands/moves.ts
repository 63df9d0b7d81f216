/** `/tree`, `/edit` (Esc Esc) and `/undo`: going to another point of the session's tree (spec 04). Nothing is deleted. */
import { Effect } from "effect"
import { navigate } from "../../agent/navigate.ts"
import { Config } from "../../config/Config.ts"
import { collectAbandoned } from "../../context/branch/collectBranch.ts"
import { text, type Text } from "../../domain/text.ts"
import type { UserMessage } from "../../domain/message.ts"
import { CHECKPOINT_LIMIT, type PlannedFile } from "../../sessions/checkpoints/Checkpoints.ts"
import { planUndo } from "../../sessions/undo.ts"
import { countContext } from "../loop/contextUse.ts"
import { STAY, type Talk } from "../loop/Talk.ts"
import { historyItems } from "../store/history.ts"
import { firstLine, treeLine } from "../text/treeView.ts"
import { Ui } from "../Ui.ts"
import type { Command } from "./command.ts"
import { requestsOf, treeRows, type TreeRow } from "./treeRows.ts"

/** Messages shown again after a move. */
const SHOWN_AGAIN = 6

const nothingThere = text("There is no earlier message.", "Il n'y a pas de message précédent.")

/** Moves the leaf; a branch that is left may be summarised first, as the user or the setting says. */
const move = Effect.fnUntraced(function* (talk: Talk, target: string | null, request: UserMessage | undefined) {
  const ui = yield* Ui
  const { settings } = yield* Config
  const { conversation } = talk
  const { session } = conversation
  const left = collectAbandoned(session.entry, session.leaf(), target)
  const summarize =
    request === undefined &&
    left.some(({ type }) => type === "message") &&
    (settings.branchSummary.enabled || (yield* ui.confirm(summariseQuestion)))
  const work = navigate(conversation, target, { summarize, cancel: ui.interrupted })
  const moved = yield* summarize ? ui.waiting(summarising, work) : work
  const { language } = ui.store.current
  const { items, todos } = historyItems(session.path(), language, SHOWN_AGAIN)
  ui.store.update((state) => ({ ...state, todos }))
  yield* ui.info(movedText)
  yield* ui.print(...items)
  for (const warning of moved.warnings) yield* ui.warn(warning)
  if (request !== undefined) yield* ui.draft(request.text)
  yield* countContext(talk)
})

const movedText = text("The conversation goes on from here:", "La conversation reprend d'ici :")
const summariseQuestion = text("Summarise the branch that is left?", "Résumer la branche quittée ?")
const summarising = text("Summarising the branch", "Résumé de la branche")

const editCommand: Command = {
  name: "edit",
  help: text(
    "Edit an earlier message: a new branch (Esc Esc)",
    "Modifier un message précédent : une nouvelle branche (Échap Échap)"
  ),
  run: Effect.fn("Tui.edit")(function* (talk) {
    const ui = yield* Ui
    const requests = requestsOf(talk.conversation.session.path()).toReversed()
    if (requests.length === 0) {
      yield* ui.info(nothingThere)
      return STAY
    }
    const choice = yield* ui.choose(
      text("Edit which message", "Modifier quel message"),
      requests.map(({ message }) => ({ label: firstLine(message.text) }))
    )
    const chosen = choice === undefined ? undefined : requests[choice]
    if (chosen !== undefined) yield* move(talk, chosen.before, chosen.message)
    return STAY
  })
}

const treeCommand: Command = {
  name: "tree",
  help: text(
    "Go to another point of the conversation, or to another branch",
    "Aller à un autre point de la conversation, ou à une autre branche"
  ),
  run: Effect.fn("Tui.tree")(function* (talk) {
    const ui = yield* Ui
    const { session } = talk.conversation
    const rows = treeRows(session.entries(), session.path())
    const labels = session.labels()
    if (rows.length === 0) {
      yield* ui.info(nothingThere)
      return STAY
    }
    const { language } = ui.store.current
    const choice = yield* ui.choose(
      text("Go to", "Aller à"),
      rows.map((row) => ({ label: rowLabel(row, labels), ...(row.kind === "end" ? { hint: endHint[language] } : {}) })),
      Math.max(
        0,
        rows.findLastIndex(({ isCurrent }) => isCurrent)
      )
    )
    const chosen = choice === undefined ? undefined : rows[choice]
    if (chosen !== undefined) yield* move(talk, chosen.target, chosen.kind === "request" ? chosen.message : undefined)
    return STAY
  })
}

const endHint = text("end of a branch", "fin d'une branche")

const rowLabel = (row: TreeRow, labels: ReadonlyMap<string, string>): string =>
  treeLine({ ...row, text: row.kind === "request" ? row.message.text : row.text, label: labels.get(row.id) })

const undoCommand: Command = {
  name: "undo",
  help: text(
    "Take the last request back, and its files if you like",
    "Annuler la dernière demande, et ses fichiers si vous voulez"
  ),
  run: Effect.fn("Tui.undo")(function* (talk) {
    const ui = yield* Ui
    const { checkpoints, session } = talk.conversation
    const plan = checkpoints === undefined ? undefined : yield* planUndo(session, checkpoints)
    if (plan === undefined || checkpoints === undefined) {
      yield* ui.info(text("There is nothing to undo.", "Il n'y a rien à annuler."))
      return STAY
    }
    const { language } = ui.store.current
    const { files } = plan.files
    for (const file of files) {
      yield* ui.print({ type: "patch", patch: file.diff === "" ? `${SIGNS[file.action]} ${file.path}` : file.diff })
    }
    if (files.length > 0) yield* ui.info(CHECKPOINT_LIMIT)
    const choice = yield* ui.choose(undoQuestion(firstLine(plan.request?.text ?? "")), [
      { label: (files.length === 0 ? onlyThis : conversationOnly)[language] },
      ...(files.length === 0 ? [] : [{ label: withFiles(files.length)[language] }])
    ])
    if (choice === undefined) return STAY
    const restored = choice === 1 ? yield* checkpoints.restore(plan.files, { force: false }) : undefined
    yield* move(talk, plan.target, plan.request)
    for (const { path } of restored?.skipped ?? []) yield* ui.warn(leftAsIs(path))
    return STAY
  })
}

const undoQuestion = (request: string): Text => text(`Undo "${request}"`, `Annuler « ${request} »`)
const onlyThis = text("Undo it", "L'annuler")
const conversationOnly = text("The conversation only", "La conversation seulement")
const withFiles = (count: number): Text =>
  count === 1
    ? text("The conversation and 1 file", "La conversation et 1 fichier")
    : text(`The conversation and ${count} files`, `La conversation et ${count} fichiers`)
const leftAsIs = (path: string): Text =>
  text(`${path} was left as it is: someone else changed it.`, `${path} reste tel quel : quelqu'un d'autre l'a modifié.`)

const SIGNS: Readonly<Record<PlannedFile["action"], string>> = { change: "~", create: "+", delete: "-" }

export const moveCommands: ReadonlyArray<Command> = [treeCommand, editCommand, undoCommand]
