/** What the input asks while it is being written: candidates, whether an image is there, what was sent in earlier sessions. */
import { Effect, FileSystem, Path } from "effect"
import { Config } from "../../config/Config.ts"
import { UserCommands } from "../../extensions/commands/UserCommands.ts"
import { Skills } from "../../extensions/skills/Skills.ts"
import { LiteLlm } from "../../llm/LiteLlm.ts"
import { Sessions } from "../../sessions/Sessions.ts"
import { findMentions } from "../../tools/mentionSyntax.ts"
import { COMMANDS } from "../commands/table.ts"
import { makeCompleter } from "../input/completion/Completer.ts"
import type { NamedItem } from "../input/completion/nameCandidates.ts"
import type { Token } from "../input/content.ts"
import { makeInputHistory } from "../input/InputHistory.ts"
import { Ui } from "../Ui.ts"

/** For one conversation: skills and files are those of its services. */
export const helpInput = Effect.gen(function* () {
  const ui = yield* Ui
  const { language } = ui.store.current
  const skills = yield* Skills
  const own = yield* UserCommands
  const names = yield* argumentNames
  const { complete } = yield* makeCompleter({
    commands: Effect.map(own.current, ({ commands }) => [
      ...COMMANDS.map(({ help, name }) => ({ name, detail: help[language] })),
      ...commands.map(({ description, name }) => ({ name, detail: description }))
    ]),
    skills: Effect.map(skills.current, (loaded) =>
      loaded.skills.map(({ description, name }) => ({ name, detail: description }))
    ),
    arguments: names
  })
  yield* ui.helpInput({ complete, hasImage: yield* imageLookUp })
})

/** Models are asked for once; a list that cannot be had is empty. */
const argumentNames = Effect.gen(function* () {
  const llm = yield* LiteLlm
  const sessions = yield* Sessions
  const models = yield* Effect.cached(
    llm.models.pipe(
      Effect.map((found) => found.map(({ id }): NamedItem => ({ name: id }))),
      Effect.orElseSucceed((): ReadonlyArray<NamedItem> => [])
    )
  )
  const known = Effect.map(sessions.list, (found) =>
    found.map(({ firstText, name }): NamedItem => ({ name, ...(firstText === undefined ? {} : { detail: firstText }) }))
  )
  return (command: string): Effect.Effect<ReadonlyArray<NamedItem>> => {
    switch (command) {
      case "model":
        return models
      case "load":
        return known
      case "effort":
        return Effect.succeed(["low", "medium", "high", "none"].map((name) => ({ name })))
      case "export":
        return Effect.succeed(["md", "json", "html"].map((name) => ({ name })))
      case "compact":
        return Effect.succeed([{ name: "--new-session" }])
      default:
        return Effect.succeed([])
    }
  }
})

const imageLookUp = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { home, launchFolder } = yield* Config
  return (token: Token): Effect.Effect<boolean> => {
    const named = findMentions(token.text)[0]?.name
    if (named === undefined) return Effect.succeed(false)
    const file = named.startsWith("~/") ? path.join(home, named.slice(2)) : path.resolve(launchFolder, named)
    return fs.stat(file).pipe(
      Effect.map(({ type }) => type === "File"),
      Effect.orElseSucceed(() => false)
    )
  }
})

/** ↑ finds what was sent in earlier sessions, once their file is read; what is sent from now on joins it. */
export const loadHistory = Effect.gen(function* () {
  const ui = yield* Ui
  const history = yield* makeInputHistory
  yield* ui.remember(yield* history.load, history.add)
})
