/**
 * Rules with `engine: js`: beside the stream, in a thread that can be ended. The clock is the real one, since a thread that
 * loops cannot be told about another.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Text } from "../../src/domain/text.ts"
import { JS_BUDGET, makeJsRunner } from "../../src/stream-rules/JsRunner.ts"
import { StreamRuleGuard, type StreamWatch, type Verdict } from "../../src/stream-rules/StreamRuleGuard.ts"
import { callEvents, rulesOf } from "./support.ts"

const js = (trigger: string): string => `trigger: '${trigger.replaceAll("'", "''")}'\nengine: js`

/** Never ends in any engine that backtracks; no engine gives it up as too deep. */
const ENDLESS = "(?:(?:a|b|ab)+)+(?=c)"

/** Ends of the first match of each look, as `id@offset`. */
const found = Effect.fnUntraced(function* (
  triggers: Readonly<Record<string, string>>,
  pieces: ReadonlyArray<string>,
  disabled = new Set<number>()
) {
  const rules = yield* Effect.promise(() => rulesOf(triggers))
  const warnings: Array<Text> = []
  const ends: Array<string> = []
  yield* Effect.scoped(
    Effect.gen(function* () {
      const runner = yield* makeJsRunner({ rules, disabled, warn: (warning) => void warnings.push(warning) })
      const ids = rules.rules.map((_, id) => id)
      const tap = runner.begin(ids, (id, offset) => void ends.push(`${id}@${offset}`))
      for (const piece of pieces) tap.piece(piece)
      tap.end()
      yield* runner.settle
    })
  )
  return { ends, warnings: warnings.map(({ en }) => en) }
})

const inPieces = (text: string, size: number): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))

describe("the runner of engine: js", () => {
  it.live("knows look-around and back-references, and flags in front", () =>
    Effect.gen(function* () {
      const triggers = {
        ahead: js("foo(?=bar)"),
        behind: js("(?<!un)safe"),
        back: js("(\\w)\\1{2}"),
        flags: js("(?i)HELLO"),
        line: js("^x(?!y)")
      }
      const { ends, warnings } = yield* found(triggers, ["unsafe foobar hello safe aaa xz\nxy\nxz"])
      assert.deepStrictEqual(ends, ["0@10", "1@24", "2@28", "3@19", "4@36"])
      assert.deepStrictEqual(warnings, [])
    })
  )

  it.live("finds a match wherever the long text is cut, and once", () =>
    Effect.gen(function* () {
      const line = "some words of an ordinary answer\n"
      for (const before of [0, 3990, 4000, 4195, 8399, 20_011]) {
        const text = `${line.repeat(before / line.length)}${"-".repeat(before % line.length)}foobar${line.repeat(400)}`
        const end = text.indexOf("foobar") + 3
        for (const size of [1, 7, 4000, text.length]) {
          const { ends } = yield* found({ ahead: js("foo(?=bar)"), never: js("foo(?=baz)") }, inPieces(text, size))
          assert.deepStrictEqual([...new Set(ends)], [`0@${end}`], `${before} before, pieces of ${size}`)
        }
      }
    })
  )

  it.live("does not take the place where a long text was cut for the beginning of a line", () =>
    Effect.gen(function* () {
      const { ends } = yield* found({ line: js("^x(?!y)") }, inPieces("x".repeat(20_000), 10).with(0, "y"))
      assert.deepStrictEqual(ends, [])
    })
  )

  it.live("ends an expression that does not, says so once, and runs the others", () =>
    Effect.gen(function* () {
      const disabled = new Set<number>()
      const start = performance.now()
      const triggers = { endless: js(ENDLESS), other: js("b!(?= )") }
      const { ends, warnings } = yield* found(triggers, [`${"ab".repeat(40)}! `.repeat(200)], disabled)
      assert.strictEqual(ends[0], "1@81")
      assert.strictEqual(warnings.length, 1)
      assert.include(warnings[0] ?? "", '"endless" took more than')
      assert.deepStrictEqual([...disabled], [0])
      // Far more than one budget, far less than for ever.
      assert.isBelow(performance.now() - start, 20 * JS_BUDGET)
      const again = yield* found(triggers, [`${"ab".repeat(40)}! `], disabled)
      assert.deepStrictEqual(again, { ends: ["1@81"], warnings: [] })
    })
  )
})

describe("a guard with a slow rule", () => {
  const guarded = Effect.fnUntraced(function* (
    triggers: Readonly<Record<string, string>>,
    use: (watch: StreamWatch) => Effect.Effect<Verdict | undefined>
  ) {
    const rules = yield* Effect.promise(() => rulesOf(triggers))
    const settings = { contextMode: "discard", repeatMode: "once", repeatGap: 10 } as const
    const guard = new StreamRuleGuard({ rules, settings, launchFolder: "/work" })
    guard.beginTurn([])
    const verdict = yield* Effect.scoped(
      Effect.flatMap(guard.begin, (watch) => (watch === undefined ? Effect.undefined : use(watch)))
    )
    return { verdict, warnings: guard.takeWarnings() }
  })

  it.live("lets the stream go on and stops the answer before its tools run", () =>
    Effect.gen(function* () {
      const { verdict, warnings } = yield* guarded(
        { ahead: `${js("foo(?=bar)")}\nscope: tool:Write(*.ts)` },
        (watch) => {
          const events = callEvents("Write", ['{"content":"foob', 'ar","path":"a.ts"}'])
          assert.isUndefined(watch.push(events))
          return watch.settle
        }
      )
      assert.deepStrictEqual(verdict?.rules, ["ahead"])
      assert.include(verdict?.reminder.text ?? "", 'path="a.ts"')
      assert.deepStrictEqual([verdict?.before, warnings], [[], []])
    })
  )

  it.live("forgets what a provider sent before it began anew", () =>
    Effect.gen(function* () {
      const { verdict } = yield* guarded({ ahead: js("foo(?=bar)") }, (watch) => {
        watch.push([{ type: "text-delta", text: "foobar ".repeat(1000) }])
        watch.push([{ type: "discard", reason: "retry" }])
        watch.push([{ type: "text-delta", text: "fine" }])
        return watch.settle
      })
      assert.isUndefined(verdict)
    })
  )

  it.live("does not hold back the stream while an expression does not end", () =>
    Effect.gen(function* () {
      let pushing = 0
      const { verdict, warnings } = yield* guarded({ endless: js(ENDLESS), plain: "trigger: stop here" }, (watch) =>
        Effect.gen(function* () {
          const start = performance.now()
          for (let i = 0; i < 200; i++) {
            watch.push([{ type: "text-delta", text: `${"ab".repeat(40)}! ` }])
            yield* Effect.yieldNow
          }
          pushing = performance.now() - start
          return watch.push([{ type: "text-delta", text: "stop here" }]) ?? (yield* watch.settle)
        })
      )
      assert.deepStrictEqual(verdict?.rules, ["plain"])
      assert.isBelow(pushing, JS_BUDGET)
      assert.deepStrictEqual(warnings, [])
    })
  )
})
