/** A search never shows what may not be read (spec 03, field case C19). */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeGlob } from "../../../src/tools/search/glob.ts"
import { makeGrep } from "../../../src/tools/search/grep.ts"
import { walkEngine } from "../../../src/tools/search/walkEngine.ts"
import { call, folder, services, type ReadRules } from "../files/support.ts"
import { put } from "./support.ts"

const FILES = {
  "a.ts": "TOKEN a\n",
  "plans.txt": "TOKEN plans\n",
  "locked/x.ts": "TOKEN x\n",
  "asked/y.ts": "TOKEN y\n",
  "credentials.json": "TOKEN c\n",
  "server.key": "TOKEN k\n"
}

const search = (rules: ReadRules, input: Readonly<Record<string, unknown>>, tool: "Grep" | "Glob" = "Grep") =>
  Effect.gen(function* () {
    const root = yield* folder
    yield* Effect.sync(() => put(root, FILES))
    const made = tool === "Grep" ? makeGrep : makeGlob
    return yield* Effect.flatMap(made, (one) => call(one, input)).pipe(Effect.provide(services(root, rules)))
  }).pipe(Effect.map(({ text }) => text))

const RULES: ReadRules = { deny: ["Read(plans.txt)", "Read(locked/**)"], ask: ["Read(asked/**)"] }

describe("files that may not be read", () => {
  for (const mode of ["content", "files", "count"]) {
    it.effect(`are no hits of a search for ${mode}`, () =>
      Effect.gen(function* () {
        const text = yield* search(RULES, { pattern: "TOKEN", output_mode: mode })
        assert.match(text, /^a\.ts/)
        assert.notMatch(text, /plans|locked|asked|credentials|server/)
      }).pipe(Effect.scoped)
    )
  }

  it.effect("nor where the glob or the folder names them", () =>
    Effect.gen(function* () {
      for (const more of [{ glob: "locked/*" }, { glob: "plans.txt" }, { path: "asked" }, { glob: "*.key" }])
        assert.match(yield* search(RULES, { pattern: "TOKEN", ...more }), /^\(no match/)
    }).pipe(Effect.scoped)
  )

  it.effect("whether they match cannot be told from the answer", () =>
    Effect.gen(function* () {
      const hit = yield* search(RULES, { pattern: "TOKEN plans" })
      assert.strictEqual(hit, yield* search(RULES, { pattern: "TOKEN nothing" }))
    }).pipe(Effect.scoped)
  )

  it.effect("are not listed; names of secrets are", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* search(RULES, { pattern: "**" }, "Glob"), "a.ts\ncredentials.json\nserver.key")
    }).pipe(Effect.scoped)
  )

  it.effect("are shown where a rule names them, or no rule speaks", () =>
    Effect.gen(function* () {
      const named = yield* search({ allow: ["Read(credentials.json)"] }, { pattern: "TOKEN", output_mode: "files" })
      assert.strictEqual(named, "a.ts\nasked/y.ts\ncredentials.json\nlocked/x.ts\nplans.txt")
    }).pipe(Effect.scoped)
  )

  it.effect("also without ripgrep", () =>
    Effect.gen(function* () {
      const root = yield* folder
      yield* Effect.sync(() => put(root, FILES))
      const place = { root, hides: (path: string) => path.startsWith("locked/") }
      const query = { pattern: "x", mode: "content", glob: undefined, ignoreCase: false, multiline: false } as const
      const found = yield* walkEngine.grep(place, { ...query, context: 0, limit: 9 })
      assert.deepStrictEqual(found.lines, [])
      assert.notInclude((yield* walkEngine.files(place, "**")).lines, "locked/x.ts")
    }).pipe(Effect.provide(services("/nowhere")), Effect.scoped)
  )
})
