import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { concat, expand, plainContent, tokenContent, type Content } from "../../../src/tui/input/content.ts"
import { decodeEntry, encodeEntry, LONGEST_ENTRY } from "../../../src/tui/input/historyEntry.ts"
import { LARGEST_FILE, makeInputHistory, type InputHistory } from "../../../src/tui/input/InputHistory.ts"
import { labelOf, pasted } from "../../../src/tui/input/paste.ts"
import { testConfigLayer } from "../../support/testConfig.ts"
import { folder } from "../../tools/files/support.ts"

interface Place {
  readonly home: string
  readonly file: string
  readonly old: string
  /** A session in a folder of the home. */
  readonly session: (launchFolder?: string) => Effect.Effect<InputHistory>
}

const withPlace = <E>(use: (place: Place) => Effect.Effect<void, E>) =>
  Effect.scoped(
    Effect.flatMap(folder, (home) => {
      const session = (launchFolder = "project") =>
        makeInputHistory.pipe(
          Effect.provide(
            Layer.merge(NodeServices.layer, testConfigLayer({ home, launchFolder: join(home, launchFolder) }))
          )
        )
      const file = join(home, ".maia", "history.jsonl")
      return use({ home, file, old: join(home, ".maia", "history.old.jsonl"), session })
    })
  )

const texts = (contents: ReadonlyArray<Content>): ReadonlyArray<string> => contents.map(expand)

const add = (history: InputHistory, ...entries: ReadonlyArray<string>) =>
  Effect.forEach(entries, (entry) => history.add(plainContent(entry)), { discard: true })

describe("the file of history", () => {
  it.live("is read by the next session", () =>
    withPlace(({ session }) =>
      Effect.gen(function* () {
        yield* add(yield* session(), "one", "two\nlines", "trois é 語 😀")
        assert.deepStrictEqual(texts(yield* (yield* session()).load), ["one", "two\nlines", "trois é 語 😀"])
      })
    )
  )

  it.live("does not exist at first", () =>
    withPlace(({ home, session }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* (yield* session()).load, [])
        assert.isFalse(existsSync(join(home, ".maia")))
      })
    )
  )

  it.live("is the user's only", () =>
    withPlace(({ file, session }) =>
      Effect.gen(function* () {
        yield* add(yield* session(), "one")
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.strictEqual(statSync(join(file, "..")).mode & 0o777, 0o700)
      })
    )
  )

  it.live("keeps nothing that begins with a space, is empty or very long", () =>
    withPlace(({ file, session }) =>
      Effect.gen(function* () {
        yield* add(yield* session(), " secret", "", "  ", "x".repeat(LONGEST_ENTRY + 1))
        assert.isFalse(existsSync(file))
      })
    )
  )

  it.live("entries of this folder come last", () =>
    withPlace(({ session }) =>
      Effect.gen(function* () {
        yield* add(yield* session("a"), "in a")
        yield* add(yield* session("b"), "in b")
        yield* add(yield* session("a"), "in a again")
        assert.deepStrictEqual(texts(yield* (yield* session("a")).load), ["in b", "in a", "in a again"])
        assert.deepStrictEqual(texts(yield* (yield* session("b")).load), ["in a", "in a again", "in b"])
      })
    )
  )

  it.live("a broken line is skipped", () =>
    withPlace(({ file, session }) =>
      Effect.gen(function* () {
        const history = yield* session()
        yield* add(history, "one")
        appendFileSync(
          file,
          '{"at":1,"folder":"x"}\n\u0000\u0000\n[]\nnull\n{"at":1,"folder":"x","text":3}\nnot json\n\n'
        )
        yield* add(history, "two")
        assert.deepStrictEqual(texts(yield* history.load), ["one", "two"])
      })
    )
  )

  it.live("D7 a torn last line does not take the next entry with it", () =>
    withPlace(({ file, session }) =>
      Effect.gen(function* () {
        const history = yield* session()
        yield* add(history, "one")
        appendFileSync(file, '{"at":1,"folder":"x","te')
        yield* add(history, "two", "three")
        assert.deepStrictEqual(texts(yield* history.load), ["one", "two", "three"])
      })
    )
  )

  it.live("several sessions write at once and lose nothing", () =>
    withPlace(({ session }) =>
      Effect.gen(function* () {
        const sessions = yield* Effect.all([session(), session(), session(), session()])
        yield* Effect.forEach(
          sessions.flatMap((history, who) =>
            Array.from({ length: 50 }, (_, count) => history.add(plainContent(`${who}-${count}-${"x".repeat(2_000)}`)))
          ),
          (write) => write,
          { concurrency: "unbounded", discard: true }
        )
        const all = texts(yield* (yield* session()).load)
        assert.strictEqual(new Set(all).size, 200)
      })
    )
  )

  it.live("a large file is begun anew, the last one is still read, and its size is bounded", () =>
    withPlace(({ file, old, session }) =>
      Effect.gen(function* () {
        mkdirSync(join(file, ".."), { recursive: true })
        const line = (text: string) => `${encodeEntry(plainContent(text), 1, "x")}\n`
        writeFileSync(old, line("oldest"))
        writeFileSync(file, line("first") + line("x".repeat(50_000)).repeat(30) + line("last"))
        const history = yield* session()
        assert.strictEqual(texts(yield* history.load).at(-1), "last")
        assert.isAbove(statSync(old).size, LARGEST_FILE)
        assert.isFalse(existsSync(file))
        yield* add(history, "new")
        const all = texts(yield* history.load)
        assert.deepStrictEqual([all[0], all.at(-2), all.at(-1)], ["first", "last", "new"])
      })
    )
  )

  it.live("a huge file is read from its end only", () =>
    withPlace(({ file, old, session }) =>
      Effect.gen(function* () {
        mkdirSync(join(file, ".."), { recursive: true })
        writeFileSync(old, `${encodeEntry(plainContent("y".repeat(90_000)), 1, "x")}\n`.repeat(60))
        const history = yield* session()
        assert.isBelow((yield* history.load).length, 30)
      })
    )
  )

  it.live("what cannot be written or read does no harm", () =>
    withPlace(({ file, home, session }) =>
      Effect.gen(function* () {
        mkdirSync(file, { recursive: true })
        const history = yield* session()
        yield* add(history, "one")
        assert.deepStrictEqual(yield* history.load, [])
        writeFileSync(join(home, "x"), "")
      })
    )
  )
})

