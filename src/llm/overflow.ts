/**
 * Recognises a context overflow in the text of an error (spec 01, field cases A34 and A35): one table, a test per row. Pure.
 * Only error responses are ever judged by it, so that a file that quotes one of these texts means nothing.
 */

export interface OverflowRow {
  /** Who words it so. */
  readonly who: string
  readonly pattern: RegExp
  /** Group of `pattern` that holds the limit in tokens. */
  readonly limit?: number
}

/** Throttling and limits of single fields that speak of tokens or length as well; they are never an overflow. */
const notOverflow: ReadonlyArray<RegExp> = [
  /throttling/i,
  /too many tokens, please wait/i,
  /too many (?:total )?(?:tokens|requests) per/i,
  /tokens? per (?:minute|day|hour)|\b[TR]P[MD]\b/i,
  /rate.?limit/i,
  /service unavailable/i,
  /string_above_max_length|string too long/i,
  /too many tokens.*(?:quota|later)/i
]

/** Said plainly, whatever stands around it (LiteLLM wraps a ContextWindowExceededError in other errors). */
const plain: ReadonlyArray<OverflowRow> = [
  { who: "LiteLLM", pattern: /ContextWindowExceededError/ },
  { who: "OpenAI code", pattern: /context_length_exceeded/ },
  { who: "llama.cpp type", pattern: /exceed_context_size_error/ }
]

/** The first row that matches decides; those that tell the limit come before those that do not. */
export const overflowRows: ReadonlyArray<OverflowRow> = [
  { who: "Anthropic, Bedrock", pattern: /prompt is too long: [\d_,]+ tokens > ([\d_,]+) maximum/i, limit: 1 },
  {
    who: "Anthropic, input and max_tokens",
    pattern: /input length and `?max_tokens`? exceed context limit: [\d_,]+ \+ [\d_,]+ > ([\d_,]+)/i,
    limit: 1
  },
  { who: "OpenAI, vLLM, DeepSeek", pattern: /maximum context length (?:is|of) ([\d_,]+) tokens/i, limit: 1 },
  { who: "xAI", pattern: /maximum prompt length is ([\d_,]+)/i, limit: 1 },
  { who: "Azure OpenAI", pattern: /input tokens exceed the configured limit of ([\d_,]+) tokens/i, limit: 1 },
  {
    who: "Gemini, Vertex",
    pattern: /input token count \(?[\d_,]+\)? exceeds the maximum number of (?:input )?tokens allowed \(?([\d_,]+)/i,
    limit: 1
  },
  {
    who: "SGLang, Together",
    pattern: /input \([\d_,]+ tokens\) is longer than the model'?s context length \(([\d_,]+) tokens\)/i,
    limit: 1
  },
  {
    who: "llama.cpp",
    pattern: /request \([\d_,]+ tokens\) exceeds the available context size \(([\d_,]+) tokens\)/i,
    limit: 1
  },
  {
    who: "LM Studio",
    pattern: /tokens to keep from the initial prompt is greater than the context length(?: of ([\d_,]+))?/i,
    limit: 1
  },
  { who: "LM Studio, short", pattern: /context length of only ([\d_,]+) tokens/i, limit: 1 },
  { who: "Mistral", pattern: /too large for model with ([\d_,]+) maximum context length/i, limit: 1 },
  { who: "Cerebras", pattern: /current length is [\d_,]+ while limit is ([\d_,]+)/i, limit: 1 },
  {
    who: "OpenRouter",
    pattern: /input length [\d_,]+ exceeds the maximum allowed input length of ([\d_,]+) tokens/i,
    limit: 1
  },
  { who: "Kimi", pattern: /exceeded model token limit: ([\d_,]+)/i, limit: 1 },
  { who: "GitHub Copilot", pattern: /prompt token count of [\d_,]+ exceeds the limit of ([\d_,]+)/i, limit: 1 },
  { who: "TGI", pattern: /`?inputs`? tokens \+ `?max_new_tokens`? must be <= ([\d_,]+)/i, limit: 1 },
  {
    who: "Cohere",
    pattern: /total number of tokens.{0,80}cannot exceed ([\d_,]+)/i,
    limit: 1
  },
  { who: "Cohere, short", pattern: /too many tokens: .{0,80}(?:limit|max\w*) (?:is|of) ([\d_,]+)/i, limit: 1 },
  { who: "Ollama", pattern: /prompt too long; exceeded max context length/i },
  { who: "Ollama, crashed", pattern: /llama-server process has terminated/i },
  { who: "Ollama, runner", pattern: /input length exceeds (?:the )?(?:maximum )?context length/i },
  { who: "LiteLLM router", pattern: /Context Window exceeded for given call/i },
  { who: "OpenAI, newer", pattern: /exceeds the context window/i },
  { who: "Bedrock", pattern: /input is too long for requested model/i },
  { who: "Bedrock, tokens", pattern: /too many input tokens/i },
  { who: "Anthropic, bytes", pattern: /request_too_large|request exceeds the maximum size/i },
  { who: "Groq, Cerebras", pattern: /please reduce the length of (?:the messages|your prompt)/i },
  { who: "Perplexity", pattern: /total length of all messages is too long/i },
  { who: "MiniMax", pattern: /context window exceeds limit/i },
  { who: "Anthropic, short", pattern: /prompt is too long/i },
  { who: "z.ai", pattern: /model_context_window_exceeded/i },
  { who: "llama.cpp, older", pattern: /exceeds? (?:the )?available context size/i },
  {
    who: "any",
    pattern:
      /(?:maximum|max) context (?:length|size|window)[^.]{0,40}exceed|exceeds?[^.]{0,40}(?:max\w* )?context (?:length|size|window|limit)/i
  }
]

export interface Overflow {
  readonly who: string
  /** Tokens, where the message says it. */
  readonly limit?: number
}

/** `status` 0 stands for an error inside a stream. `said` is all the server said: message, code and type. */
export const overflowOf = (status: number, said: string): Overflow | undefined => {
  // Cerebras refuses so, with no body at all.
  if (said.trim() === "") return status === 400 || status === 413 ? { who: "Cerebras, no body" } : undefined
  const isPlain = plain.find((row) => row.pattern.test(said))
  if (isPlain === undefined && (status === 429 || notOverflow.some((pattern) => pattern.test(said)))) return undefined
  for (const row of overflowRows) {
    const match = row.pattern.exec(said)
    if (match === null) continue
    const limit = row.limit === undefined ? undefined : tokensOf(match[row.limit])
    return { who: row.who, ...(limit === undefined ? {} : { limit }) }
  }
  if (isPlain === undefined) return undefined
  const limit = tokensOf(/"?n_ctx"?:\s*(\d+)/.exec(said)?.[1])
  return { who: isPlain.who, ...(limit === undefined ? {} : { limit }) }
}

const tokensOf = (digits: string | undefined): number | undefined => {
  const tokens = Number(digits?.replaceAll(/[_,]/g, ""))
  return Number.isFinite(tokens) && tokens > 0 ? tokens : undefined
}
