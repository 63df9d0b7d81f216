/**
 * Stream rules (spec 10): what 50 rules cost on a stream, as a ratio to decoding the same stream without them, both in this
 * run. Run: `bun scripts/bench/streamRules.ts [chunks]`. Exits 1 above 1.3.
 */
import type { LlmEvent } from "../../src/domain/llm.ts"
import { AnswerDecoder } from "../../src/llm/answerDecoder.ts"
import { builtinRules } from "../../src/stream-rules/StreamRules.ts"
import { parseRuleFile } from "../../src/stream-rules/parseRuleFile.ts"
import { RuleSet, type CompiledRule } from "../../src/stream-rules/RuleSet.ts"
import { StreamRuleMonitor } from "../../src/stream-rules/StreamRuleMonitor.ts"
import { chunk, data, usageChunk } from "../../test/support/scriptedServer.ts"

const BAR = 1.3
/** Rounds that only let the engine compile both sides. */
const WARM_UP = 10
const count = Number(process.argv[2] ?? 20_000)
const encoder = new TextEncoder()

/** The kinds of expressions people write, none of which is in the stream. */
const SHAPES: ReadonlyArray<(n: number) => string> = [
  (n) => String.raw`\bconsole\.log${n}\(`,
  (n) => `(?i)as an ai (?:language )?model ${n}`,
  (n) => `TODO${n}|FIXME${n}|XXX${n}`,
  (n) => String.raw`^import .* from ['"]lodash${n}['"]`,
  (n) => String.raw`\.(?:unwrap|expect)${n}\(\)`,
  (n) => String.raw`(?i)\bpassword${n}\s*[:=]\s*["'][^"']+["']`,
  (n) => String.raw`except(?:\s+Exception)?${n}\s*:\s*pass$`,
  (n) => String.raw`rm\s+-rf\s+/(?:\s|$)${n}`,
  (n) => String.raw`AKIA[0-9A-Z]{12}${n}`,
  (n) => String.raw`eval${n}\s*\([^)]*\)`
]

const ruleSet = async (): Promise<RuleSet> => {
  const rules: Array<CompiledRule> = [...(await builtinRules(true))]
  for (let n = 0; rules.length < 50; n++) {
    const trigger = SHAPES[n % SHAPES.length]?.(n) ?? ""
    const content = `---\ntrigger: '${trigger.replaceAll("'", "''")}'\n---\nDo not.\n`
    const { rule, warnings } = await parseRuleFile({ file: `rule${n}.md`, stem: `rule${n}`, content, level: "user" })
    if (rule === undefined) throw new Error(warnings[0]?.en)
    rules.push(rule)
  }
  return new RuleSet(rules)
}

const WORDS =
  "the import value of const and function is returned password from a list except when it import fails eval".split(" ")
const SIGNS = [" ", " ", " ", ", ", "\n", ".log(", " = ", "\n\n", "'", "é "]
const word = (n: number): string => `${WORDS[n % WORDS.length]}${SIGNS[(n * 7) % SIGNS.length]}`

const tail = [chunk({}, "stop"), usageChunk(10, count)]
const prose = [...Array.from({ length: count }, (_, n) => chunk({ content: word(n) })), ...tail]
const part = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] })
const code = [
  part({ id: "call_1", type: "function", function: { name: "Write", arguments: '{"path":"a.ts","content":"' } }),
  ...Array.from({ length: count }, (_, n) => part({ function: { arguments: JSON.stringify(word(n)).slice(1, -1) } })),
  part({ function: { arguments: '"}' } }),
  ...tail
]

const eachAlone = (chunks: ReadonlyArray<object>): ReadonlyArray<Uint8Array> =>
  [...chunks.map(data), "data: [DONE]\n\n"].map((text) => encoder.encode(text))

const packed = (pieces: ReadonlyArray<Uint8Array>, size: number): ReadonlyArray<Uint8Array> => {
  const whole = Buffer.concat([...pieces])
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size))
}

/** Seconds of one stream. */
const run = (pieces: ReadonlyArray<Uint8Array>, monitor: StreamRuleMonitor | undefined): number => {
  const start = performance.now()
  const decoder = new AnswerDecoder({ declared: new Set(["Write"]), newId: String })
  let events = 0
  let matches = 0
  const take = (batch: ReadonlyArray<LlmEvent>) => {
    events += batch.length
    if (monitor !== undefined && batch.length > 0) matches += monitor.pushAll(batch).length
  }
  for (const piece of pieces) {
    decoder.push(piece)
    take(decoder.take())
  }
  decoder.end()
  take(decoder.take())
  if (monitor !== undefined) matches += monitor.end().length
  if (events < count || matches > 0) throw new Error(`${events} events, ${matches} matches`)
  return (performance.now() - start) / 1000
}

const rules = await ruleSet()
const compare = (name: string, pieces: ReadonlyArray<Uint8Array>): number => {
  const without: Array<number> = []
  const withRules: Array<number> = []
  // Taken in turns, and the best of each: what else the machine does falls on neither.
  for (let round = -WARM_UP; round < 31; round++) {
    const alone = run(pieces, undefined)
    const watched = run(pieces, new StreamRuleMonitor({ rules, launchFolder: "/work" }))
    if (round < 0) continue
    without.push(alone)
    withRules.push(watched)
  }
  const [alone, watched] = [Math.min(...without), Math.min(...withRules)]
  const ratio = watched / alone
  const rate = Math.round(count / watched).toLocaleString("en")
  console.log(
    `${name.padEnd(38)} ${(alone * 1000).toFixed(1)} ms alone, ${(watched * 1000).toFixed(1)} ms with ${rules.rules.length} rules: ${ratio.toFixed(2)}  (${rate} chunks/s)`
  )
  return ratio
}

const ratios = [
  compare("text, one event a network chunk", eachAlone(prose)),
  compare("text, 16 KiB network chunks", packed(eachAlone(prose), 16_384)),
  compare("a call, one event a network chunk", eachAlone(code)),
  compare("a call, 16 KiB network chunks", packed(eachAlone(code), 16_384))
]
const cold = await ruleSet()
const oneStream = eachAlone(prose)
console.log(
  `first stream, automata not yet made: ${(run(oneStream, new StreamRuleMonitor({ rules: cold, launchFolder: "/work" })) * 1000).toFixed(1)} ms`
)
process.exit(Math.max(...ratios) > BAR ? 1 : 0)
