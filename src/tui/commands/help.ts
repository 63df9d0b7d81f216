/** `/help`: commands and keys. */
import { Effect } from "effect"
import { text } from "../../domain/text.ts"
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
      const rows = commands().map((command): readonly [string, string] => [
        `/${command.name}${command.argument === undefined ? "" : ` ${command.argument[language]}`}`,
        command.help[language]
      ])
      const width = Math.max(...rows.map(([name]) => name.length))
      const lines = rows.map(([name, help]) => `${name.padEnd(width)}  ${help}`)
      yield* ui.print({ type: "plain", text: [...lines, "", keys[language]].join("\n") })
      return STAY
    })
})

const keys = text(
  [
    "!command  runs a command; its output joins the next request",
    "@file     brings a file along · §skill  uses a skill",
    "Esc       stops what runs · Esc Esc  edits an earlier message",
    "Shift+Tab permission mode · Ctrl+O  last output whole · Ctrl+G  input in the editor",
    "Ctrl+C    clears the input, stops, twice: leaves · Alt+Enter  new line"
  ].join("\n"),
  [
    "!commande exécute une commande ; sa sortie est jointe à la prochaine demande",
    "@fichier  joint un fichier · §skill  utilise un skill",
    "Échap     arrête ce qui tourne · Échap Échap  modifie un message précédent",
    "Maj+Tab   mode de permission · Ctrl+O  dernière sortie en entier · Ctrl+G  saisie dans l'éditeur",
    "Ctrl+C    vide la saisie, arrête, deux fois : quitte · Alt+Entrée  nouvelle ligne"
  ].join("\n")
)
