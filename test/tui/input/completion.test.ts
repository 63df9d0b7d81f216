import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Fiber, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { SearchEngine } from "../../../src/tools/search/SearchEngine.ts"
import { makeCompleter, type Completer } from "../../../src/tui/input/completion/Completer.ts"
import type { CompletionToken } from "../../../src/tui/input/completion/completionToken.ts"
import { FileIndex } from "../../../src/tui/input/completion/FileIndex.ts"
import { Best, lowerCase, matchPlaces, score, targetOf } from "../../../src/tui/input/completion/fuzzy.ts"
import { nameCandidates } from "../../../src/tui/input/completion/nameCandidates.ts"
import { makePathCandidates } from "../../../src/tui/input/completion/pathCandidates.ts"
import { popupOf } from "../../../src/tui/input/completion/popup.ts"
import { cellWidth } from "../../../src/tui/text/width.ts"
import { testConfigLayer } from "../../support/testConfig.ts"
import { bestTime } from "./support.ts"
import { folder, services } from "../../tools/files/support.ts"

const indexOf = (...files: ReadonlyArray<string>): FileIndex => {
  const index = new FileIndex()
  index.add(files)
  return index
}

const found = (index: FileIndex, query: string, most = 10): ReadonlyArray<string> =>
  index.search(query, most).map(({ text }) => text)

describe("ranking", () => {
  for (const [query, first, ...others] of [
    ["main", "src/main.ts", "src/domain/text.ts", "maintenance/old.ts"],
    ["readme", "README.md", "docs/reader/me.ts", "src/read/member.ts"],
    ["src/t", "src/tui/a.ts", "lib/src/other/t.ts"],
    ["FileIndex", "src/FileIndex.ts", "src/file_indexer_tools.ts"],
    ["fi", "src/FileIndex.ts", "src/config.ts"],
    ["uis", "src/tui/UiStore.ts", "src/building/syntax.ts"],
    ["test.ts", "a/test.ts", "a/testing/support.ts"],
    ["im", "src/inputMachine.ts", "src/tsim.ts"],
    ["a/b", "a/b.ts", "a/x/b.ts"]
  ] as const) {
    it(`${query} means ${first}`, () => {
      const names = [...others, first]
      const best = new Best<string>(1)
      for (const name of names) best.add(name, score(targetOf(name), query, lowerCase(query)))
      assert.deepStrictEqual(best.items, [first])
    })
  }

  it("letters that are not there, or not in order, do not match", () => {
    assert.strictEqual(score(targetOf("abc"), "ca", "ca"), Number.NEGATIVE_INFINITY)
    assert.strictEqual(score(targetOf("abc"), "abcd", "abcd"), Number.NEGATIVE_INFINITY)
    assert.isUndefined(matchPlaces(targetOf("abc"), "x"))
  })

  it("the places are those of the letters", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."abAB/._-é語İ") }),
        fc.string({ maxLength: 4 }),
        (text, query) => {
          const lower = lowerCase(query)
          const target = targetOf(text)
          const places = matchPlaces(target, lower)
          assert.strictEqual(places !== undefined, score(target, query, lower) > Number.NEGATIVE_INFINITY)
          if (places === undefined) return
          assert.strictEqual(places.map((at) => target.lower[at]).join(""), lower)
          assert.deepStrictEqual(
            places,
            [...new Set(places)].sort((a, b) => a - b)
          )
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it("the best are the best, whatever their order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: 1, max: 8 }), (scores, most) => {
        const best = new Best<number>(most)
        for (const value of scores) best.add(value, value)
        assert.deepStrictEqual(best.items, [...scores].sort((a, b) => b - a).slice(0, most))
      })
    )
  })
})

