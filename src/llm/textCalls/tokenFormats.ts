/**
 * Calls between special tokens that a server's template should have taken out: Mistral, Llama, DeepSeek, Kimi, gpt-oss
 * (spec 06). Pure.
 */
import {
  END,
  json,
  literal,
  oneOf,
  optional,
  peek,
  spaces,
  until,
  type Cursor,
  type Fold,
  type Parsing
} from "./Cursor.ts"
import { callsAsJson } from "./callObject.ts"
import type { DeclaredTools } from "./DeclaredTools.ts"
import type { TextCallFormat } from "./format.ts"
import { cutCall, fromJson, type FoundCall } from "./foundCall.ts"
import { pythonCall } from "./pythonCall.ts"

type Calls = ReadonlyArray<FoundCall> | undefined

const BRACE = 0x7b
const BRACKET = 0x5b
const BRACKET_END = 0x5d
const COMMA = 0x2c

/** A JSON object as the arguments of a call whose name has been read. */
function* jsonArguments(cursor: Cursor, name: string): Parsing<FoundCall | undefined> {
  yield* spaces(cursor)
  const code = yield* peek(cursor)
  if (code === END) return cutCall(name, "")
  return code === BRACE ? fromJson(name, yield* json(cursor)) : undefined
}

/** `[TOOL_CALLS][{…}]`, and the newer `[TOOL_CALLS]name[ARGS]{…}`. */
const mistral: TextCallFormat = {
  name: "[TOOL_CALLS]",
  starts: "[",
  isMarked: true,
  *parse(cursor, tools): Parsing<Calls> {
    if (!(yield* literal(cursor, "[TOOL_CALLS]"))) return undefined
    yield* spaces(cursor)
    const code = yield* peek(cursor)
    if (code === BRACKET || code === BRACE) return yield* callsAsJson(cursor, { tools, isMarked: true })
    const calls: Array<FoundCall> = []
    while (calls.length === 0 || ![END, BRACKET, 0x3c].includes(yield* peek(cursor))) {
      const call = yield* mistralCall(cursor, tools)
      if (call === undefined) return undefined
      calls.push(call)
      yield* spaces(cursor)
    }
    return calls
  }
}

function* mistralCall(cursor: Cursor, tools: DeclaredTools): Parsing<FoundCall | undefined> {
  const name = yield* tools.name(cursor)
  if (name === undefined) return undefined
  if (yield* optional(cursor, "[CALL_ID]")) yield* until(cursor, "[ARGS]")
  else yield* optional(cursor, "[ARGS]")
  return yield* jsonArguments(cursor, name)
}

/** Llama 3: `<|python_tag|>` before JSON (several with `;` between) or before `name.call(…)`. */
const pythonTag: TextCallFormat = {
  name: "<|python_tag|>",
  starts: "<",
  isMarked: true,
  *parse(cursor, tools): Parsing<Calls> {
    if (!(yield* literal(cursor, "<|python_tag|>"))) return undefined
    const calls: Array<FoundCall> = []
    for (;;) {
      yield* spaces(cursor)
      const code = yield* peek(cursor)
      if (code === BRACE || code === BRACKET) {
        const found = yield* callsAsJson(cursor, { tools, isMarked: true })
        if (found === undefined) return undefined
        calls.push(...found)
      } else {
        const call = yield* pythonCall(cursor, tools)
        if (call === undefined) return undefined
        calls.push(call)
      }
      yield* spaces(cursor)
      const next = yield* peek(cursor)
      if (next !== 0x3b && next !== COMMA) return calls
      cursor.next()
      yield* spaces(cursor)
      if ((yield* peek(cursor)) === END) return calls
    }
  }
}

/** Llama 4 and others: `[name(a="b"), name(c=1)]`. */
const pythonic: TextCallFormat = {
  name: "[name(a=b)]",
  starts: "[<",
  isMarked: false,
  *parse(cursor, tools): Parsing<Calls> {
    const isTagged = yield* optional(cursor, "<|python_start|>")
    yield* spaces(cursor)
    if (!(yield* literal(cursor, "["))) return undefined
    const calls: Array<FoundCall> = []
    for (;;) {
      yield* spaces(cursor)
      const call = yield* pythonCall(cursor, tools)
      if (call === undefined) return undefined
      calls.push(call)
      if (call.problem !== undefined) return calls
      yield* spaces(cursor)
      const code = yield* peek(cursor)
      if (code !== BRACKET_END && code !== COMMA) return undefined
      cursor.next()
      if (code === BRACKET_END) break
    }
    yield* spaces(cursor)
    if (isTagged) yield* optional(cursor, "<|python_end|>")
    return calls
  }
}

