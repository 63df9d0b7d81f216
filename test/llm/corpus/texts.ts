/** Framing, content, reasoning, ends and errors (field cases A13 to A31, and their neighbours). */
import { bytesOf } from "../support/decode.ts"
import { d, DONE, fin, line, type CorpusCase } from "./build.ts"

const end = fin("stop") + DONE
const two = `data: ${JSON.stringify({ choices: [{ delta: { content: "é" } }] })}\n\ndata: ${JSON.stringify({ choices: [{ delta: { content: "😀" }, finish_reason: "stop" }] })}\n\n`

export const textCases: ReadonlyArray<CorpusCase> = [
  // --- framing
  { name: "A16 line feeds", stream: two, text: "é😀" },
  { name: "A16 carriage return and line feed", stream: two.replaceAll("\n", "\r\n"), text: "é😀" },
  { name: "A16 carriage returns alone", stream: two.replaceAll("\n", "\r"), text: "é😀" },
  { name: "A16 mixed line ends", stream: two.replace("\n\n", "\r\n\n").replace(/\n\n$/, "\r\r\n"), text: "é😀" },
  { name: "a byte order mark", stream: "\ufeff" + two, text: "é😀" },
  { name: "blank lines first", stream: "\n\r\n\n" + two, text: "é😀" },
  {
    name: "A13 comments, before [DONE] and mangled into data",
    stream:
      ": OPENROUTER PROCESSING\n\n" +
      d({ content: "a" }) +
      ": OPENROUTER PROCESSING\n\ndata: : OPENROUTER PROCESSING\n\n" +
      d({ content: "b" }) +
      fin("stop") +
      `: x-meta=1\n${DONE}`,
    text: "ab"
  },
  {
    name: "A17 no space after the colon",
    stream: (d({ content: "a" }) + end).replaceAll("data: ", "data:"),
    text: "a"
  },
  {
    name: "other fields and event names",
    stream: `event: message\nid: 1\nretry: 5\nnonsense\n${d({ content: "a" })}${end}`,
    text: "a"
  },
  {
    name: "one event over several data lines",
    stream: `data: {"choices":\ndata: [{"delta":{"content":"a"}}]}\n\n${end}`,
    text: "a"
  },
  {
    name: "events divided by one line end only",
    stream: (d({ content: "a" }) + d({ content: "b" }) + end).replaceAll("\n\n", "\n"),
    text: "ab"
  },
  {
    name: "the last event cut before its blank line",
    stream: d({ content: "a" }) + 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}',
    text: "a"
  },
  {
    name: "invalid JSON between good chunks",
    stream: `${d({ content: "a" })}data: {"choices":[{\n\ndata: nope\n\ndata:\n\n${d({ content: "b" })}${end}`,
    text: "ab"
  },
  {
    name: "bytes after [DONE]",
    stream: d({ content: "a" }, "stop") + DONE + d({ content: "late" }) + line({ error: "late" }),
    text: "a"
  },
  {
    name: "A19 a character cut off by the end of the stream",
    stream: new Uint8Array([
      ...bytesOf('data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n: '),
      0xf0,
      0x9f
    ]),
    text: "a"
  },
  // --- shapes
  {
    name: "A24 no choices, no delta, delta null, then usage",
    stream:
      line({ id: "", choices: [], prompt_filter_results: [{ index: 0 }] }) +
      d({ content: "a" }) +
      line({ choices: [{ index: 0, finish_reason: null, content_filter_offsets: {} }] }) +
      line({ choices: [{ index: 0, delta: null, finish_reason: "stop" }] }) +
      line({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } }) +
      DONE,
    text: "a"
  },
  {
    name: "content null and choices null",
    stream: d({ content: null }) + line({ choices: null }) + d({ content: "a" }) + end,
    text: "a"
  },
  {
    name: "content as parts",
    stream:
      d({
        content: [{ type: "text", text: "a" }, "b", { type: "thinking", thinking: [{ type: "text", text: "t" }] }]
      }) +
      d({ content: { type: "text", text: "c" } }) +
      end,
    text: "abc",
    reasoning: "t"
  },
  { name: "a refusal", stream: d({ refusal: "I will not." }) + end, text: "I will not." },
  {
    name: "the text of older completions",
    stream: line({ choices: [{ text: "a", finish_reason: null }] }) + end,
    text: "a"
  },
  {
    name: "a whole message in a stream",
    stream: line({ choices: [{ message: { content: "a" }, finish_reason: "stop" }] }),
    text: "a"
  },
  {
    name: "a whole message repeated at the end",
    stream: d({ content: "a" }) + line({ choices: [{ message: { content: "a" }, finish_reason: "stop" }] }),
    text: "a"
  },
  {
    name: "several choices",
    stream:
      line({
        choices: [
          { index: 0, delta: { content: "a" } },
          { index: 1, delta: { content: "X" } }
        ]
      }) +
      line({ choices: [{ index: 1, delta: { content: "Y" } }] }) +
      end,
    text: "a"
  },
  {
    name: "A26 usage on every chunk",
    stream:
      ["a", "b", "c"]
        .map((content, i) =>
          line({ choices: [{ delta: { content } }], usage: { prompt_tokens: 5, completion_tokens: i + 1 } })
        )
        .join("") + end,
    text: "abc"
  },
  // --- ends
  { name: "A22 [DONE] and never a finish reason", stream: d({ content: "a" }) + DONE, text: "a", finish: "end_turn" },
  { name: "A22 neither", stream: d({ content: "a" }), text: "a", outcome: "broken" },
  {
    name: "A22 broken in the middle of a line",
    stream: `${d({ content: "a" })}data: {"choi`,
    text: "a",
    outcome: "broken"
  },
  {
    name: "a finish reason on every chunk",
    stream: d({ content: "a" }, "stop") + d({ content: "b" }, "stop") + DONE,
    text: "ab"
  },
  { name: "an empty finish reason", stream: d({ content: "a" }, "") + d({ content: "b" }, "null") + DONE, text: "ab" },
  {
    name: "length",
    stream: d({ content: "a" }) + fin("length") + DONE,
    text: "a",
    finish: "max_tokens",
    warnings: ["output_limit"]
  },
  {
    name: "length with reasoning only",
    stream: d({ reasoning: "a" }) + fin("length") + DONE,
    reasoning: "a",
    finish: "max_tokens",
    warnings: ["output_limit"]
  },
  {
    name: "content_filter without a word",
    stream: fin("content_filter") + DONE,
    finish: "content_filter",
    warnings: ["content_filter"]
  },
  {
    name: "a full window with text",
    stream: d({ content: "a" }) + fin("model_context_window_exceeded") + DONE,
    text: "a",
    finish: "context_window",
    warnings: ["context_window"]
  },
  {
    name: "A35 27 a full window without text",
    stream: fin("model_context_window_exceeded") + DONE,
    outcome: "overflow"
  },
  { name: "A14 nothing", stream: "", outcome: "empty" },
  { name: "A14 blanks", stream: "\n\n  \n", outcome: "empty" },
  { name: "A14 comments", stream: ": a\n\n: b\n\n", outcome: "empty" },
  { name: "A14 [DONE]", stream: DONE, outcome: "empty" },
  { name: "stop and nothing else", stream: d({ role: "assistant", content: "" }) + end, outcome: "empty" },
  { name: "stop and blanks", stream: d({ content: " \n" }) + end, text: " \n", outcome: "empty" },
  { name: "stop and reasoning", stream: d({ reasoning: "a" }) + end, reasoning: "a", outcome: "empty" },
  { name: "tool_calls without calls", stream: fin("tool_calls") + DONE, outcome: "empty" },
  // --- errors
  {
    name: "A20 an error chunk",
    stream: d({ content: "a" }) + line({ choices: [], error: { code: 502, message: "limit" } }) + d({ content: "b" }),
    text: "a",
    outcome: "failed"
  },
  {
    name: "A20 an error event",
    stream: `${d({ content: "a" })}event: error\ndata: {"error":"overloaded"}\n\n`,
    text: "a",
    outcome: "failed"
  },
  { name: "an error event that is text", stream: "event: error\ndata: overloaded\n\n", outcome: "failed" },
  {
    name: "A20 Anthropic's",
    stream: line({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    outcome: "failed"
  },
  {
    name: "llama.cpp's error field",
    stream: `${d({ content: "a" })}error: {"code":500,"message":"x"}\n\n`,
    text: "a",
    outcome: "failed"
  },
  {
    name: "an error inside the choice",
    stream: line({ choices: [{ index: 0, delta: {}, error: { message: "x" } }] }),
    outcome: "failed"
  },
  {
    name: "a bare JSON error line",
    stream: `${d({ content: "a" })}{"error":{"message":"x"}}\n`,
    text: "a",
    outcome: "failed"
  },
  {
    name: "an error that is null",
    stream: line({ error: null, choices: [{ delta: { content: "a" } }] }) + end,
    text: "a"
  },
  { name: "finish reason error", stream: d({ content: "a" }) + fin("error") + DONE, text: "a", outcome: "failed" },
  // --- bodies
  {
    name: "a JSON answer",
    stream: JSON.stringify({ choices: [{ message: { content: "a" }, finish_reason: "stop" }] }, null, 2),
    text: "a"
  },
  {
    name: "a JSON answer that does not say why it ended",
    stream: JSON.stringify({ choices: [{ message: { content: "a" } }] }),
    text: "a"
  },
  { name: "a JSON error", stream: JSON.stringify({ error: { message: "x" } }), outcome: "failed" },
  { name: "a JSON error in a list", stream: JSON.stringify([{ error: { message: "x" } }]), outcome: "failed" },
  { name: "a framework's error", stream: '{"detail":"Method Not Allowed"}', outcome: "failed" },
  {
    name: "JSON lines",
    stream: [{ choices: [{ delta: { content: "a" } }] }, { choices: [{ delta: { content: "b" } }] }]
      .map((one) => JSON.stringify(one))
      .join("\n"),
    text: "ab"
  },
  { name: "HTML", stream: "<!doctype html><title>Welcome</title>", outcome: "alien" },
  { name: "other JSON", stream: '{"status":"ok"}', outcome: "alien" },
  // --- reasoning
  {
    name: "A29 two fields, once",
    stream:
      d({ reasoning_content: "a" }) +
      d({ reasoning: "b" }) +
      d({ reasoning_content: "c", reasoning: "c" }) +
      d({ content: "x" }) +
      end,
    reasoning: "abc",
    text: "x"
  },
  {
    name: "thinking blocks",
    stream:
      d({ thinking_blocks: [{ type: "thinking", thinking: "a" }] }) +
      d({ thinking_blocks: [{ type: "thinking", thinking: "b" }] }) +
      d({ thinking_blocks: [{ type: "thinking", thinking: "", signature: "S" }] }) +
      d({ content: "x" }) +
      end,
    reasoning: "ab",
    text: "x"
  },
  {
    name: "A31 a tag cut in two",
    stream: d({ content: "<thi" }) + d({ content: "nk>secret</th" }) + d({ content: "ink>ANSWER" }) + end,
    reasoning: "secret",
    text: "ANSWER"
  },
  {
    name: "A31 blanks around the tags",
    stream: d({ content: "\n<think>\nhm\n</think>\n\nANSWER" }) + end,
    reasoning: "\nhm\n",
    text: "ANSWER"
  },
  {
    name: "A31 a closing tag only",
    stream: d({ content: "plan" }) + d({ content: "</think>ANSWER" }) + end,
    reasoning: "plan",
    text: "ANSWER"
  },
  {
    name: "A31 a closing tag only, cut",
    stream: d({ content: "plan</thi" }) + d({ content: "nk>\n\nANSWER" }) + end,
    reasoning: "plan",
    text: "ANSWER"
  },
  {
    name: "A31 never closed, stop",
    stream: d({ content: "<think>all of it" }) + end,
    reasoning: "all of it",
    text: "all of it",
    warnings: ["unclosed_thinking"]
  },
  {
    name: "A31 never closed, length",
    stream: d({ content: "<think>all of" }) + fin("length") + DONE,
    reasoning: "all of",
    finish: "max_tokens",
    warnings: ["output_limit"]
  },
  {
    name: "A31 the answer talks about the tag",
    stream: d({ content: "write `<think>x</think>` in " }) + d({ content: "your template" }) + end,
    text: "write `<think>x</think>` in your template"
  },
  {
    name: "A31 the answer talks about the closing tag",
    stream: d({ content: "the `</think>` tag ends it" }) + end,
    text: "the `</think>` tag ends it"
  },
  {
    name: "A31 a closing tag in text where the server separates reasoning",
    stream: d({ reasoning_content: "r" }) + d({ content: "a</think>b" }) + end,
    reasoning: "r",
    text: "a</think>b"
  },
  {
    name: "A31 a smaller-than sign",
    stream: d({ content: "a <" }) + d({ content: " b" }) + d({ content: " <" }) + end,
    text: "a < b <"
  },
  { name: "A31 only the head of a tag", stream: d({ content: "<thin" }) + end, text: "<thin" },
  { name: "A31 other names of the tag", stream: d({ content: "[THINK]r[/THINK]a" }) + end, reasoning: "r", text: "a" },
  {
    name: "A31 two blocks before the answer",
    stream: d({ content: "<think>a</think>\n<think>b</think>\nc" }) + end,
    reasoning: "ab",
    text: "c"
  }
]
