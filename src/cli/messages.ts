/** Messages of the commands, in both languages. Pure. */
import { settingsExample } from "../config/settingsKeys.ts"
import { text, type Text } from "../domain/text.ts"

const example = settingsExample.replaceAll(/\s+/g, " ")

export const noServer = (file: string): Text =>
  text(
    `No server is configured: set "LiteLLM_URL" in ${file} (run "maia init"), or LITELLM_URL in the environment. Example: ${example}`,
    `Aucun serveur n'est configuré : réglez "LiteLLM_URL" dans ${file} (lancez « maia init »), ou LITELLM_URL dans l'environnement. Exemple : ${example}`
  )

export const noModel = (models: ReadonlyArray<string>): Text => {
  const list = models.slice(0, 12).join(", ") + (models.length > 12 ? ", …" : "")
  return text(
    `No model is chosen: use --model NAME, MAIA_MODEL, or "model" in ~/.maia/settings.json. ${models.length === 0 ? "The server lists none." : `The server has: ${list}`}`,
    `Aucun modèle n'est choisi : utilisez --model NOM, MAIA_MODEL, ou "model" dans ~/.maia/settings.json. ${models.length === 0 ? "Le serveur n'en liste aucun." : `Le serveur propose : ${list}`}`
  )
}

export const noPrompt: Text = text(
  'Nothing to do: give the request with --prompt TEXT or on stdin. Example: maia run -p "explain this folder"',
  'Rien à faire : donnez la demande avec --prompt TEXTE ou sur stdin. Exemple : maia run -p "explique ce dossier"'
)

export const notATerminal: Text = text(
  'maia needs a terminal; in a script use: maia run --prompt "..."',
  'maia a besoin d\'un terminal ; dans un script, utilisez : maia run --prompt "..."'
)

export const unknownSubcommand = (word: string, near: string): Text =>
  text(
    `${JSON.stringify(word)} is no command. Did you mean: maia ${near}? To send it as a request, say more than one word.`,
    `${JSON.stringify(word)} n'est pas une commande. Vouliez-vous dire : maia ${near} ? Pour l'envoyer comme demande, écrivez plus d'un mot.`
  )

export const cannotRead = (file: string, why: string): Text =>
  text(`${file} cannot be read: ${why}`, `${file} ne peut pas être lu : ${why}`)

export const notAnImage = (file: string): Text =>
  text(`${file} is no PNG, JPEG, GIF or WebP image.`, `${file} n'est pas une image PNG, JPEG, GIF ou WebP.`)

export const waitedForStdin: Text = text(
  "nothing came on stdin; going on with the prompt alone (use </dev/null to skip the wait)",
  "rien n'est arrivé sur stdin ; la demande seule est utilisée (</dev/null évite l'attente)"
)

export const noSkillName: Text = text(
  'A skill is run by its name: maia run -p "§NAME arguments". "maia skills list" shows them.',
  'Un skill se lance par son nom : maia run -p "§NOM arguments". « maia skills list » les montre.'
)
