/** What a scripted bad model can see: the request as it stands on the wire, and nothing else. Pure. */
import { Predicate } from "effect"

export interface SeenCall {
  readonly name: string
  readonly args: string
  /** What came back; undefined where nothing has yet. */
  readonly result: string | undefined
}

export interface View {
  /** Calls of this turn with their results, oldest first. */
  readonly calls: ReadonlyArray<SeenCall>
  /** Everything that came after the request and is not the model's own: results and notes, joined. */
  readonly told: string
  /** The last of it. */
  readonly last: string
  /** Texts the model itself has written in this turn. */
  readonly said: ReadonlyArray<string>
  readonly temperature: number | undefined
  /** Tokens. */
  readonly maxTokens: number | undefined
  /** Calls are wanted. */
  readonly mayCall: boolean
  /** The same request without streaming: the answer before was empty. */
  readonly isRetry: boolean
}

interface Wire {
  readonly role: string
  readonly content: string
  readonly calls: ReadonlyArray<{ readonly id: string; readonly name: string; readonly args: string }>
  readonly callId: string
}

/** `body` is the JSON text of a chat request. */
export const viewOf = (body: string): View => {
  const request = fields(parse(body))
  const all = list(request["messages"]).map(wire)
  const turn = all.slice(all.findIndex(({ role }) => role === "user") + 1)
  const results = new Map(turn.filter(({ role }) => role === "tool").map(({ callId, content }) => [callId, content]))
  const heard = turn.filter(({ role }) => role === "tool" || role === "user").map(({ content }) => content)
  return {
    calls: turn.flatMap(({ calls }) => calls.map(({ id, name, args }) => ({ name, args, result: results.get(id) }))),
    told: heard.join("\n"),
    last: heard.at(-1) ?? "",
    said: turn.filter(({ role, content }) => role === "assistant" && content !== "").map(({ content }) => content),
    temperature: number(request["temperature"]),
    maxTokens: number(request["max_tokens"]),
    mayCall: Array.isArray(request["tools"]) && request["tool_choice"] !== "none",
    isRetry: request["stream"] === false
  }
}

const wire = (message: unknown): Wire => {
  const given = fields(message)
  return {
    role: text(given["role"]),
    content: text(given["content"]),
    callId: text(given["tool_call_id"]),
    calls: list(given["tool_calls"]).map((call) => {
      const { name, arguments: args } = fields(fields(call)["function"])
      return { id: text(fields(call)["id"]), name: text(name), args: text(args) }
    })
  }
}

const parse = (source: string): unknown => {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

const fields = (value: unknown): Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const text = (value: unknown): string => (typeof value === "string" ? value : "")
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)
