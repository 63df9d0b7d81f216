/**
 * What comes before a conversation (MAIA §5.4): trust of the folder, the model, the session to go on with, and what the user
 * should know about rules and files.
 */
import { Effect } from "effect"
import { Config } from "../../config/Config.ts"
import { text, type Text } from "../../domain/text.ts"
import { FolderTrust } from "../../permissions/trust/FolderTrust.ts"
import { trustQuestion, trustWarning } from "../../permissions/trust/trustText.ts"
import { Sandbox } from "../../process/sandbox/Sandbox.ts"
import { chooseModel } from "../commands/model.ts"
import { chooseSession } from "../commands/sessions.ts"
import { Ui } from "../Ui.ts"
import { loadHistory } from "./inputHelp.ts"
import { runSession } from "./session.ts"
import type { Reopen } from "./Talk.ts"

export interface StartInput extends Reopen {
  /** The user chooses the session first. */
  readonly pick: boolean
  /** Of this process: what is true of the folder is said once. */
  readonly isFirst: boolean
  readonly effort: string | undefined
}

/** Undefined where the user wanted no model. */
export const start = Effect.fn("Tui.start")(function* (input: StartInput) {
  const config = yield* Config
  if (input.isFirst) {
    yield* loadHistory
    yield* tellFolder
  } else if ((yield* Effect.flatMap(FolderTrust, (trust) => trust.status)) === "changed") yield* askTrust
  const model = config.settings.model ?? (yield* chosenModel)
  if (model === undefined) return undefined
  const picked = input.pick ? yield* chooseSession() : undefined
  return yield* runSession({
    model,
    effort: input.effort,
    session: picked === undefined ? input.session : { ...input.session, name: picked },
    showHistory: input.showHistory,
    warnings: []
  })
})

/** Asked again after an error: without a model there is nothing to do but leave. */
const chosenModel = Effect.gen(function* () {
  const ui = yield* Ui
  for (;;) {
    const found = yield* chooseModel(undefined).pipe(
      Effect.catch((error) => Effect.as(ui.fail(error.text), "failed" as const))
    )
    if (found !== "failed") return found
    const again = yield* ui.confirm(text("Try again?", "Réessayer ?"))
    if (!again) return undefined
  }
})

/** The folder's `.maia` can allow and run things: the user says once whether it may. */
const askTrust = Effect.gen(function* () {
  const ui = yield* Ui
  const trust = yield* FolderTrust
  const report = yield* trust.report
  const question = trustQuestion(report)
  if (question !== undefined && (yield* ui.confirm(question))) {
    yield* trust.trust(report).pipe(Effect.catch((error) => ui.fail(text(error.message, error.message))))
  }
  const warning = trustWarning(yield* trust.report)
  if (warning !== undefined) yield* ui.warn(warning)
})

const tellFolder = Effect.gen(function* () {
  const config = yield* Config
  const ui = yield* Ui
  const { warning } = yield* Sandbox
  for (const problem of config.warnings) yield* ui.warn(problem)
  const sandbox = yield* warning
  if (sandbox !== undefined) yield* ui.warn(sandbox)
  yield* askTrust
  yield* ui.info(rulesText(config.rules))
})

/** How many rules there are, and in which files (MAIA §9.4). */
export const rulesText = (rules: Config["Service"]["rules"]): Text => {
  if (rules.length === 0) {
    return text(
      "No permission rule: every use of a tool asks.",
      "Aucune règle de permission définie : chaque utilisation d'un outil demande une confirmation."
    )
  }
  const counts = new Map<string, number>()
  for (const { file, scope } of rules) {
    const name = scope === "flag" ? "flags" : file
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const list = [...counts].map(([file, count]) => `${file} (${count})`).join(", ")
  return text(`Permission rules: ${list}`, `Règles de permission : ${list}`)
}