describe("the index of a project", () => {
  const index = indexOf("README.md", "src/a.ts", "src/tui/input/keys.ts", "src/tui/view.ts", "test/keys.test.ts")

  it("holds files and folders", () => {
    assert.strictEqual(index.size, 9)
    assert.isTrue(index.hasFolder("src/tui/"))
    assert.isFalse(index.hasFolder("src/nothing/"))
  })

  it("without letters: what is at the top, folders first", () =>
    assert.deepStrictEqual(found(index, ""), ["src/", "test/", "README.md"]))

  it("behind a folder: what is in it", () => assert.deepStrictEqual(found(index, "src/"), ["src/tui/", "src/a.ts"]))

  it("letters anywhere", () => {
    assert.strictEqual(found(index, "inkeys")[0], "src/tui/input/keys.ts")
    assert.strictEqual(found(index, "stik")[0], "src/tui/input/keys.ts")
    assert.strictEqual(found(index, "TUI")[0], "src/tui/")
  })

  it("a longer query finds what it would have found at once", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."srctuikey./"), minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(letters, (query) => {
        const typed = indexOf("README.md", "src/a.ts", "src/tui/input/keys.ts", "src/tui/view.ts", "test/keys.test.ts")
        for (let length = 1; length < query.length; length++) typed.search(query.slice(0, length), 10)
        const fresh = indexOf("README.md", "src/a.ts", "src/tui/input/keys.ts", "src/tui/view.ts", "test/keys.test.ts")
        assert.deepStrictEqual(found(typed, query), found(fresh, query))
      }),
      { numRuns: 500 }
    )
  })

  it("a key in 100 000 files takes less than 30 ms", () => {
    const names = "src components utils server client test lib models index button table view handler service".split(
      " "
    )
    const pick = (at: number): string => names[at % names.length] ?? ""
    const big = indexOf(
      ...Array.from(
        { length: 100_000 },
        (_, at) =>
          `${pick(at % 7)}/${pick((at >> 3) % 11)}/${pick((at >> 6) % 13)}/${pick(at * 7)}-${pick(at * 3)}${at}.ts`
      )
    )
    const queries = ["s", "se", "ser", "t", "ts", "src/", "src/co", "src/com", "idx", "button99", "zzz", ""]
    for (const query of queries) {
      const time = bestTime(() => {
        big.search("~", 1)
        big.search(query, 50)
      }, 6)
      assert.isBelow(time, 30, query)
    }
  })
})

describe("names", () => {
  const items = [
    { name: "help", detail: "shows help" },
    { name: "clear", detail: "new conversation" },
    { name: "compact", aliases: ["summary"] },
    { name: "model" }
  ]
  const names = (query: string) => nameCandidates(items, query, "/").map(({ insert }) => insert)

  it("all, in their order, where nothing is typed", () =>
    assert.deepStrictEqual(names(""), ["/help", "/clear", "/compact", "/model"]))

  it("by letters, and by another name", () => {
    assert.strictEqual(names("c")[0], "/clear")
    assert.deepStrictEqual(names("cmp"), ["/compact"])
    assert.deepStrictEqual(names("summ"), ["/compact"])
    assert.deepStrictEqual(names("x"), [])
  })

  it("G6 names and details from files are safe to draw", () => {
    const [candidate] = nameCandidates([{ name: "a\u001b[2J", detail: "x\u001b]0;t\u0007\ny" }], "", "§")
    assert.strictEqual(`${candidate?.label}|${candidate?.detail}`, "§a␛[2J|x␛]0;t␇⏎y")
  })

  it("the sigil counts in the places", () =>
    assert.deepStrictEqual(nameCandidates(items, "he", "/")[0]?.matched, [1, 2]))
})

const token = (query: string): CompletionToken => ({ kind: "path", start: 0, end: 0, query })

const withProject = <E>(
  files: ReadonlyArray<string>,
  use: (completer: Completer, root: string) => Effect.Effect<void, E>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const root = yield* folder
      for (const file of files) {
        mkdirSync(dirname(join(root, file)), { recursive: true })
        writeFileSync(join(root, file), file.endsWith(".gitignore") ? "ignored/\n" : "")
      }
      const completer = yield* makeCompleter({
        commands: Effect.succeed([{ name: "help" }]),
        skills: Effect.succeed([{ name: "review" }]),
        arguments: (command) => Effect.succeed(command === "model" ? [{ name: "gpt-x" }] : [])
      }).pipe(Effect.provide(services(root)))
      yield* use(completer, root)
    })
  )

const inserts = (completer: Completer, query: string) =>
  Effect.map(completer.complete(token(query)), (candidates) => candidates.map(({ insert }) => insert))

