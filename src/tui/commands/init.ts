/** `/init`: the model looks around and writes a first MAIA.md; each step is asked for as always. */
import { Effect } from "effect"
import { text } from "../../domain/text.ts"
import type { Command } from "./command.ts"

const PROMPT = `Write a MAIA.md for this folder: the instructions a newcomer (human or model) needs to work here.
First look: the README, the manifest and build files, the tests, the layout of the sources. Read before you claim.
Then write MAIA.md with: what the project is, in two sentences; the commands to build, test and check it, as they really are;
the layout, one line a folder; conventions that the code shows; what must not be touched. At most 60 lines, no filler.
Where MAIA.md exists, improve it and keep what is true. When it is written, say in three lines what it holds.`

export const initCommand: Command = {
  name: "init",
  help: text("Let the model write a first MAIA.md", "Faire écrire un premier MAIA.md par le modèle"),
  run: () => Effect.succeed({ type: "turn", text: PROMPT })
}
