/** Hints under the input, in both languages. Pure. */
import { text } from "../../domain/text.ts"

export const pressAgain = text("Ctrl+C again to leave", "Ctrl+C encore une fois pour quitter")
export const escapeAgain = text(
  "Esc again to edit an earlier message",
  "Échap encore une fois pour modifier un message précédent"
)
