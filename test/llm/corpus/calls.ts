/** How servers send tool calls (field cases A1 to A12, and their neighbours). */
import { d, DONE, fin, tc, type CorpusCase } from "./build.ts"

const end = fin("tool_calls") + DONE
const fn = (name: string | undefined, args?: unknown) => ({
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) }
})

export const callCases: ReadonlyArray<CorpusCase> = [
  {
    name: "A1 no index, one whole call a chunk",
    stream:
      d(tc({ id: "c1", ...fn("read", '{"path":"a"}') })) + d(tc({ id: "c2", ...fn("read", '{"path":"b"}') })) + end,
    calls: ['c1 read({"path":"a"})', 'c2 read({"path":"b"})']
  },
  {
    name: "A1 no index and no id on the later pieces",
    stream:
      d(tc({ id: "c1", ...fn("read", "") })) + d(tc(fn(undefined, '{"pa'))) + d(tc(fn(undefined, 'th":"a"}'))) + end,
    calls: ['c1 read({"path":"a"})']
  },
  {
    name: "no index, no id, names only",
    stream: d(tc(fn("read", '{"path":"a"}'))) + d(tc(fn("read", '{"path":"b"}'))) + d(tc(fn("ls", ""))) + end,
    calls: ['made_0 read({"path":"a"})', 'made_1 read({"path":"b"})', "made_2 ls({})"]
  },
  {
    name: "A2 every parallel call has index 0",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("read", '{"path":"a"}') })) +
      d(tc({ index: 0, id: "c2", ...fn("read", '{"path":"b"}') })) +
      d(tc({ index: 0, id: "c3", ...fn("read", '{"path":"c"}') })) +
      end,
    calls: ['c1 read({"path":"a"})', 'c2 read({"path":"b"})', 'c3 read({"path":"c"})']
  },
  {
    name: "A2 index 0, streamed in pieces",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("read", "") })) +
      d(tc({ index: 0, ...fn(undefined, '{"path":"a"}') })) +
      d(tc({ index: 0, id: "c2", ...fn("read", "") })) +
      d(tc({ index: 0, ...fn(undefined, '{"path":') })) +
      d(tc({ index: 0, ...fn(undefined, '"b"}') })) +
      end,
    calls: ['c1 read({"path":"a"})', 'c2 read({"path":"b"})']
  },
  {
    name: "index 0 and no ids, whole calls",
    stream:
      d(tc({ index: 0, ...fn("read", '{"path":"a"}') })) + d(tc({ index: 0, ...fn("read", '{"path":"b"}') })) + end,
    calls: ['made_0 read({"path":"a"})', 'made_1 read({"path":"b"})']
  },
  {
    name: "index 0 and no ids, in pieces: the name comes again, then other arguments",
    stream:
      d(tc({ index: 0, ...fn("read", "") })) +
      d(tc({ index: 0, ...fn(undefined, '{"path":"a"}') })) +
      d(tc({ index: 0, ...fn("read", "") })) +
      d(tc({ index: 0, ...fn(undefined, '{"path":"b"}') })) +
      end,
    calls: ['made_0 read({"path":"a"})', 'made_1 read({"path":"b"})']
  },
  {
    name: "A3 id and name on every chunk",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("grep", "") })) +
      d(tc({ index: 0, id: "c1", ...fn("grep", '{"q":') })) +
      d(tc({ index: 0, id: "c1", ...fn("grep", '"x"}') })) +
      end,
    calls: ['c1 grep({"q":"x"})']
  },
  {
    name: "A3 the same with a tool nobody declared",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("mystery", "") })) +
      d(tc({ index: 0, id: "c1", ...fn("mystery", '{"q":1}') })) +
      d(tc({ index: 0, id: "c1", ...fn("mystery", "") })) +
      end,
    calls: ['c1 mystery({"q":1})']
  },
  {
    name: "A4 the id changes without a name",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("ls", "") })) + d(tc({ index: 0, id: "zz9", ...fn(undefined, "{}") })) + end,
    calls: ["c1 ls({})"]
  },
  {
    name: "a new id and the name on every chunk of one call",
    stream:
      d(tc({ index: 0, id: "a1", ...fn("grep", '{"q":') })) +
      d(tc({ index: 0, id: "a2", ...fn("grep", '"x"') })) +
      d(tc({ index: 0, id: "a3", ...fn("grep", "}") })) +
      end,
    calls: ['a1 grep({"q":"x"})']
  },
  {
    name: "a fragment on an index nobody opened",
    stream: d(tc({ index: 0, id: "c1", ...fn("grep", '{"q":') })) + d(tc({ index: 1, ...fn(undefined, '"x"}') })) + end,
    calls: ['c1 grep({"q":"x"})']
  },
  {
    name: "an index that counts the chunks, with the id on each",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("grep", '{"q":') })) +
      d(tc({ index: 1, id: "c1", ...fn("grep", '"x"}') })) +
      end,
    calls: ['c1 grep({"q":"x"})']
  },
  {
    name: "interleaved calls",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("read", "") }, { index: 1, id: "c2", ...fn("grep", "") })) +
      d(tc({ index: 1, ...fn(undefined, '{"q":') }, { index: 0, ...fn(undefined, '{"path":') })) +
      d(tc({ index: 0, ...fn(undefined, '"a"}') })) +
      d(tc({ index: 1, ...fn(undefined, '"x"}') })) +
      end,
    calls: ['c1 read({"path":"a"})', 'c2 grep({"q":"x"})']
  },
  {
    name: "a constant index with interleaved ids",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("read", '{"path":') })) +
      d(tc({ index: 0, id: "c2", ...fn("grep", '{"q":') })) +
      d(tc({ index: 0, id: "c1", ...fn(undefined, '"a"}') })) +
      d(tc({ index: 0, id: "c2", ...fn(undefined, '"x"}') })) +
      end,
    calls: ['c1 read({"path":"a"})', 'c2 grep({"q":"x"})']
  },
  {
    name: "two calls under one id keep apart and get ids of their own",
    stream:
      d(tc({ index: 0, id: "x", ...fn("read", '{"path":"a"}') })) +
      d(tc({ index: 1, id: "x", ...fn("read", '{"path":"b"}') })) +
      end,
    calls: ['x read({"path":"a"})', 'x_1 read({"path":"b"})']
  },
  {
    name: "the id comes last",
    stream: d(tc({ index: 0, ...fn("read", '{"path":"a"}') })) + d(tc({ index: 0, id: "late" })) + end,
    calls: ['late read({"path":"a"})']
  },
  {
    name: "a number for an id",
    stream: d(tc({ index: 0, id: 7, ...fn("ls", "{}") })) + end,
    calls: ["7 ls({})"]
  },
  {
    name: "A6 arguments before the name",
    stream: d(tc({ index: 0, id: "c1", ...fn(undefined, '{"a":1}') })) + d(tc({ index: 0, ...fn("calc") })) + end,
    calls: ['c1 calc({"a":1})']
  },
  {
    name: "A6 the name never comes",
    stream: d(tc({ index: 0, id: "c1", ...fn(undefined, '{"a":1}') })) + end,
    calls: ["c1 !no-name"]
  },
  {
    name: "a name in pieces",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("we") })) +
      d(tc({ index: 0, ...fn("ather") })) +
      d(tc({ index: 0, ...fn(undefined, '{"city":"Oslo"}') })) +
      end,
    calls: ['c1 weather({"city":"Oslo"})']
  },
  {
    name: "a name that grows",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("we") })) +
      d(tc({ index: 0, id: "c1", ...fn("weather", '{"city":"Oslo"}') })) +
      end,
    calls: ['c1 weather({"city":"Oslo"})']
  },
  ...(["", null, undefined, "null"] as const).map((args): CorpusCase => ({
    name: `A7 no arguments: ${JSON.stringify(args) ?? "absent"}`,
    stream: d(tc({ index: 0, id: "c1", ...fn("list_todos", args) })) + end,
    calls: ["c1 list_todos({})"]
  })),
  {
    name: "A9 arguments as an object",
    stream: d(tc({ index: 0, id: "c1", ...fn("weather", { city: "Oslo" }) })) + end,
    calls: ['c1 weather({"city":"Oslo"})']
  },
  {
    name: "A10 stop with calls",
    stream:
      d({ content: "Looking." }) +
      d(tc({ index: 0, id: "c1", ...fn("ls", "{}") }, { index: 1, id: "c2", ...fn("read", '{"path":"a"}') })) +
      fin("stop") +
      DONE,
    text: "Looking.",
    calls: ["c1 ls({})", 'c2 read({"path":"a"})'],
    finish: "tool_use"
  },
  ...["other", "end_turn", "function_call", "weird"].map((reason): CorpusCase => ({
    name: `A10 ${reason} with calls`,
    stream: d(tc({ index: 0, id: "c1", ...fn("ls", "{}") })) + fin(reason) + DONE,
    calls: ["c1 ls({})"],
    finish: "tool_use"
  })),
  {
    name: "A12 length in the middle of a call",
    stream: d(tc({ index: 0, id: "c1", ...fn("write", '{"path":"R.md","content":"# Tit') })) + fin("length") + DONE,
    calls: ["c1 write!cut"],
    finish: "max_tokens",
    warnings: ["output_limit"]
  },
  {
    name: "A12 a cut call that the proxy calls tool_calls",
    stream: d(tc({ index: 0, id: "c1", ...fn("write", '{"path":"R.md","content":"# Tit') })) + end,
    calls: ["c1 write!cut"],
    finish: "tool_use"
  },
  {
    name: "A12 valid JSON, but length",
    stream: d(tc({ index: 0, id: "c1", ...fn("write", '{"path":"R.md"}') })) + fin("length") + DONE,
    calls: ["c1 write!cut"],
    finish: "max_tokens",
    warnings: ["output_limit"]
  },
  {
    name: "A12 no arguments yet, and length",
    stream: d(tc({ index: 0, id: "c1", ...fn("write", "") })) + fin("length") + DONE,
    calls: ["c1 write!cut"],
    finish: "max_tokens",
    warnings: ["output_limit"]
  },
  {
    name: "A12 only the last call is cut; a later stop does not undo length",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("ls", "{}") })) +
      d(tc({ index: 1, id: "c2", ...fn("write", '{"path":"R.md"}') })) +
      fin("length") +
      fin("stop") +
      DONE,
    calls: ["c1 ls({})", "c2 write!cut"],
    finish: "max_tokens",
    warnings: ["output_limit"]
  },
  {
    name: "arguments that are no JSON",
    stream: d(tc({ index: 0, id: "c1", ...fn("write", "{path: R.md}") })) + end,
    calls: ["c1 write!malformed"]
  },
  {
    name: "two objects in one call",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("write", '{"a":1}') })) + d(tc({ index: 0, ...fn(undefined, '{"b":2}') })) + end,
    calls: ["c1 write!malformed"]
  },
  {
    name: "arguments repeated whole at the end",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("grep", "") })) +
      d(tc({ index: 0, ...fn(undefined, '{"q":') })) +
      d(tc({ index: 0, ...fn(undefined, '"x"}') })) +
      d(tc({ index: 0, id: "c1", ...fn("grep", '{"q":"x"}') })) +
      end,
    calls: ['c1 grep({"q":"x"})']
  },
  {
    name: "arguments repeated whole, spaced otherwise",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("grep", '{"q":"x"}') })) +
      d(tc({ index: 0, id: "c1", ...fn("grep", '{ "q": "x" }') })) +
      end,
    calls: ['c1 grep({"q":"x"})']
  },
  {
    name: "arguments repeated as an object",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("grep", '{"q":"x"}') })) +
      d(tc({ index: 0, id: "c1", ...fn("grep", { q: "x" }) })) +
      end,
    calls: ['c1 grep({"q":"x"})']
  },
  {
    name: "arguments that hold all so far each time",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("grep", '{"q') })) +
      d(tc({ index: 0, id: "c1", ...fn("grep", '{"q":"x') })) +
      d(tc({ index: 0, id: "c1", ...fn("grep", '{"q":"x"}') })) +
      end,
    calls: ['c1 grep({"q":"x"})']
  },
  {
    name: "an empty object before the arguments",
    stream:
      d(tc({ index: 0, id: "c1", ...fn("grep", "{}") })) +
      d(tc({ index: 0, ...fn(undefined, '{"q":') })) +
      d(tc({ index: 0, ...fn(undefined, '"x"}') })) +
      end,
    calls: ['c1 grep({"q":"x"})']
  },
  {
    name: "the older function_call",
    stream:
      d({ function_call: { name: "grep", arguments: "" } }) +
      d({ function_call: { arguments: '{"q":' } }) +
      d({ function_call: { arguments: '"x"}' } }) +
      fin("function_call") +
      DONE,
    calls: ['made_0 grep({"q":"x"})'],
    finish: "tool_use"
  },
  {
    name: "empty entries, null lists and calls that are no objects",
    stream:
      d({ content: "a", tool_calls: null }) +
      d({ tool_calls: [] }) +
      d({ tool_calls: [null, 1, "x", { index: 0 }] }) +
      fin("stop") +
      DONE,
    text: "a",
    finish: "end_turn"
  }
]
