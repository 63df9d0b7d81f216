/** `maia config --prompt-cost`: tokens (o200k) of what every request begins with, part by part. */
import { Effect } from "effect"
import { loadInstructions } from "../../agent/instructions.ts"
import { systemPrompt } from "../../agent/systemPrompt.ts"
import { Config } from "../../config/Config.ts"
import { TokenCounter } from "../../context/TokenCounter.ts"
import { Extensions } from "../../extensions/Extensions.ts"
import { Output } from "../../process/stdout.ts"
import { headlessApprover } from "../headless/HeadlessApprover.ts"
import { agentLayer } from "../layers.ts"

export const promptCost = (config: Config["Service"], json: boolean) =>
  Effect.gen(function* () {
    const extensions = yield* Extensions
    const added = yield* extensions.load
    const tools = yield* extensions.tools
    const counter = yield* TokenCounter
    const output = yield* Output
    const instructions = yield* loadInstructions()
    const { launchFolder, platform } = config
    const system = systemPrompt({ launchFolder, platform, instructions: [] })
    const parts: Array<{ part: string; text: string; kind?: string | undefined }> = [
      { part: "system prompt", text: system }
    ]
    for (const { name, description, parameters } of tools) {
      const text = JSON.stringify({ name, description, parameters })
      parts.push({ part: `tool ${name}`, text, kind: added.kindOf?.(name) })
    }
    for (const { kind, text } of added.prompt) parts.push({ part: kind, text, kind })
    const rows: Array<{ part: string; tokens: number; kind?: string }> = []
    const kinds = new Map<string, number>()
    for (const { part, text, kind } of parts) {
      const tokens = yield* counter.count(text)
      rows.push({ part, tokens, ...(kind === undefined ? {} : { kind }) })
      if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + tokens)
    }
    const fixed = rows.reduce((sum, { tokens }) => sum + tokens, 0)
    for (const { path, content } of instructions.found) {
      rows.push({ part: `instructions ${path}`, tokens: yield* counter.count(content) })
    }
    if (json) yield* output.out(`${JSON.stringify({ fixed, parts: rows, kinds: Object.fromEntries(kinds) })}\n`)
    else {
      for (const { part, tokens } of rows) yield* output.out(`${String(tokens).padStart(6)}  ${part}\n`)
      for (const [kind, tokens] of kinds) yield* output.out(`${String(tokens).padStart(6)}  of these for ${kind}\n`)
      yield* output.out(`${String(fixed).padStart(6)}  fixed prompt: system prompt and ${tools.length} tools\n`)
    }
    return 0
  }).pipe(Effect.provide(agentLayer(config, headlessApprover("deny"))), Effect.scoped)
