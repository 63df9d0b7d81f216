/** Several automata over one text speak as one. */
import { assert, describe, it } from "@effect/vitest"
import type { LlmEvent } from "../../src/domain/llm.ts"
import { StreamRuleMonitor } from "../../src/stream-rules/StreamRuleMonitor.ts"
import { rulesOf } from "./support.ts"
import { cpuTime } from "../support/cpuTime.ts"

/** Large enough for an automaton of its own. */
const wide = (end: string): string => `a.{0,60}${end}`

const told = async (frontMatter: Readonly<Record<string, string>>, pieces: ReadonlyArray<string>) => {
  const monitor = new StreamRuleMonitor({ rules: await rulesOf(frontMatter), launchFolder: "/work" })
  const events = pieces.map((text): LlmEvent => ({ type: "text-delta", text }))
  return [...monitor.pushAll(events), ...monitor.end()].map(({ rule, offset }) => `${rule.name}@${offset}`)
}

describe("the matcher", () => {
  it("fires at the earliest of a rule's triggers, also where they are of different size and come in one piece", async () => {
    const rules = {
      both: `trigger: [late, '${wide("z")}']`,
      small: "trigger: middle",
      large: `trigger: '${wide("y")}'`
    }
    const text = "a z middle a y late"
    const expected = ["both@3", "small@10", "large@14"]
    assert.deepStrictEqual(await told(rules, [text]), expected)
    assert.deepStrictEqual(await told(rules, text.split("")), expected)
    for (let cut = 1; cut < text.length; cut++) {
      assert.deepStrictEqual(await told(rules, [text.slice(0, cut), text.slice(cut)]), expected, `cut at ${cut}`)
    }
  })

  it("watches more rules than fit one automaton", async () => {
    const rules = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`r${n}`, `trigger: 'word${n}\\b'`]))
    assert.deepStrictEqual(await told(rules, ["word149 word0 wo", "rd77"]), ["r149@7", "r0@13", "r77@20"])
  })

  it("stays quick with fifty counted repeats of common words", async () => {
    const rules = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`r${n}`, `trigger: 'word${n % 20}.{0,40}zz${n}'`])
    )
    let seed = 7
    const next = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff)
    const text = Array.from({ length: 60_000 }, () => `word${(next() >> 8) % 25} `).join("")
    const time = async (frontMatter: Readonly<Record<string, string>>): Promise<number> => {
      const start = cpuTime()
      assert.deepStrictEqual(await told(frontMatter, [text]), [])
      return cpuTime() - start
    }
    const one = { r0: rules["r0"] ?? "" }
    const alone = Math.min(await time(one), await time(one), await time(one))
    // About 400 times the rarest of them; 1400 times where they share one automaton, as their states multiply.
    assert.isBelow((await time(rules)) / alone, 750)
  })
})