/** DeepSeek's tokens hold a full-width bar and a low line of their own; models type plain ones too. */
const plainTokens: Fold = (code) => (code === 0xff5c ? 0x7c : code === 0x2581 || code === 0x20 ? 0x5f : code)

/** `<｜tool▁call▁begin｜>function<｜tool▁sep｜>name` and fenced JSON, or the newer `name<｜tool▁sep｜>{…}`. */
const deepseek: TextCallFormat = {
  name: "<｜tool▁calls▁begin｜>",
  starts: "<",
  isMarked: true,
  *parse(cursor, tools): Parsing<Calls> {
    yield* optional(cursor, "<|tool_calls_begin|>", plainTokens)
    const calls: Array<FoundCall> = []
    for (;;) {
      yield* spaces(cursor)
      if (!(yield* optional(cursor, "<|tool_call_begin|>", plainTokens))) break
      const call = yield* deepseekCall(cursor, tools)
      if (call === undefined) return undefined
      calls.push(call)
    }
    if (calls.length === 0) return undefined
    yield* optional(cursor, "<|tool_calls_end|>", plainTokens)
    return calls
  }
}

const SEPARATOR = "<|tool_sep|>"

function* deepseekCall(cursor: Cursor, tools: DeclaredTools): Parsing<FoundCall | undefined> {
  yield* optional(cursor, `function${SEPARATOR}`, plainTokens)
  const name = yield* tools.name(cursor)
  if (name === undefined) return undefined
  yield* spaces(cursor)
  yield* optional(cursor, SEPARATOR, plainTokens)
  yield* spaces(cursor)
  const isFenced = yield* optional(cursor, "```")
  if (isFenced) yield* optional(cursor, "json")
  const call = yield* jsonArguments(cursor, name)
  yield* spaces(cursor)
  if (isFenced) yield* optional(cursor, "```")
  yield* spaces(cursor)
  yield* optional(cursor, "<|tool_call_end|>", plainTokens)
  return call
}

/** Kimi K2: `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`, usually in a section. */
const kimi: TextCallFormat = {
  name: "<|tool_calls_section_begin|>",
  starts: "<",
  isMarked: true,
  *parse(cursor, tools): Parsing<Calls> {
    yield* oneOf(cursor, ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"])
    const calls: Array<FoundCall> = []
    for (;;) {
      yield* spaces(cursor)
      if (!(yield* optional(cursor, "<|tool_call_begin|>"))) break
      yield* spaces(cursor)
      const name = yield* tools.name(cursor)
      if (name === undefined || (yield* peek(cursor)) !== 0x3a) return undefined
      const id = yield* until(cursor, "<|tool_call_argument_begin|>")
      const call = id.isWhole ? yield* jsonArguments(cursor, name) : cutCall(name, "")
      if (call === undefined) return undefined
      calls.push(call)
      yield* spaces(cursor)
      yield* optional(cursor, "<|tool_call_end|>")
    }
    if (calls.length === 0) return undefined
    yield* oneOf(cursor, ["<|tool_calls_section_end|>", "<|tool_call_section_end|>"])
    return calls
  }
}

/** gpt-oss: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`. */
const harmony: TextCallFormat = {
  name: "<|channel|>commentary to=",
  starts: "<",
  isMarked: true,
  *parse(cursor, tools): Parsing<Calls> {
    yield* optional(cursor, "<|start|>assistant")
    if (!(yield* literal(cursor, "<|channel|>"))) return undefined
    if ((yield* oneOf(cursor, ["commentary to=", "analysis to="])) === undefined) return undefined
    const name = yield* tools.name(cursor)
    if (name === undefined) return undefined
    const head = yield* until(cursor, "<|message|>")
    const call = head.isWhole ? yield* jsonArguments(cursor, name) : cutCall(name, "")
    yield* spaces(cursor)
    yield* optional(cursor, "<|call|>")
    return call === undefined ? undefined : [call]
  }
}

export const tokenFormats: ReadonlyArray<TextCallFormat> = [mistral, pythonTag, pythonic, deepseek, kimi, harmony]