describe("paths", () => {
  const files = [
    "README.md",
    "src/a.ts",
    "src/my file.ts",
    "src/b/c.ts",
    ".gitignore",
    "ignored/x.js",
    ".env",
    'say "hi".txt'
  ]

  it.live("of the project, quoted where needed, without what is ignored", () =>
    withProject(files, (completer) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* inserts(completer, "a.ts"), ["@src/a.ts"])
        assert.deepStrictEqual(yield* inserts(completer, "myfile"), ['@"src/my file.ts"'])
        assert.deepStrictEqual(yield* inserts(completer, "say"), ["@'say \"hi\".txt'"])
        assert.deepStrictEqual(yield* inserts(completer, "x.js"), [])
        assert.deepStrictEqual(yield* inserts(completer, "env"), [])
        assert.deepStrictEqual(yield* inserts(completer, "src/"), ["@src/b/", "@src/a.ts", '@"src/my file.ts"'])
      })
    )
  )

  it.live("folders go on", () =>
    withProject(files, (completer) =>
      Effect.gen(function* () {
        const [first] = yield* completer.complete(token("sr"))
        assert.deepStrictEqual(first, { label: "src/", matched: [0, 1], insert: "@src/", continues: true })
      })
    )
  )

  it.live("ignored folders, home, parents and absolute paths come from the disk", () =>
    withProject(files, (completer, root) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* inserts(completer, "ignored/"), ["@ignored/x.js"])
        assert.deepStrictEqual(yield* inserts(completer, "~"), ["@~/"])
        assert.include(yield* inserts(completer, "~/RE"), "@~/README.md")
        assert.deepStrictEqual(yield* inserts(completer, "./READ"), ["@./README.md"])
        assert.deepStrictEqual(yield* inserts(completer, `${root}/src/a`), [`@${root}/src/a.ts`])
        assert.include(yield* inserts(completer, "src/../READ"), "@src/../README.md")
        assert.deepStrictEqual(yield* inserts(completer, "/nowhere/at/all/"), [])
      })
    )
  )

  it.live("hidden names only where a point is typed", () =>
    withProject(files, (completer) =>
      Effect.gen(function* () {
        assert.notInclude(yield* inserts(completer, "./"), "@./.gitignore")
        assert.deepStrictEqual(yield* inserts(completer, "./.gi"), ["@./.gitignore"])
      })
    )
  )

  it.live("links to folders are folders", () =>
    withProject(files, (completer, root) =>
      Effect.gen(function* () {
        symlinkSync(join(root, "src"), join(root, "link"))
        symlinkSync(join(root, "nothing"), join(root, "lost"))
        assert.deepStrictEqual(yield* inserts(completer, "./lin"), ["@./link/"])
        assert.deepStrictEqual(yield* inserts(completer, "./los"), ["@./lost"])
      })
    )
  )

  it.live("G6 names with control characters are not offered, strange ones are shown safely", () =>
    withProject([...files, "e\u001b[2J.txt", "r\u202etxt.exe"], (completer) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* inserts(completer, "./e["), [])
        const labels = Effect.map(completer.complete(token("./r\u202e")), (all) => all.map(({ label }) => label))
        assert.deepStrictEqual(yield* labels, ["./r‹U+202E›txt.exe"])
      })
    )
  )

  it.live("names of commands, skills and arguments", () =>
    withProject([], (completer) =>
      Effect.gen(function* () {
        const ask = (kind: CompletionToken["kind"], query: string, command?: string) =>
          Effect.map(
            completer.complete({ kind, start: 0, end: 0, query, ...(command === undefined ? {} : { command }) }),
            (all) => all.map(({ insert }) => insert).join(" ")
          )
        assert.strictEqual(yield* ask("command", "he"), "/help")
        assert.strictEqual(yield* ask("skill", "r"), "§review")
        assert.strictEqual(yield* ask("argument", "", "model"), "gpt-x")
        assert.strictEqual(yield* ask("argument", "", "exit"), "")
      })
    )
  )
})

