/** Calls whose parameters stand in tags of their own: Qwen coder, GLM, MiniMax, DeepSeek's DSML (spec 06). Pure. */
import { END, json, literal, oneOf, optional, peek, spaces, until, type Cursor, type Parsing } from "./Cursor.ts"
import type { DeclaredTools } from "./DeclaredTools.ts"
import type { TextCallFormat } from "./format.ts"
import { cutCall, fromJson, withArguments, type FoundCall } from "./foundCall.ts"

type Calls = ReadonlyArray<FoundCall> | undefined

/** `<function=name> <parameter=key> value </parameter> … </function>`, also with JSON inside, also in `<tool_call>`. */
const functionTag: TextCallFormat = {
  name: "<function=name>",
  starts: "<",
  isMarked: true,
  *parse(cursor, tools): Parsing<Calls> {
    const isWrapped = yield* optional(cursor, "<tool_call>")
    const calls: Array<FoundCall> = []
    for (;;) {
      yield* spaces(cursor)
      if (!(yield* optional(cursor, "<function="))) break
      const call = yield* functionCall(cursor, tools)
      if (call === undefined) return undefined
      calls.push(call)
      if (!isWrapped) break
    }
    if (calls.length === 0) return undefined
    yield* spaces(cursor)
    // Qwen coder sometimes forgets the tag before, sometimes the one behind.
    const isClosed = yield* optional(cursor, "</tool_call>")
    return isClosed || !isWrapped || (yield* peek(cursor)) === END ? calls : undefined
  }
}

function* functionCall(cursor: Cursor, tools: DeclaredTools): Parsing<FoundCall | undefined> {
  const name = yield* tools.name(cursor)
  if (name === undefined) return undefined
  // Llama sometimes forgets the end of the tag before JSON.
  if (!(yield* optional(cursor, ">")) && (yield* peek(cursor)) !== 0x7b) return undefined
  yield* spaces(cursor)
  if ((yield* peek(cursor)) === 0x7b) {
    const read = yield* json(cursor)
    yield* spaces(cursor)
    if ((yield* peek(cursor)) !== END && !(yield* literal(cursor, "</function>"))) return undefined
    return fromJson(name, read)
  }
  return yield* parameters(cursor, tools, {
    name,
    open: ["<parameter="],
    key: ">",
    close: "</parameter>",
    end: "</function>",
    dropsLineEnds: true
  })
}

interface ParameterSyntax {
  readonly name: string
  /** What may stand before a key. */
  readonly open: ReadonlyArray<string>
  /** Ends the key. */
  readonly key: string
  /** Between key and value. */
  readonly between?: string
  /** Ends the value. */
  readonly close: string
  /** Ends the call. */
  readonly end: string
  /** Values stand on lines of their own: one line end on either side is not theirs. */
  readonly dropsLineEnds: boolean
}

function* parameters(cursor: Cursor, tools: DeclaredTools, syntax: ParameterSyntax): Parsing<FoundCall | undefined> {
  const { name } = syntax
  const start = cursor.place
  const input: Record<string, unknown> = {}
  const cut = () => cutCall(name, cursor.between(start))
  for (;;) {
    yield* spaces(cursor)
    if (yield* optional(cursor, syntax.end)) return withArguments(name, input)
    if ((yield* peek(cursor)) === END) return cut()
    if ((yield* oneOf(cursor, syntax.open)) === undefined) return undefined
    const key = yield* until(cursor, syntax.key)
    if (!key.isWhole) return cut()
    if (syntax.between !== undefined) {
      yield* spaces(cursor)
      if ((yield* peek(cursor)) === END) return cut()
      if (!(yield* literal(cursor, syntax.between))) return undefined
    }
    const value = yield* until(cursor, syntax.close)
    if (!value.isWhole) return cut()
    const [parameter = ""] = key.text.split('"')
    const text = syntax.dropsLineEnds ? value.text.replace(/^\r?\n/, "").replace(/\r?\n$/, "") : value.text
    input[parameter.trim()] = tools.valueOf(name, parameter.trim(), text)
  }
}

/** GLM: `<tool_call>name <arg_key>key</arg_key> <arg_value>value</arg_value> … </tool_call>`. */
const argumentTags: TextCallFormat = {
  name: "<arg_key>",
  starts: "<",
  isMarked: true,
  *parse(cursor, tools): Parsing<Calls> {
    if (!(yield* literal(cursor, "<tool_call>"))) return undefined
    yield* spaces(cursor)
    const name = yield* tools.name(cursor)
    if (name === undefined) return undefined
    const call = yield* parameters(cursor, tools, {
      name,
      open: ["<arg_key>"],
      key: "</arg_key>",
      between: "<arg_value>",
      close: "</arg_value>",
      end: "</tool_call>",
      dropsLineEnds: false
    })
    return call === undefined ? undefined : [call]
  }
}

/** Wrappers around `<invoke>`, with the name space their tags carry. */
const WRAPPERS: ReadonlyArray<readonly [open: string, close: string]> = [
  ["<minimax:tool_call>", "</minimax:tool_call>"],
  ["<function_calls>", "</function_calls>"],
  ["<tool_calls>", "</tool_calls>"],
  ["<｜DSML｜function_calls>", "</｜DSML｜function_calls>"],
  ["<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>"]
]

/** `<invoke name="…"> <parameter name="key">value</parameter> … </invoke>`, one or more, usually in a wrapper. */
const invokeTag: TextCallFormat = {
  name: "<invoke name=…>",
  starts: "<",
  isMarked: true,
  *parse(cursor, tools): Parsing<Calls> {
    const wrapper = yield* oneOf(
      cursor,
      WRAPPERS.map(([open]) => open)
    )
    const close = WRAPPERS.find(([open]) => open === wrapper)?.[1]
    const calls: Array<FoundCall> = []
    for (;;) {
      yield* spaces(cursor)
      const space = yield* oneOf(cursor, ['<invoke name="', '<｜DSML｜invoke name="'])
      if (space === undefined) break
      const call = yield* invoked(cursor, tools, space.includes("DSML") ? "｜DSML｜" : "")
      if (call === undefined) return undefined
      calls.push(call)
      if (close === undefined) return calls
    }
    if (calls.length === 0 || close === undefined) return undefined
    return (yield* peek(cursor)) === END || (yield* optional(cursor, close)) ? calls : undefined
  }
}

function* invoked(cursor: Cursor, tools: DeclaredTools, space: string): Parsing<FoundCall | undefined> {
  const name = yield* tools.name(cursor)
  if (name === undefined || !(yield* literal(cursor, '">'))) return undefined
  return yield* parameters(cursor, tools, {
    name,
    open: [`<${space}parameter name="`],
    key: ">",
    close: `</${space}parameter>`,
    end: `</${space}invoke>`,
    dropsLineEnds: false
  })
}

export const xmlFormats: ReadonlyArray<TextCallFormat> = [functionTag, argumentTags, invokeTag]
