/** `/new`, `/clear`, `/load`, `/rename`, `/fork`: going from one session to another (MAIA §12). */
import { Effect } from "effect"
import { text, type Text } from "../../domain/text.ts"
import { asker } from "../../extensions/agents/phrases.ts"
import { Sessions } from "../../sessions/Sessions.ts"
import { STAY, type Outcome } from "../loop/Talk.ts"
import { localTime } from "../text/duration.ts"
import { Ui } from "../Ui.ts"
import type { Command } from "./command.ts"

/** The session chosen from those of this folder; undefined: none. */
export const chooseSession = Effect.fn("Tui.chooseSession")(function* () {
  const ui = yield* Ui
  const sessions = yield* Sessions
  const found = yield* sessions.list
  if (found.length === 0) {
    yield* ui.info(text("There is no session here yet.", "Il n'y a pas encore de session ici."))
    return undefined
  }
  const choice = yield* ui.choose(
    text("Session", "Session"),
    found.map(({ agent, firstText, lastActivity, name }) => {
      const whose = agent === undefined ? "" : `[${asker(agent)[ui.store.current.language]}] `
      return { label: name, hint: `${localTime(lastActivity)}  ${whose}${firstText ?? ""}`.trimEnd() }
    })
  )
  return choice === undefined ? undefined : found[choice]?.name
})

const reopen = (name: string, showHistory: boolean): Outcome => ({
  type: "reopen",
  reopen: { session: { name, save: true }, showHistory }
})

const newCommand: Command = {
  name: "new",
  help: text("A new session; the old one is kept", "Nouvelle session ; l'ancienne est conservée"),
  run: () => Effect.succeed({ type: "reopen", reopen: { session: { save: true, fresh: true }, showHistory: false } })
}

const clearCommand: Command = {
  name: "clear",
  help: text(
    "Forget the conversation; instructions, tools and rules are read anew",
    "Oublier la conversation ; instructions, outils et règles sont relus"
  ),
  run: Effect.fn("Tui.clear")(function* ({ conversation }) {
    const ui = yield* Ui
    const name = yield* conversation.session.name
    if (conversation.messages.length > 0) yield* conversation.append({ type: "clear" })
    yield* conversation.append({ type: "todo", items: [] })
    yield* ui.info(text("The conversation starts anew.", "La conversation repart de zéro."))
    return reopen(name, false)
  })
}

const loadCommand: Command = {
  name: "load",
  argument: text("[name]", "[nom]"),
  help: text("Go on with another session", "Reprendre une autre session"),
  run: Effect.fn("Tui.load")(function* (_talk, argument) {
    const ui = yield* Ui
    const sessions = yield* Sessions
    if (argument === "") {
      const chosen = yield* chooseSession()
      return chosen === undefined ? STAY : reopen(chosen, true)
    }
    const found = yield* sessions.find(argument)
    if (found !== undefined) return reopen(found, true)
    yield* ui.fail(noSession(argument, yield* sessions.suggest(argument)))
    return STAY
  })
}

export const noSession = (name: string, near: ReadonlyArray<string>): Text =>
  text(
    `There is no session "${name}" here.${near.length === 0 ? "" : ` Near names: ${near.join(", ")}`}`,
    `Il n'y a pas de session « ${name} » ici.${near.length === 0 ? "" : ` Noms proches : ${near.join(", ")}`}`
  )

const renameCommand: Command = {
  name: "rename",
  argument: text("<name>", "<nom>"),
  help: text("Rename this session", "Renommer cette session"),
  run: Effect.fn("Tui.rename")(function* ({ conversation }, argument) {
    const ui = yield* Ui
    const wanted = argument === "" ? yield* ui.askLine(text("New name", "Nouveau nom")) : argument
    if (wanted === undefined || wanted.trim() === "") return STAY
    const name = yield* conversation.session.rename(wanted)
    ui.store.update((state) => ({ ...state, status: { ...state.status, session: name } }))
    yield* ui.info(text(`The session is now called ${name}.`, `La session s'appelle maintenant ${name}.`))
    return STAY
  })
}

const forkCommand: Command = {
  name: "fork",
  help: text("Go on in a copy of this session", "Poursuivre dans une copie de cette session"),
  run: Effect.fn("Tui.fork")(function* ({ conversation }) {
    const name = yield* conversation.session.name
    return { type: "reopen", reopen: { session: { name, fork: true, save: true }, showHistory: false } }
  })
}

export const sessionCommands: ReadonlyArray<Command> = [
  newCommand,
  clearCommand,
  loadCommand,
  renameCommand,
  forkCommand
]
