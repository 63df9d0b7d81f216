/** `/skills`, and `§` alone: what there is to use. */
import { Effect } from "effect"
import { text } from "../../domain/text.ts"
import { Skills } from "../../extensions/skills/Skills.ts"
import { Ui } from "../Ui.ts"

export const listSkills = Effect.gen(function* () {
  const ui = yield* Ui
  const { skills, warnings } = yield* Effect.flatMap(Skills, (service) => service.current)
  for (const warning of warnings) yield* ui.warn(warning)
  if (skills.length === 0) {
    return yield* ui.info(
      text(
        "There are no skills. One is a folder .maia/skills/NAME with a SKILL.md.",
        "Il n'y a pas de skill. Un skill est un dossier .maia/skills/NOM avec un SKILL.md."
      )
    )
  }
  yield* ui.print({ type: "table", rows: skills.map(({ description, name }) => [`§${name}`, description]) })
})
