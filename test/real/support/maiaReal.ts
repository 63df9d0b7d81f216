/** maia's executable against a real server: settings fit for a model of 135 million parameters. */
import { Effect, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { sandbox, type RunOptions, type Sandbox } from "../../e2e/support.ts"
import { KEY, MODEL, NARROW_MODEL } from "./servers.ts"

/** Shows by example how a file is read: such a small model copies the form. */
export const EXAMPLES = `# How to answer

User: Read the file README.md
Assistant: <tool_call>
{"name": "Read", "arguments": {"path": "README.md"}}
</tool_call>

User: Read the file main.c
Assistant: <tool_call>
{"name": "Read", "arguments": {"path": "main.c"}}
</tool_call>
`

export interface RealSandbox extends Sandbox {
  /** The raw exchange with the server so far. */
  readonly raw: () => string
  /** Options of a run against this server. */
  readonly options: (more?: RunOptions) => RunOptions
}

export interface Against {
  readonly url: string
  readonly model?: string
  readonly key?: string | undefined
  /** Tokens the model may write. */
  readonly maxTokens?: number
  readonly settings?: Readonly<Record<string, unknown>>
}

/** A sandbox whose settings name the server; the raw exchange is kept. */
export const against = (server: Against): Effect.Effect<RealSandbox, never, Scope.Scope> =>
  Effect.map(sandbox, (box) => {
    box.settings({
      LiteLLM_URL: server.url,
      ...(server.key === undefined ? {} : { LiteLLM_API_Key: server.key }),
      MaxOutputTokens: server.maxTokens ?? 32,
      models: { "*": { temperature: 0 } },
      ...server.settings
    })
    box.write("examples.md", EXAMPLES)
    const raw = `${box.root}/raw.log`
    return {
      ...box,
      raw: () => readFileSync(raw, "utf8"),
      options: (more = {}) => ({
        ...more,
        env: { MAIA_MODEL: server.model ?? MODEL, MAIA_DEBUG_LLM: raw, ...more.env }
      })
    }
  })

export { KEY, MODEL, NARROW_MODEL }