describe("entries", () => {
  it("pastes and images come back as tokens", () => {
    const content = concat(
      concat(plainContent("see "), pasted("line\n".repeat(50), 1).content),
      concat(plainContent(" and "), pasted("/a b.png", 2).content)
    )
    const back = decodeEntry(encodeEntry(content, 1, "x") ?? "")?.content
    assert.strictEqual(back?.text, content.text)
    assert.deepStrictEqual(
      back?.marks.map(({ token }) => labelOf(token, "en")),
      ["[Pasted text #1 +50 lines]", "[Image #2]"]
    )
  })

  it("the file holds the whole text", () => {
    const line = encodeEntry(pasted("line\n".repeat(50), 1).content, 7, "/x") ?? ""
    assert.deepStrictEqual(JSON.parse(line), {
      at: 7,
      folder: "/x",
      text: "line\n".repeat(50),
      tokens: [{ kind: "paste", start: 0, length: 250 }]
    })
  })

  it("control characters of a line written by others are dropped", () => {
    const line = JSON.stringify({ at: 1, folder: "", text: "a\u001b[31mb\r\nc" })
    assert.strictEqual(decodeEntry(line)?.content.text, "a[31mb\nc")
  })

  it("any ranges: the text is the same", () => {
    const ranges = fc.record({
      kind: fc.constantFrom("paste", "image"),
      start: fc.oneof(fc.integer({ min: -5, max: 30 }), fc.double()),
      length: fc.oneof(fc.integer({ min: -5, max: 30 }), fc.double())
    })
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(ranges), (text, tokens) => {
        const back = decodeEntry(JSON.stringify({ at: 1, folder: "", text: `x${text}`, tokens }))?.content
        const images = back?.marks.some(({ token }) => token.kind === "image")
        if (back === undefined || images === true) return
        assert.strictEqual(expand(back), `x${text}`.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\t\n]/gu, ""))
      }),
      { numRuns: 500 }
    )
  })

  it("a token of its own is an entry", () => {
    const content = tokenContent({ kind: "paste", number: 4, text: "a\nb", lines: 2 })
    assert.strictEqual(expand(decodeEntry(encodeEntry(content, 1, "") ?? "")?.content ?? plainContent("")), "a\nb")
  })
})
