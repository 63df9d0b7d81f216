/**
 * Files as earlier versions wrote them. Each format version has its file here for good: a later one must read it, or migrate it.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { isKnownEntry } from "../../src/sessions/checkEntry.ts"
import { decodeSession, encodeEntry, encodeLine } from "../../src/sessions/codec.ts"
import { buildContext } from "../../src/sessions/buildContext.ts"
import { parseLegacy } from "../../src/sessions/legacy.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { message, textsOf, user, withPlace } from "./support.ts"

const stored = (name: string): Uint8Array => readFileSync(new URL(`./fixtures/${name}`, import.meta.url))

const fallback = { type: "header", version: 1, id: "header", time: "", cwd: "" } as const

describe("stored sessions", () => {
  it("version 1: every entry is understood, and written again byte for byte", () => {
    const bytes = stored("v1.jsonl")
    const session = decodeSession(bytes, fallback)
    assert.deepStrictEqual(session.warnings, [])
    assert.isFalse(session.isNewer)
    const unknown = session.tree.entries.filter((entry) => !isKnownEntry(entry)).map(({ type }) => type)
    assert.deepStrictEqual(unknown, ["from_the_future"])
    const lines = [encodeLine(session.header).line, ...session.tree.entries.map((entry) => encodeEntry(entry).line)]
    const header = JSON.parse(lines[0] ?? "")
    const original = new TextDecoder().decode(bytes).split("\n")
    assert.deepStrictEqual(header, JSON.parse(original[0] ?? ""))
    for (const [index, line] of lines.slice(1).entries()) {
      assert.deepStrictEqual(JSON.parse(line), JSON.parse(original[index + 1] ?? ""))
    }
    assert.strictEqual(session.tree.leaf, "00000011")
    assert.deepStrictEqual([...session.tree.labels], [["00000001", "start"]])
    assert.deepStrictEqual(buildContext(session.tree.path), [])
    assert.deepStrictEqual(
      buildContext(session.tree.pathTo("0000000e")).map((item) => item.entryId),
      ["00000009", "00000001", "00000002", "00000003", "00000008", "0000000a"]
    )
  })

  it("MAIA: blocks, plain strings, results and what is not understood", () => {
    const legacy = parseLegacy(new TextDecoder().decode(stored("maia.json")))
    assert.isDefined(legacy)
    assert.strictEqual(legacy?.model, "gpt-x")
    assert.strictEqual(legacy?.created, "2025-03-04T05:06:07.000Z")
    assert.deepStrictEqual(
      legacy?.bodies.map((body) => {
        if (body.type === "pending_context") return body.text
        if (body.type !== "message") return body.type
        const { message: value } = body
        const calls = value.role === "assistant" ? value.toolCalls.map(({ name }) => name) : []
        const error = value.role === "tool" ? [value.toolName, value.isError] : []
        return [value.role, value.text, ...calls, ...error]
      }),
      [
        ["user", "lis a.txt"],
        ["assistant", "Je lis.", "Read", "Bash"],
        ["tool", "bonjour", "Read", false],
        ["tool", "raté", "Bash", true],
        ["assistant", "Le fichier dit bonjour."],
        ["user", "et \nceci"],
        "$ ls\na.txt"
      ]
    )
  })

  it("what is no session of MAIA is none", () => {
    for (const json of ["", "[]", "{}", "12", '{"messages":"x"}', '{"messages":']) assert.isUndefined(parseLegacy(json))
  })

  it.effect("MAIA's session opens by its file name, and goes on in a .jsonl of that name; the old file stays", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.makeDirectory(place.file(""), { recursive: true })
        yield* fs.writeFile(place.file("vieux.json"), stored("maia.json"))
        yield* fs.writeFileString(place.file("cassé.json"), "{")
        yield* place.run(
          Effect.gen(function* () {
            const sessions = yield* Sessions
            assert.deepStrictEqual((yield* sessions.list).map(({ name, legacy }) => [name, legacy]).sort(), [
              ["cassé", true],
              ["vieux", true]
            ])
            const session = yield* sessions.open({ name: "VIEUX", save: true })
            assert.strictEqual(session.header().startContext?.startsWith("## Contexte"), true)
            assert.strictEqual(session.file(), undefined)
            yield* session.append(message(user("suite")))
            assert.strictEqual((yield* Effect.flip(sessions.open({ name: "cassé", save: true }))).code, "unreadable")
          })
        )
        assert.isTrue(yield* fs.exists(place.file("vieux.json")))
        yield* place.run(
          Effect.gen(function* () {
            const sessions = yield* Sessions
            const view = yield* sessions.read("vieux")
            assert.strictEqual(textsOf(view.path).at(-1), "suite")
            assert.strictEqual((yield* sessions.list).length, 2)
          })
        )
      })
    )
  )

  it.effect("a .json file from anywhere is imported under a free name", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFile(`${place.folder}/old.json`, stored("maia.json"))
        yield* place.run(
          Effect.gen(function* () {
            const sessions = yield* Sessions
            assert.strictEqual(yield* sessions.importLegacy("old.json"), "old")
            assert.strictEqual(yield* sessions.importLegacy(`${place.folder}/old.json`), "old_2")
            assert.strictEqual((yield* Effect.flip(sessions.importLegacy("none.json"))).code, "unreadable")
          })
        )
      })
    )
  )
})
