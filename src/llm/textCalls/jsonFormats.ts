/** Calls as JSON: between tags of many families, in a fence, or alone (spec 06). Pure. */
import { Arriving, Cursor, END, oneOf, optional, peek, spaces, type Parsing } from "./Cursor.ts"
import { callsAsJson } from "./callObject.ts"
import type { DeclaredTools } from "./DeclaredTools.ts"
import type { TextCallFormat } from "./format.ts"
import type { FoundCall } from "./foundCall.ts"
import { pythonCall, pythonDictionary } from "./pythonCall.ts"

type Calls = ReadonlyArray<FoundCall> | undefined

/** Opening and closing mark. An empty closing mark means that nothing closes the block. */
const TAGS: ReadonlyMap<string, string> = new Map([
  // Hermes, Qwen, Granite, Phi and those tuned on their data.
  ["<tool_call>", "</tool_call>"],
  ["<tool_calls>", "</tool_calls>"],
  ["<toolcall>", "</toolcall>"],
  ["<TOOLCALL>", "</TOOLCALL>"],
  ["<function_call>", "</function_call>"],
  ["<function_calls>", "</function_calls>"],
  ["<functioncall>", "</functioncall>"],
  ["<tools>", "</tools>"],
  ["<tool_request>", "</tool_request>"],
  ["[TOOL_REQUEST]", "[END_TOOL_REQUEST]"],
  ["<|tool_call|>", "<|/tool_call|>"],
  ["<|START_ACTION|>", "<|END_ACTION|>"],
  ["functools", ""]
])

const tagged: TextCallFormat = {
  name: "JSON between tags",
  starts: "<[f",
  isMarked: true,
  *parse(cursor, tools): Parsing<Calls> {
    const open = yield* oneOf(cursor, [...TAGS.keys()])
    const close = TAGS.get(open ?? "")
    if (close === undefined) return undefined
    yield* spaces(cursor)
    const calls = (yield* opensPython(cursor))
      ? yield* pythonObject(cursor, tools)
      : yield* objects(cursor, tools, true)
    if (calls === undefined || close === "" || (yield* closes(cursor, close))) return calls
    return undefined
  }
}

/** `{'name'`: a Python dictionary in place of JSON. */
function* opensPython(cursor: Cursor): Parsing<boolean> {
  const start = cursor.place
  if ((yield* peek(cursor)) !== 0x7b) return false
  cursor.next()
  yield* spaces(cursor)
  const isPython = (yield* peek(cursor)) === 0x27
  cursor.place = start
  return isPython
}

function* pythonObject(cursor: Cursor, tools: DeclaredTools): Parsing<Calls> {
  const value = yield* pythonDictionary(cursor)
  if (value === undefined) return undefined
  const json = new Arriving()
  json.pieces.push(JSON.stringify(value))
  json.hasEnded = true
  return yield* callsAsJson(new Cursor(json), { tools, isMarked: true })
}

/** One value after the other: objects, or a list. */
function* objects(cursor: Cursor, tools: DeclaredTools, isMarked: boolean): Parsing<Calls> {
  const calls: Array<FoundCall> = []
  do {
    const found = yield* callsAsJson(cursor, { tools, isMarked })
    if (found === undefined) return undefined
    calls.push(...found)
    yield* spaces(cursor)
    if (isMarked) while ((yield* peek(cursor)) === 0x7d) cursor.next()
    yield* spaces(cursor)
  } while ((yield* peek(cursor)) === 0x7b)
  return calls
}

/** The closing mark; the end of the text or the next block may stand for it, because servers swallow special tokens. */
function* closes(cursor: Cursor, close: string): Parsing<boolean> {
  yield* spaces(cursor)
  if ((yield* peek(cursor)) === END) return true
  if (yield* optional(cursor, close)) return true
  const start = cursor.place
  const next = yield* oneOf(cursor, [...TAGS.keys()])
  cursor.place = start
  return next !== undefined
}

const LABELS = ["json", "xml", "tool_calls", "tool_call", "tool_code", "tool_use", "tool", "function_call", ""]

const fenced: TextCallFormat = {
  name: "fenced",
  starts: "`",
  isMarked: false,
  *parse(cursor, tools): Parsing<Calls> {
    if (!(yield* optional(cursor, "```"))) return undefined
    yield* blanks(cursor)
    const label = yield* oneOf(cursor, LABELS)
    yield* blanks(cursor)
    if ((yield* peek(cursor)) !== 0x0a) return undefined
    yield* spaces(cursor)
    const calls =
      label === "tool_code"
        ? yield* pythonLines(cursor, tools)
        : (yield* peek(cursor)) === 0x3c
          ? yield* tagged.parse(cursor, tools)
          : yield* objects(cursor, tools, false)
    if (calls === undefined) return undefined
    yield* spaces(cursor)
    return (yield* peek(cursor)) === END || (yield* optional(cursor, "```")) ? calls : undefined
  }
}

/** Up to the end of the line. */
function* blanks(cursor: Cursor): Parsing<void> {
  for (;;) {
    const code = yield* peek(cursor)
    if (code !== 0x20 && code !== 0x0d && code !== 0x09) return
    cursor.next()
  }
}

/** Gemma's `tool_code`: one call a line. */
function* pythonLines(cursor: Cursor, tools: DeclaredTools): Parsing<Calls> {
  const calls: Array<FoundCall> = []
  do {
    const call = yield* pythonCall(cursor, tools)
    if (call === undefined) return undefined
    calls.push(call)
    yield* spaces(cursor)
  } while (![END, 0x60].includes(yield* peek(cursor)))
  return calls
}

const bare: TextCallFormat = {
  name: "bare JSON",
  starts: "{[",
  isMarked: false,
  parse: (cursor, tools) => callsAsJson(cursor, { tools, isMarked: false })
}

export const jsonFormats: ReadonlyArray<TextCallFormat> = [tagged, fenced, bare]
