/**
 * What the user types for MCP servers (spec 08): `/mcp__server__prompt arguments` is the text of a prompt, `@server:uri` brings a
 * resource in, as data. Only names of servers in the settings count: anything else stays what it is.
 */
import { Effect } from "effect"
import { text, type Text } from "../../domain/text.ts"
import { cutMiddle, presentAsData } from "../../tools/mentionSyntax.ts"
import { MAX_FILE_CHARACTERS } from "../../tools/mentions.ts"
import { McpServers } from "./McpServers.ts"

const PROMPT = /^\/mcp__([A-Za-z0-9_-]+?)__(\S+)(?:\s+([\s\S]*))?$/

/** Undefined where it is no prompt of a server; a failure where the server has none of this name or cannot be asked. */
export const mcpPrompt = Effect.fn("mcpPrompt")(function* (typed: string) {
  const [, server, name, args = ""] = PROMPT.exec(typed.trim()) ?? []
  if (server === undefined || name === undefined) return undefined
  const servers = yield* McpServers
  if (!(yield* servers.status).some((one) => one.name === server)) return undefined
  return yield* servers.prompt(server, name, wordsOf(args))
})

/** Words; quotes hold several together. */
const wordsOf = (args: string): ReadonlyArray<string> =>
  [...args.matchAll(/([\w-]+=)?(?:"([^"]*)"|'([^']*)'|(\S+))/g)].map(
    ([, key = "", double, single, bare]) => `${key}${double ?? single ?? bare ?? ""}`
  )

const RESOURCE = /(?<=^|\s)@([A-Za-z0-9_-]{1,40}):(?=\S)([^\s'"]*[^\s'",.;!?)])/g

export interface BroughtResources {
  /** For the model, in the order of the references. */
  readonly blocks: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<Text>
  /** The references, as typed: they name no files. */
  readonly taken: ReadonlyArray<string>
}

/** Never fails: what cannot be read is a warning. */
export const mcpResources = Effect.fn("mcpResources")(function* (typed: string) {
  const found = [...typed.matchAll(RESOURCE)]
  const nothing: BroughtResources = { blocks: [], warnings: [], taken: [] }
  if (found.length === 0) return nothing
  const servers = yield* McpServers
  const known = new Set((yield* servers.status).map(({ name }) => name))
  const wanted = new Map(found.filter(([, server = ""]) => known.has(server)).map((match) => [match[0], match]))
  const blocks: Array<string> = []
  const warnings: Array<Text> = []
  for (const [whole, [, server = "", uri = ""]] of wanted) {
    const read = yield* Effect.result(servers.read(server, uri))
    if (read._tag === "Failure") warnings.push(notRead(whole, read.failure.text))
    else if (read.success !== undefined) {
      blocks.push(presentAsData(`Resource ${uri} of ${server}.`, cutMiddle(read.success, MAX_FILE_CHARACTERS)))
    }
  }
  const brought: BroughtResources = { blocks, warnings, taken: [...wanted.keys()] }
  return brought
})

const notRead = (reference: string, why: Text): Text =>
  text(`${reference} was not brought in: ${why.en}`, `${reference} n'a pas été joint : ${why.fr}`)
