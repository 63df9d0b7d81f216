/** Servers that were not written for maia: the reference ones of the protocol's authors. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:net"
import { resolve } from "node:path"
import { McpServers } from "../../../src/extensions/mcp/McpServers.ts"
import { folders } from "../support.ts"
import { callTool, loaded, toolNames, until, withServers } from "./support.ts"

const program = (name: string) => resolve(import.meta.dirname, "../../../node_modules/.bin", name)
const everything = (...args: ReadonlyArray<string>) => ({
  command: process.execPath,
  args: [program("mcp-server-everything"), ...args]
})

const freePort = Effect.promise(
  () =>
    new Promise<number>((done) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const address = server.address()
        server.close(() => done(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
)

describe("the server that shows everything", () => {
  it.live("over stdio: tools, images, structured results, prompts and resources", () =>
    Effect.gen(function* () {
      const at = yield* folders
      yield* withServers(
        at,
        { all: everything() },
        Effect.gen(function* () {
          yield* loaded
          const servers = yield* McpServers
          yield* servers.start()
          assert.include(yield* toolNames, "mcp__all__get-sum")
          assert.include((yield* callTool("mcp__all__get-sum", { a: 2, b: 40 })).text, "42")
          const image = yield* callTool("mcp__all__get-tiny-image", {})
          assert.strictEqual(image.attachments?.[0]?.mediaType, "image/png")
          assert.include(
            (yield* callTool("mcp__all__get-structured-content", { location: "Chicago" })).text,
            "temperature"
          )
          const wrong = yield* callTool("mcp__all__get-sum", { a: "x" })
          assert.isTrue(wrong.isError)
          assert.include(
            (yield* servers.prompts("all")).map(({ name }) => name),
            "args-prompt"
          )
          assert.include(yield* servers.prompt("all", "args-prompt", ["Paris"]), "Paris")
          const [resource] = yield* servers.resources("all")
          assert.isNotEmpty((yield* servers.read("all", resource?.uri ?? "")) ?? "")
        })
      )
    }).pipe(Effect.scoped)
  )

  it.live("over streamable HTTP", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const port = yield* freePort
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.spawn([process.execPath, program("mcp-server-everything"), "streamableHttp"], {
            env: { PATH: process.env["PATH"], PORT: String(port) },
            stdio: ["ignore", "ignore", "pipe"]
          })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      assert.isUndefined(server.exitCode ?? undefined)
      const url = `http://127.0.0.1:${port}/mcp`
      yield* until(
        Effect.promise(() =>
          fetch(url).then(
            () => true,
            () => false
          )
        )
      )
      yield* withServers(
        at,
        { all: { url } },
        Effect.gen(function* () {
          yield* loaded
          yield* Effect.flatMap(McpServers, (servers) => servers.start())
          assert.strictEqual((yield* callTool("mcp__all__echo", { message: "hello" })).text, "Echo: hello")
        })
      )
    }).pipe(Effect.scoped)
  )
})

describe("the file system server", () => {
  it.live("writes and reads in the folder it is given, and nowhere else", () =>
    Effect.gen(function* () {
      const at = yield* folders
      yield* withServers(
        at,
        { files: { command: process.execPath, args: [program("mcp-server-filesystem"), at.project] } },
        Effect.gen(function* () {
          yield* loaded
          yield* Effect.flatMap(McpServers, (servers) => servers.start())
          const path = `${at.project}/a.txt`
          assert.isUndefined((yield* callTool("mcp__files__write_file", { path, content: "é\n" })).isError)
          assert.include((yield* callTool("mcp__files__read_text_file", { path })).text, "é")
          const outside = yield* callTool("mcp__files__read_text_file", { path: "/etc/passwd" })
          assert.isTrue(outside.isError)
        })
      )
    }).pipe(Effect.scoped)
  )
})
