/** Fixed texts of the screen, in both languages. Pure. */
import { text, type Text } from "../../domain/text.ts"
import type { PermissionMode } from "../../permissions/Permissions.ts"

/** What an empty input says, for wide and for narrow windows. */
export const inputHelp: ReadonlyArray<Text> = [
  text(
    "Your request — /help: help · §: skills · Ctrl+C: leave",
    "Votre demande — /help : aide · § : skills · Ctrl+C : quitter"
  ),
  text("Your request — /help: help", "Votre demande — /help : aide")
]
/** While the agent works. */
export const steerHelp: ReadonlyArray<Text> = [
  text(
    "Enter sends this along with the next step · Esc: stop",
    "Entrée : joindre à la prochaine étape · Échap : arrêter"
  ),
  text("Enter: send along · Esc: stop", "Entrée : joindre · Échap : arrêter")
]
/** While messages wait. */
export const queuedHelp: ReadonlyArray<Text> = [
  text("↑ takes the last message back · Esc: stop", "↑ : reprendre le dernier message · Échap : arrêter"),
  text("↑: take it back · Esc: stop", "↑ : reprendre · Échap : arrêter")
]
/** While something else runs. */
export const waitingHelp: ReadonlyArray<Text> = [
  text("Enter sends this when it is done · Esc: stop", "Entrée : envoyer quand c'est fini · Échap : arrêter"),
  text("Enter: send later · Esc: stop", "Entrée : plus tard · Échap : arrêter")
]

export const search = (query: string): Text => text(`search: ${query}`, `recherche : ${query}`)

export const allow = (tool: string, asker: Text | undefined): Text =>
  byAsker(text(`Allow ${tool}?`, `Autoriser ${tool} ?`), asker)

/** A sub-agent's question says whose it is. */
export const byAsker = (said: Text, asker: Text | undefined): Text =>
  asker === undefined ? said : text(`[${asker.en}] ${said.en}`, `[${asker.fr}] ${said.fr}`)

export const confirmKeys = text("y: yes · n: no", "o : oui · n : non")
export const listKeys = text(
  "↑/↓ or j/k · Enter: choose · Esc: cancel",
  "↑/↓ ou j/k · Entrée : choisir · Échap : annuler"
)
export const lineKeys = text("Enter: done · Esc: cancel", "Entrée : valider · Échap : annuler")
export const askKeys = text("y: yes · n: no, with a reason", "o : oui · n : non, avec un motif")
export const askAlwaysKeys = text(
  "y: yes · n: no, with a reason · a: always",
  "o : oui · n : non, avec un motif · t : toujours"
)
export const askWholeKey = text("Ctrl+O: all of it", "Ctrl+O : tout voir")
export const reason = text(
  "Why not? (Enter alone: no reason) · Esc: back",
  "Pourquoi ? (Entrée seule : sans motif) · Échap : retour"
)
export const alwaysTitle = text("Always allow, with this rule:", "Toujours autoriser, avec cette règle :")

export const moreLines = (count: number): Text =>
  text(`… ${count} more ${count === 1 ? "line" : "lines"}`, `… ${count} ${count === 1 ? "ligne" : "lignes"} de plus`)

/** Permission modes as the status line names them. */
export const modes: Readonly<Record<PermissionMode, Text>> = {
  ask: text("asks", "demande"),
  "accept-edits": text("edits accepted", "modifications acceptées"),
  plan: text("plan only", "plan seulement"),
  auto: text("automatic", "automatique")
}

export const thought = (time: string): Text =>
  text(`Thought for ${time} · Ctrl+O shows it`, `Réflexion de ${time} · Ctrl+O l'affiche`)

export const thinking = text("Thinking", "En réflexion")
export const running = (tool: string): Text => text(`Running ${tool}`, `Exécution de ${tool}`)
export const compacting = text("Compacting the conversation", "Compactage de la conversation")
export const parallel = (done: number, total: number, names: string): Text =>
  text(
    `Tools in parallel: ${done}/${total} done (${names})`,
    `Outils en parallèle : ${done}/${total} terminés (${names})`
  )
export const composing = (tool: string, received: number): Text =>
  text(`Writing ${tool} (${received} characters)`, `Écriture de ${tool} (${received} caractères)`)
export const reading = (processed: number, total: number): Text =>
  text(`Reading the prompt: ${processed}/${total}`, `Lecture du prompt : ${processed}/${total}`)
