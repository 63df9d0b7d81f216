import { assert, describe, it } from "@effect/vitest"
import { RepetitionGuard, type Repetition } from "../../src/llm/repetitionGuard.ts"
import { cpuTime } from "../support/cpuTime.ts"

/** Feeds the text in pieces, a second for each hundred characters; where the guard bites, and what it says. */
const feed = (text: string, size = 5, msPerCharacter = 10): (Repetition & { readonly at: number }) | undefined => {
  const guard = new RepetitionGuard()
  for (let at = 0; at < text.length; at += size) {
    const found = guard.push(text.slice(at, at + size), (at + size) * msPerCharacter)
    if (found !== undefined) return { ...found, at: at + size }
  }
  return undefined
}

const prose = Array.from({ length: 400 }, (_, n) => `Sentence ${n} says that ${n * 7919} is not ${n * 104_729}.`).join(
  " "
)

describe("a text repeated without end", () => {
  for (const [name, unit] of [
    ["a line", "I will now check the file again.\n"],
    ["a phrase without line ends", "and then the file and "],
    ["a paragraph", `${prose.slice(0, 700)}\n\n`],
    ["three lines", "Let me read the file.\nNow I edit the file.\nThat did not work.\n"],
    ["one word", "stop "],
    ["a letter", "a"],
    ["a line of code", "    result.append(value)\n"],
    ["words of another script", "我现在再检查一次这个文件。"]
  ] as const) {
    it(`${name} is stopped, and what came before is known`, () => {
      const found = feed(`${prose}\n${unit.repeat(40_000 / unit.length)}`)
      if (found === undefined) return assert.fail("not noticed")
      assert.isAtMost(found.at, prose.length + 18_500)
      assert.isAtLeast(found.before, prose.length - unit.length)
      assert.isAtMost(found.before, found.at - 8_000)
      assert.isAtLeast(found.times, 8)
    })
  }

  it("bites at the same place, give or take a look, however the text is cut", () => {
    const text = `${prose}\n${"I will now check the file again.\n".repeat(1000)}`
    for (const size of [1, 3, 64, 1000, 7000]) {
      const found = feed(text, size)
      assert.isDefined(found, `${size}`)
      assert.isAtMost(found?.at ?? 0, prose.length + 8_192 + 512 + 2 * size + 512)
    }
  })
})

describe("legitimate repetitive text passes", () => {
  const lines = (count: number, line: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => line(n)).join("\n")
  for (const [name, text] of [
    ["prose", prose.repeat(1)],
    ["a list of 2000 numbered lines", lines(2000, (n) => `${n + 1}. Check the file again.`)],
    ["a table whose rows differ in one number", lines(2000, (n) => `| item | ${n} | yes | no | maybe |`)],
    ["a table of 200 equal rows", lines(200, () => "| yes | no | yes | no | unknown |")],
    ["100 lines that were asked for", lines(100, () => "I must not talk in class.")],
    ["250 equal lines of code", lines(250, () => "    expect(value).toBe(true)")],
    ["a matrix of zeros, 12 KB", lines(200, () => "  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],")],
    ["a rule of 10 000 dashes", "-".repeat(10_000)],
    ["12 KB of blanks", `${" ".repeat(80)}\n`.repeat(150)],
    ["base64 of zeros, 10 KB", "A".repeat(10_000)],
    ["nested closing tags", lines(500, (n) => `${" ".repeat(500 - n)}</div>`)],
    ["SQL rows", lines(1000, (n) => `insert into users values (${n}, 'user${n}', true);`)],
    ["a log whose times differ", lines(1000, (n) => `12:${n % 60}:${n} INFO request handled in ${n * 37} ms`)]
  ] as const) {
    it(name, () => assert.isUndefined(feed(`${prose.slice(0, 3000)}\n${text}\n${prose.slice(0, 3000)}`)))
  }
})

describe("what was there at once", () => {
  it("passes, however long and however often it repeats itself", () => {
    for (const unit of ["0123456789", "word ", "I will now check the file again.\n", "x"]) {
      assert.isUndefined(feed(unit.repeat(400_000 / unit.length), 5, 0.02))
      assert.isUndefined(feed(unit.repeat(4_000_000 / unit.length), 4_000_000, 0.02))
    }
  })

  it("ten seconds of repeats are too many, at any speed", () => {
    const found = feed("I will now check the file again.\n".repeat(20_000), 50, 0.1)
    assert.isAtLeast(found?.at ?? 0, 100_000)
    assert.isAtMost(found?.at ?? 0, 110_000)
  })
})

describe("cost", () => {
  it("is linear, also for text that repeats for nearly long enough", () => {
    const nearly = `${"I will now check the file again.\n".repeat(240)}${prose}`
    const time = (text: string) => {
      const started = cpuTime()
      assert.isUndefined(feed(text))
      return cpuTime() - started
    }
    time(nearly.repeat(4))
    const small = Math.min(time(nearly.repeat(10)), time(nearly.repeat(10)))
    const large = Math.min(time(nearly.repeat(40)), time(nearly.repeat(40)))
    assert.isBelow(large, Math.max(60, small * 8))
  })
})
