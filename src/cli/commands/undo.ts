/** `maia sessions undo` (spec 04): moves a session back before its last request, and its files where that is asked for. */
import { Effect, Layer } from "effect"
import type { Text } from "../../domain/text.ts"
import { text } from "../../domain/text.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { CHECKPOINT_LIMIT, Checkpoints, type PlannedFile } from "../../sessions/checkpoints/Checkpoints.ts"
import { checkpointsLayer } from "../../sessions/checkpoints/CheckpointsLive.ts"
import { Sessions } from "../../sessions/Sessions.ts"
import { planUndo } from "../../sessions/undo.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors } from "../failure.ts"
import { Launch } from "../Launch.ts"
import { existing, withSessions, type FolderFlags } from "./sessions.ts"

export interface UndoFlags extends FolderFlags {
  readonly name: string
  /** Puts the files back. */
  readonly files: boolean
  /** Also those that someone else has changed since. */
  readonly force: boolean
  readonly dryRun: boolean
}

export const undoSession = (flags: UndoFlags) => withSessions(flags, Effect.provide(undo(flags), checkpoints))

const checkpoints = Layer.fresh(checkpointsLayer)

const undo = Effect.fnUntraced(function* (flags: UndoFlags) {
  const sessions = yield* Sessions
  const { language } = yield* Launch
  const output = yield* Output
  const say = (line: Text) => output.out(`${sanitizeForTerminal(line[language])}\n`)
  const name = yield* existing(flags.name)
  if (name === undefined) return EXIT.error
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const session = yield* sessions.open({ name, save: true })
      if ((yield* session.name) !== name) {
        yield* reportErrors([notOurs(name)])
        return EXIT.error
      }
      const kept = yield* Effect.flatMap(Checkpoints, (service) => service.forSession(session, { save: true }))
      const plan = yield* planUndo(session, kept)
      if (plan === undefined) {
        yield* reportErrors([nothingToUndo(name)])
        return EXIT.error
      }
      yield* say(undone(firstLine(plan.request?.text ?? ""), flags.dryRun))
      for (const file of plan.files.files) {
        yield* say(planned(file))
        if (file.diff !== "") yield* output.out(`${sanitizeForTerminal(file.diff.trimEnd())}\n`)
      }
      yield* say(plan.files.files.length === 0 ? noFiles : CHECKPOINT_LIMIT)
      if (flags.dryRun) return EXIT.done
      const result = flags.files ? yield* kept.restore(plan.files, { force: flags.force }) : undefined
      yield* session.moveTo(plan.target)
      yield* session.sync
      const left = (result?.skipped ?? []).map(({ path, reason }) => notRestored(path, reason))
      const problems = [...left, ...session.warnings()]
      if (problems.length === 0) return EXIT.done
      yield* reportErrors(problems)
      return EXIT.error
    })
  )
})

const firstLine = (request: string): string => {
  const line = request.trim().split("\n", 1)[0] ?? ""
  return line.length > 120 ? `${line.slice(0, 120).toWellFormed()}…` : line
}

const undone = (request: string, dryRun: boolean): Text =>
  dryRun
    ? text(`Would undo: ${request}`, `Serait annulé : ${request}`)
    : text(`Undone: ${request}`, `Annulé : ${request}`)

const noFiles = text("No file would change.", "Aucun fichier ne changerait.")

const notOurs = (name: string): Text =>
  text(
    `The session ${name} is open in another process, or a newer version wrote it: nothing was undone.`,
    `La session ${name} est ouverte dans un autre processus, ou vient d'une version plus récente : rien n'a été annulé.`
  )

const nothingToUndo = (name: string): Text =>
  text(`There is no request to undo in ${name}.`, `Il n'y a aucune demande à annuler dans ${name}.`)

const ACTIONS: Readonly<Record<PlannedFile["action"], Text>> = {
  change: text("put back", "remis en état"),
  create: text("made again", "recréé"),
  delete: text("removed", "supprimé")
}

const planned = ({ action, conflict, lost, path }: PlannedFile): Text => {
  const en = lost
    ? " (its content is no longer kept)"
    : conflict
      ? " (changed by someone else since, or outside this folder: only with --force)"
      : ""
  const fr = lost
    ? " (son contenu n'est plus conservé)"
    : conflict
      ? " (changé par quelqu'un d'autre depuis, ou hors du dossier : seulement avec --force)"
      : ""
  return text(`${path}: ${ACTIONS[action].en}${en}`, `${path} : ${ACTIONS[action].fr}${fr}`)
}

const WHY: Readonly<Record<"conflict" | "lost" | "changed_meanwhile" | "not_writable", Text>> = {
  conflict: text(
    "someone else changed it since; --force does it anyway",
    "modifié depuis par quelqu'un d'autre ; --force"
  ),
  lost: text("its content is no longer kept", "son contenu n'est plus conservé"),
  changed_meanwhile: text("it changed just now", "il vient de changer"),
  not_writable: text("it cannot be written", "il ne peut pas être écrit")
}

const notRestored = (path: string, reason: keyof typeof WHY): Text =>
  text(`${path} was left as it is: ${WHY[reason].en}.`, `${path} reste tel quel : ${WHY[reason].fr}.`)
