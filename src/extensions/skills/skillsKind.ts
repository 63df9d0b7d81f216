/** Skills as a kind of extension: the catalogue in the fixed prompt, and the Skill tool where there is a skill. */
import { Effect } from "effect"
import { Config } from "../../config/Config.ts"
import { nothing, type Contribution, type ExtensionKind } from "../Extensions.ts"
import { catalogue } from "./catalogue.ts"
import { Skills } from "./Skills.ts"
import { makeSkillTool } from "./skillTool.ts"

export const skillsKind: Effect.Effect<ExtensionKind, never, Skills | Config> = Effect.gen(function* () {
  const service = yield* Skills
  const { settings } = yield* Config
  const tools = [makeSkillTool(service, settings)]
  return {
    name: "skills",
    load: Effect.map(service.load, ({ skills, warnings }): Contribution =>
      skills.length === 0
        ? { ...nothing, warnings }
        : { tools, prompt: [{ kind: "skills", text: catalogue(skills) }], warnings }
    )
  }
})
