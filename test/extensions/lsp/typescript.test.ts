/**
 * The real typescript-language-server on typescript 5 (the native compiler of this repository has no such server). Both are
 * development dependencies; where they are not installed the suite says so.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { folders, type Folders } from "../support.ts"
import { callTool, load, withLsp } from "./support.ts"

const modules = resolve(import.meta.dirname, "../../../node_modules")
const server = resolve(modules, "typescript-language-server/lib/cli.mjs")
const tsserver = resolve(modules, "typescript-5/lib/tsserver.js")
const isInstalled = existsSync(server) && existsSync(tsserver)
if (!isInstalled) {
  console.warn("typescript-language-server or typescript 5 is not installed (bun install): its tests are skipped")
}

const settings = {
  typescript: { command: ["node", server, "--stdio"], initializationOptions: { tsserver: { path: tsserver } } }
}

const project = (at: Folders) => {
  at.write(
    "parent/project/tsconfig.json",
    '{ "compilerOptions": { "strict": true, "types": [], "module": "esnext", "moduleResolution": "bundler" }, "include": ["src"] }'
  )
  at.write(
    "parent/project/src/shape.ts",
    "export interface Shape {\n  readonly width: number\n}\n\nexport const area = (shape: Shape): number => shape.width ** 2\n"
  )
  at.write("parent/project/src/main.ts", 'import { area } from "./shape"\n\nconsole.log(area({ width: 2 }))\n')
}

describe.skipIf(!isInstalled)("typescript-language-server", () => {
  it.live(
    "definition, references, hover, symbols, and the errors of what was just written",
    () =>
      Effect.gen(function* () {
        const at = yield* folders
        project(at)
        yield* withLsp(
          at,
          settings,
          Effect.gen(function* () {
            yield* load
            const ask = (input: Readonly<Record<string, unknown>>) =>
              Effect.map(callTool("lsp", input), ({ text }) => text)
            assert.strictEqual(
              yield* ask({ operation: "definition", path: "src/main.ts", symbol: "area", line: 3 }),
              "src/shape.ts:5:14  export const area = (shape: Shape): number => shape.width ** 2"
            )
            const references = yield* ask({ operation: "references", path: "src/shape.ts", symbol: "area" })
            assert.deepStrictEqual(
              references.split("\n").map((line) => line.split("  ")[0]),
              ["src/shape.ts:5:14", "src/main.ts:1:10", "src/main.ts:3:13"]
            )
            assert.include(
              yield* ask({ operation: "hover", path: "src/main.ts", symbol: "area" }),
              "(shape: Shape) => number"
            )
            assert.include(
              yield* ask({ operation: "symbols", path: "src/shape.ts" }),
              "interface Shape 1:18\n  property width 2:12"
            )
            assert.include(yield* ask({ operation: "symbols", symbol: "Shape" }), "interface Shape src/shape.ts:1:")
            const wrong = yield* callTool("Write", {
              path: "src/new.ts",
              content: 'import { area } from "./shape"\n\nexport const x: string = area({ width: "2" })\n'
            })
            const problems = wrong.text.includes("finds in this file now")
              ? wrong.text
              : yield* ask({ operation: "diagnostics", path: "src/new.ts" })
            assert.include(problems, "3:14 error: Type 'number' is not assignable to type 'string'. [typescript 2322]")
            assert.include(problems, "error: Type 'string' is not assignable to type 'number'.")
          })
        )
      }),
    120_000
  )
})