describe("the index is made in the background", () => {
  /** A search engine that answers when told, and counts. */
  const engine = (listing: () => Effect.Effect<ReadonlyArray<string>>) =>
    Layer.succeed(
      SearchEngine,
      SearchEngine.of({
        files: () => Effect.map(listing(), (lines) => ({ lines, ended: "all" as const })),
        grep: () => Effect.succeed({ lines: [], ended: "all" as const })
      })
    )

  const paths = (root: string, listing: () => Effect.Effect<ReadonlyArray<string>>) =>
    Effect.provide(
      makePathCandidates,
      Layer.mergeAll(NodeServices.layer, testConfigLayer({ home: root, launchFolder: root }), engine(listing))
    )

  it.effect("and again when it is old, while the old one answers", () =>
    Effect.gen(function* () {
      let asked = 0
      const latch = yield* Latch.make(true)
      const find = yield* paths(yield* folder, () =>
        Effect.andThen(
          Effect.sync(() => asked++),
          latch.whenOpen(Effect.sync(() => [`file${asked}`]))
        )
      )
      const ask = Effect.map(find("file"), (all) => all.map(({ label }) => label).join())
      assert.strictEqual(yield* ask, "file1")
      assert.strictEqual(yield* ask, "file1")
      assert.strictEqual(asked, 1)
      yield* latch.close
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual(yield* ask, "file1")
      assert.strictEqual(yield* ask, "file1")
      yield* latch.open
      yield* Effect.yieldNow
      while ((yield* ask) !== "file2") yield* Effect.yieldNow
      assert.strictEqual(asked, 2)
    })
  )

  it.live("until the first is there, the folder answers", () =>
    Effect.gen(function* () {
      const root = yield* folder
      writeFileSync(join(root, "here.txt"), "")
      const find = yield* paths(root, () => Effect.never)
      assert.deepStrictEqual(
        (yield* find("he")).map(({ insert }) => insert),
        ["@here.txt"]
      )
    })
  )

  it.live("a key that is overtaken does not end it", () =>
    Effect.gen(function* () {
      const latch = yield* Latch.make(false)
      const find = yield* paths(yield* folder, () => latch.whenOpen(Effect.succeed(["file"])))
      const first = yield* Effect.forkChild(find("f"))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      yield* latch.open
      assert.deepStrictEqual(
        (yield* find("f")).map(({ insert }) => insert),
        ["@file"]
      )
    })
  )
})

describe("the list as drawn", () => {
  const list = (labels: ReadonlyArray<string>, selected: number, detail?: string) => ({
    token: token(""),
    candidates: labels.map((label) => ({
      label,
      matched: [1],
      insert: label,
      continues: false,
      ...(detail === undefined ? {} : { detail })
    })),
    selected,
    waiting: false,
    navigated: false,
    acceptFirst: false
  })
  const box = { width: 30, height: 3 }
  const lines = (popup: ReturnType<typeof popupOf>): ReadonlyArray<string> =>
    popup.rows.map(({ selected, spans }) => `${selected ? ">" : " "}${spans.map(({ text }) => text).join("")}`)

  it("shows a window around the selected one", () => {
    const popup = popupOf(list(["/a", "/b", "/c", "/d", "/e"], 3), box)
    assert.deepStrictEqual(lines(popup), [" /c", ">/d", " /e"])
    assert.deepStrictEqual([popup.above, popup.below], [2, 0])
  })

  it("marks what matched", () => {
    assert.deepStrictEqual(popupOf(list(["/abc"], 0), box).rows[0]?.spans, [
      { kind: "label", text: "/" },
      { kind: "matched", text: "a" },
      { kind: "label", text: "bc" }
    ])
  })

  it("details stand in a column", () => {
    assert.deepStrictEqual(lines(popupOf(list(["/a", "/long"], 0, "what it does"), box)), [
      ">/a     what it does",
      " /long  what it does"
    ])
  })

  it("nothing to show, nothing drawn", () => assert.deepStrictEqual(popupOf(list([], 0), box).rows, []))

  it("never wider than its box", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "/", "語", "👩‍👩‍👧", "é") }), { minLength: 1, maxLength: 6 }),
        fc.option(fc.string({ unit: fc.constantFrom("x", "語", " ") }), { nil: undefined }),
        fc.integer({ min: 4, max: 60 }),
        (labels, detail, width) => {
          for (const line of lines(popupOf(list(labels, 0, detail), { width, height: 4 }))) {
            assert.isAtMost(cellWidth(line), width + 1)
          }
        }
      ),
      { numRuns: 500 }
    )
  })
})
