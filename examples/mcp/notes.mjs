/**
 * The smallest useful MCP server: notes that live as long as it runs. Speaks over stdio, needs nothing but Node or Bun. Named in
 * the settings as in `settings.json` beside it.
 */
import { createInterface } from "node:readline"

/** @type {Map<string, string>} */
const notes = new Map()

const tools = [
  {
    name: "keep",
    description: "Keep a note under a title; an earlier one of this title is replaced.",
    inputSchema: {
      type: "object",
      properties: { title: { type: "string" }, text: { type: "string" } },
      required: ["title", "text"]
    }
  },
  { name: "titles", description: "Titles of all notes.", inputSchema: { type: "object" } }
]

/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
/** @param {string} text */
const said = (text) => ({ content: [{ type: "text", text }] })

/** @type {Record<string, (params: any) => object>} */
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: "notes", version: "1.0.0" }
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ arguments: given, name }) => {
    if (name === "titles") return said([...notes.keys()].join("\n") || "There are no notes.")
    notes.set(given.title, given.text)
    return said(`Kept: ${given.title}`)
  },
  "resources/list": () => ({
    resources: [...notes.keys()].map((title) => ({ uri: `note://${encodeURIComponent(title)}`, name: title }))
  }),
  "resources/read": ({ uri }) => {
    const text = notes.get(decodeURIComponent(uri.slice("note://".length)))
    if (text === undefined) throw new Error(`there is no ${uri}`)
    return { contents: [{ uri, text }] }
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  const answer = answers[method]
  if (id === undefined) return
  if (answer === undefined) return send({ id, error: { code: -32601, message: `unknown method ${method}` } })
  try {
    send({ id, result: answer(params) })
  } catch (error) {
    send({ id, error: { code: -32602, message: error instanceof Error ? error.message : String(error) } })
  }
})
