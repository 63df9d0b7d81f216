import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { McpServers } from "../../../src/extensions/mcp/McpServers.ts"
import { folders } from "../support.ts"
import { callTool, loaded, withServers } from "./support.ts"

const root = resolve(import.meta.dirname, "../../..")

describe("the example server", () => {
  it.live("keeps notes that can be listed and read", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const { mcpServers } = JSON.parse(readFileSync(resolve(root, "examples/mcp/settings.json"), "utf8"))
      const { notes } = mcpServers
      assert.strictEqual(notes.command, "node")
      const own = { ...notes, command: process.execPath, cwd: root }
      yield* withServers(
        at,
        { notes: own },
        Effect.gen(function* () {
          yield* loaded
          assert.strictEqual((yield* callTool("mcp__notes__titles", {})).text, "There are no notes.")
          yield* callTool("mcp__notes__keep", { title: "a b", text: "remember é" })
          assert.strictEqual((yield* callTool("mcp__notes__titles", {})).text, "a b")
          const servers = yield* McpServers
          assert.strictEqual(yield* servers.read("notes", "note://a%20b"), "remember é")
        })
      )
    }).pipe(Effect.scoped)
  )
})
