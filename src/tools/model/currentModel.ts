/**
 * The CurrentModel tool (MAIA §8): the model as it is when the call runs. Touches nothing outside maia.
 */
import { Effect, Schema } from "effect"
import type { Tool } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { ActiveModel } from "./ActiveModel.ts"

export const makeCurrentModel: Effect.Effect<Tool, never, ActiveModel> = Effect.map(ActiveModel, (active) =>
  defineTool({
    name: "CurrentModel",
    description: "Names the model that is answering.",
    parameters: { type: "object", properties: {} },
    schema: Schema.Struct({}),
    permission: "auto",
    run: (_input, context) => Effect.map(active.get, (model) => ({ text: model ?? context.model.id }))
  })
)
