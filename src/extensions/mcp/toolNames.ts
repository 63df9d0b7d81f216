/**
 * Names of MCP tools as models and rules see them (spec 08): `mcp__server__tool`, in the characters and the length that
 * OpenAI-format servers take, no two alike. Pure.
 */
import { createHash } from "node:crypto"

const LONGEST = 64

/** `taken` are names given before, in the same order each time: the result depends on nothing else. */
export const toolName = (server: string, tool: string, taken: ReadonlySet<string>): string => {
  const plain = `mcp__${server}__${tool.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`
  if (plain.length <= LONGEST && !taken.has(plain)) return plain
  const mark = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 8)
  return `${plain.slice(0, LONGEST - mark.length - 1)}_${mark}`
}
