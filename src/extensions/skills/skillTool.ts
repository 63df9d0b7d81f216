/**
 * The Skill tool (MAIA §11.3): the steps of a skill, when the model finds that a request fits it. Touches nothing outside
 * maia; rules speak of the skill's name.
 */
import { Effect, Schema } from "effect"
import type { Settings } from "../../config/settings.ts"
import { ToolFailure, type Tool } from "../../domain/tool.ts"
import { defineTool } from "../../tools/defineTool.ts"
import { fileReading } from "../fileReading.ts"
import { unknownSkillForModel } from "./catalogue.ts"
import { findSkill, type Skills } from "./Skills.ts"

const Input = Schema.Struct({ name: Schema.String, arguments: Schema.optionalKey(Schema.String) })

export const makeSkillTool = (service: Skills["Service"], settings: Settings): Tool => {
  const tool = defineTool({
    name: "Skill",
    description:
      "Loads a skill listed under Skills in your instructions. Its result is a procedure for you: carry it out at once, in this same turn, with your other tools.",
    parameters: {
      type: "object",
      properties: {
        name: { type: "string" },
        arguments: { type: "string", description: "What the procedure needs from the request" }
      },
      required: ["name"]
    },
    schema: Input,
    permission: "auto",
    hints: {
      aliases: { name: ["skill", "skill_name", "skillName", "command"], arguments: ["args", "parameters", "input"] },
      joinLines: ["arguments"]
    },
    run: (input, context) =>
      service
        .use(input.name.replace(/^§/, ""), input.arguments ?? "", {
          ...fileReading(settings, context.model.id),
          images: context.model.images
        })
        .pipe(
          Effect.map(({ text, attachments, warnings }) => ({
            text: [text, ...warnings.map(({ en }) => `[note: ${en}]`)].join("\n"),
            ...(attachments.length === 0 ? {} : { attachments })
          })),
          Effect.mapError((error) => new ToolFailure({ message: error.message }))
        )
  })
  return {
    ...tool,
    // The name as it is known, so that a rule judges what will be used.
    prepare: (raw) =>
      Effect.gen(function* () {
        const call = yield* tool.prepare(raw)
        const { skills } = yield* service.current
        // Models that have seen `§name` write it.
        const wanted = String(call.input["name"]).replace(/^§/, "")
        const skill = findSkill(wanted, skills)
        if (skill === undefined) return yield* new ToolFailure({ message: unknownSkillForModel(wanted, skills) })
        return { ...call, input: { ...call.input, name: skill.name } }
      })
  }
}
