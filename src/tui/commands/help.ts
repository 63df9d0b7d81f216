/** `/help`: commands and keys. */
import { Effect } from "effect"
import { text } from "../../domain/text.ts"
import { UserCommands } from "../../extensions/commands/UserCommands.ts"
import { STAY } from "../loop/Talk.ts"
import { Ui } from "../Ui.ts"
import type { Command } from "./command.ts"

/** The table is asked for when the help is shown: it holds this command too. */
export const makeHelp = (commands: () => ReadonlyArray<Command>): Command => ({
  name: "help",
  help: text("This list", "Cette liste"),
  run: () =>
    Effect.gen(function* () {
      const ui = yield* Ui
      const { language } = ui.store.current
      const own = yield* Effect.flatMap(UserCommands, (service) => service.current)
      const rows = [
        ...commands().map((command): readonly [string, string] => [
          `/${command.name}${command.argument === undefined ? "" : ` ${command.argument[language]}`}`,
          command.help[language]
        ]),
        ...own.commands.map(({ description, hint, name }): readonly [string, string] => [
          `/${name}${hint === undefined ? "" : ` ${hint}`}`,
          description
        ])
      ]
      yield* ui.print({ type: "table", rows }, { type: "table", rows: KEYS[language] })
      return STAY
    })
})

const KEYS: Readonly<Record<"en" | "fr", ReadonlyArray<readonly [string, string]>>> = {
  en: [
    ["!command", "runs a command; its output joins the next request"],
    ["@file", "brings a file along"],
    ["§skill", "uses a skill"],
    ["Esc", "stops what runs; twice: edits an earlier message"],
    ["Shift+Tab", "next permission mode"],
    ["Ctrl+O", "the last output whole"],
    ["Ctrl+G", "the input in the editor"],
    ["Ctrl+R", "searches what was sent before"],
    ["Ctrl+C", "clears the input, stops; twice: leaves"],
    ["Alt+Enter", "new line, also Shift+Enter or \\ at the end"]
  ],
  fr: [
    ["!commande", "exécute une commande ; sa sortie est jointe à la prochaine demande"],
    ["@fichier", "joint un fichier"],
    ["§skill", "utilise un skill"],
    ["Échap", "arrête ce qui tourne ; deux fois : modifie un message précédent"],
    ["Maj+Tab", "mode de permission suivant"],
    ["Ctrl+O", "la dernière sortie en entier"],
    ["Ctrl+G", "la saisie dans l'éditeur"],
    ["Ctrl+R", "cherche dans ce qui a été envoyé"],
    ["Ctrl+C", "vide la saisie, arrête ; deux fois : quitte"],
    ["Alt+Entrée", "nouvelle ligne, aussi Maj+Entrée ou \\ en fin de ligne"]
  ]
}
