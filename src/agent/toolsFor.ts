/**
 * The tools as one model gets them (spec 06, "Profiles"): those its settings name, and Write with a hint of how much one call can
 * hold. Pure.
 */
import { modelSettings } from "../config/modelSettings.ts"
import type { Settings } from "../config/settings.ts"
import type { Tool } from "../domain/tool.ts"
import { builtinTools } from "../tools/ToolSet.ts"

/** Characters a token holds in code, and the share of an answer that a file can be. */
const CHARACTERS = 3
const SHARE = 0.6
/** Tokens from which on nobody needs a hint. */
const ROOMY = 16_000

/** In the order given; extensions' tools are kept whatever the settings name. */
export const toolsFor = (settings: Settings, model: string, tools: ReadonlyArray<Tool>): ReadonlyArray<Tool> => {
  const { maxOutputTokens = settings.MaxOutputTokens, tools: wanted } = modelSettings(settings, model)
  const kept =
    wanted === undefined ? tools : tools.filter(({ name }) => wanted.includes(name) || !builtinTools.has(name))
  if (maxOutputTokens === undefined || maxOutputTokens >= ROOMY) return kept
  return kept.map((tool) => (tool.name === "Write" ? withSizeHint(tool, maxOutputTokens) : tool))
}

const withSizeHint = (tool: Tool, tokens: number): Tool => {
  const characters = Math.max(500, Math.floor((tokens * CHARACTERS * SHARE) / 500) * 500)
  return { ...tool, description: `${tool.description} One call holds about ${characters} characters at most.` }
}
