/** Short words for building streams: `d(delta)` is one data line, `tc(…)` a delta with tool calls. */
export const line = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

export const d = (delta: unknown, finish: string | null = null): string =>
  line({ choices: [{ index: 0, delta, finish_reason: finish }] })

export const tc = (...calls: ReadonlyArray<object>): object => ({ tool_calls: calls })

export const fin = (reason: string): string => d({}, reason)

export const DONE = "data: [DONE]\n\n"

export interface CorpusCase {
  readonly name: string
  readonly stream: string | Uint8Array
  /** Text, reasoning, calls as `name(arguments)` or `name!problem`, and how it ended. */
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: ReadonlyArray<string>
  /** `finished` unless said otherwise. */
  readonly outcome?: "finished" | "empty" | "broken" | "failed" | "overflow" | "alien"
  readonly finish?: string
  readonly warnings?: ReadonlyArray<string>
}
