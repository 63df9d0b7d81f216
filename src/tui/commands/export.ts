/** `/export` and `/copy`: the conversation as a file, the last answer on the clipboard. */
import { Effect, FileSystem, Path } from "effect"
import { Config } from "../../config/Config.ts"
import { text } from "../../domain/text.ts"
import { Sessions, type ExportFormat } from "../../sessions/Sessions.ts"
import { STAY } from "../loop/Talk.ts"
import { Ui } from "../Ui.ts"
import type { Command } from "./command.ts"

const FORMATS: Readonly<Record<string, ExportFormat>> = {
  md: "markdown",
  markdown: "markdown",
  json: "json",
  html: "html"
}
const ENDINGS: Readonly<Record<ExportFormat, string>> = { markdown: "md", json: "json", html: "html" }

const exportCommand: Command = {
  name: "export",
  argument: text("[md|json|html] [file]", "[md|json|html] [fichier]"),
  help: text("Write the conversation to a file", "Écrire la conversation dans un fichier"),
  run: Effect.fn("Tui.export")(function* ({ conversation }, argument) {
    const ui = yield* Ui
    const config = yield* Config
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const sessions = yield* Sessions
    const { file, format } = target(argument, yield* conversation.session.name)
    const to = path.resolve(config.launchFolder, file)
    if (yield* fs.exists(to)) {
      const overwrite = yield* ui.confirm(text(`${file} exists. Overwrite it?`, `${file} existe. Le remplacer ?`))
      if (!overwrite) return STAY
    }
    yield* fs.writeFileString(to, yield* sessions.export(conversation.session, format))
    yield* ui.info(text(`Written: ${to}`, `Écrit : ${to}`))
    return STAY
  })
}

/** The format is the first word where it is one, else what the file's name says. Pure. */
export const target = (argument: string, session: string): { readonly format: ExportFormat; readonly file: string } => {
  const [first = "", ...others] = argument.split(/\s+/)
  const named = FORMATS[first.toLowerCase()]
  const file = named === undefined ? argument : others.join(" ")
  const format = named ?? FORMATS[/\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ""] ?? "markdown"
  return { format, file: file === "" ? `${session}.${ENDINGS[format]}` : file }
}

const copyCommand: Command = {
  name: "copy",
  help: text("Copy the last answer to the clipboard", "Copier la dernière réponse dans le presse-papiers"),
  run: Effect.fn("Tui.copy")(function* ({ conversation }) {
    const ui = yield* Ui
    const last = conversation.messages.findLast((message) => message.role === "assistant" && message.text !== "")
    if (last === undefined) yield* ui.info(text("There is no answer yet.", "Il n'y a pas encore de réponse."))
    else {
      yield* ui.copy(last.text)
      yield* ui.info(text("Copied, where the terminal allows it.", "Copié, si le terminal le permet."))
    }
    return STAY
  })
}

export const exportCommands: ReadonlyArray<Command> = [exportCommand, copyCommand]
