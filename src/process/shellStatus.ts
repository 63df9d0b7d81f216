/** How a command ended, as the last line of what is shown of it (spec 02 Bash, MAIA §8). Pure. */
import { text, type Text } from "../domain/text.ts"
import type { ShellStatus } from "./Shell.ts"

/** In brackets, one line; the English text is also what the model reads. */
export const describeStatus = (status: ShellStatus): Text => {
  switch (status.kind) {
    case "exited":
      return text(`[exit code: ${status.code}]`, `[code de sortie : ${status.code}]`)
    case "signalled":
      return text(`[killed by signal ${status.signal}]`, `[arrêté par le signal ${status.signal}]`)
    case "timedOut":
      return text(`[timed out after ${status.seconds} s]`, `[délai dépassé (${status.seconds} s)]`)
    case "interrupted":
      return text("[interrupted]", "[interrompu (Ctrl+C)]")
    case "tooMuchOutput": {
      const size = `${status.bytes / 1024 / 1024} MiB`
      return text(`[stopped: more than ${size} of output]`, `[arrêté : plus de ${size} de sortie]`)
    }
    case "couldNotStart":
      return text(`[could not start: ${status.reason}]`, `[échec du lancement de la commande : ${status.reason}]`)
  }
}
