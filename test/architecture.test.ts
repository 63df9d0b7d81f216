/**
 * Holds the code to the map in `src/README.md`: which room may import which, no cycle between rooms, raw platform calls
 * only where they belong, and file sizes.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

const src = resolve(import.meta.dirname, "../src")

/** Rooms from the ground up: a room may import those before it, and what `also` names. Kept equal to `src/README.md`. */
const LEVELS: ReadonlyArray<ReadonlyArray<string>> = [
  ["domain"],
  ["config"],
  ["process"],
  ["llm", "permissions", "sessions", "stream-rules"],
  ["tools", "context", "testing"],
  ["extensions"],
  ["agent", "demo", "doctor"],
  ["tui", "eval"],
  ["cli"]
]

const level = (room: string): number => LEVELS.findIndex((rooms) => rooms.includes(room))

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ name: name.replaceAll("\\", "/"), source: readFileSync(join(src, name), "utf8") }))

const roomOf = (name: string): string => (name.includes("/") ? (name.split("/")[0] ?? "") : "")

const importsOf = (name: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, target]) =>
    relative(src, resolve(join(src, dirname(name)), target ?? "")).replaceAll("\\", "/")
  )

describe("architecture", () => {
  it("has a level for every room, and the map names every room", () => {
    const map = readFileSync(join(src, "README.md"), "utf8")
    for (const room of new Set(files.map(({ name }) => roomOf(name)).filter((room) => room !== ""))) {
      assert.notStrictEqual(level(room), -1, `no level for src/${room}`)
      assert.include(map, `\`${room}/\``, `src/README.md does not name ${room}/`)
    }
  })

  it("imports only rooms below", () => {
    const wrong: Array<string> = []
    for (const { name, source } of files) {
      const from = roomOf(name)
      if (from === "") continue
      for (const target of importsOf(name, source)) {
        const to = roomOf(target)
        if (target.startsWith("..") || to === from) continue
        if (to === "" || level(to) >= level(from)) wrong.push(`${name} imports ${target}`)
      }
    }
    assert.deepStrictEqual(wrong, [])
  })

  it("keeps raw platform calls in the rooms meant for them", () => {
    const raw =
      /\bprocess\.env\b|from "node:(?:fs|child_process|net|tls|http|https|os)(?:\/promises)?"|\bBun\.\w+\(|[^.\w]fetch\(/
    const wrong = files
      .filter(({ name }) => !/^(?:config|process)\//.test(name) && name !== "main.ts")
      .filter(({ source }) => raw.test(source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")))
      .map(({ name }) => name)
    assert.deepStrictEqual(wrong, [])
  })

  it("has no file of more than 400 lines that is not a table", () => {
    const long = files
      .filter(({ source }) => source.split("\n").length > 401 && !source.includes("Data only"))
      .map(({ name, source }) => `${name}: ${source.split("\n").length - 1} lines`)
    assert.deepStrictEqual(long, [])
  })

  it("starts every file with a comment that says what it is for", () => {
    const silent = files.filter(({ source }) => !source.startsWith("/**")).map(({ name }) => name)
    assert.deepStrictEqual(silent, [])
  })
})
