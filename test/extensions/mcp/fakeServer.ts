/**
 * An MCP server over stdio that behaves as its arguments say: run by the tests with the runtime they run on.
 * `FILE` counts its starts, one line each.
 */
import { appendFileSync } from "node:fs"
import { createInterface } from "node:readline"

const [, , file = "", ...flags] = process.argv
const has = (flag: string): boolean => flags.includes(flag)
if (file !== "") appendFileSync(file, "start\n")

let tools: Array<Record<string, unknown>> = [
  {
    name: "echo",
    description: "Says it again",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] }
  },
  { name: "big", inputSchema: { type: "object" } },
  { name: "grow", inputSchema: { type: "object" } },
  { name: "crash", inputSchema: { type: "object" } },
  { name: "fail", inputSchema: { type: "object" } },
  { name: "slow", inputSchema: { type: "object" } }
]
if (has("odd")) tools.push({ name: "odd" }, { inputSchema: {} })
if (has("many")) tools = Array.from({ length: 5_000 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: "object" } }))
if (has("same-names"))
  tools.push({ name: "a.b", inputSchema: { type: "object" } }, { name: "a_b", inputSchema: { type: "object" } })

const send = (message: unknown): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...Object(message) })}\n`)
const text = (value: string) => ({ content: [{ type: "text", text: value }] })

if (has("noise")) process.stdout.write("this is no JSON-RPC\n")
if (has("crash-at-start")) {
  process.stderr.write("cannot find the database\n")
  process.exit(3)
}

const call = (id: unknown, name: string, args: Record<string, unknown>): void => {
  switch (name) {
    case "echo":
      return send({ id, result: text(String(args["text"])) })
    case "big":
      return send({ id, result: text("0123456789".repeat(500_000)) })
    case "grow":
      tools = [...tools, { name: "grown", inputSchema: { type: "object" } }]
      send({ method: "notifications/tools/list_changed" })
      return send({ id, result: text("grown") })
    case "crash":
      process.stderr.write("stack smashed\n")
      process.exit(9)
      return
    case "fail":
      return send({ id, result: { ...text("no such row"), isError: true } })
    case "slow":
      return
    default:
      return send({ id, error: { code: -32602, message: `no tool ${name}` } })
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  switch (method) {
    case "initialize":
      if (has("silent")) return
      return send({
        id,
        result: {
          protocolVersion: has("old") ? "2025-06-18" : params.protocolVersion,
          capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
          serverInfo: { name: "fake", version: "1" }
        }
      })
    case "tools/list":
      return send({ id, result: { tools } })
    case "tools/call":
      return call(id, params.name, params.arguments ?? {})
    case "resources/list":
      return send({ id, result: { resources: [{ uri: "note://one", name: "one" }] } })
    case "resources/read":
      return send({ id, result: { contents: [{ uri: params.uri, text: `content of ${params.uri}` }] } })
    case "prompts/list":
      return send({
        id,
        result: { prompts: [{ name: "greet", arguments: [{ name: "tone" }, { name: "who", required: true }] }] }
      })
    case "prompts/get": {
      const { tone = "plain", who } = params.arguments
      return send({
        id,
        result: { messages: [{ role: "user", content: { type: "text", text: `Greet ${who}, ${tone}.` } }] }
      })
    }
  }
})
process.stdin.on("end", () => process.exit(0))
