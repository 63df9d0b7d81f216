/**
 * The lsp tool (spec 08): what a language server knows of the code. Reads only; rules for Read speak for it too. Positions are
 * said by the line and the name that stands there, which small models get right more often than columns.
 */
import { Effect, FileSystem, Path, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { Config } from "../../config/Config.ts"
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from "../../domain/tool.ts"
import { isInside } from "../../permissions/paths.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { defineTool } from "../../tools/defineTool.ts"
import { FilePaths } from "../../tools/files/filePath.ts"
import { at, diagnosticLines, findSymbol, hoverTextLimit, kindOf, limited, oneLine, symbolTree } from "./format.ts"
import type { LspFailure } from "./JsonRpc.ts"
import { uriOf } from "./LspClient.ts"
import { LspServers, type OpenFile } from "./LspServers.ts"
import { documentSymbolsOf, hoverText, placesOf, symbolInformationOf, type Place } from "./protocol.ts"

const OPERATIONS = ["definition", "references", "symbols", "hover", "diagnostics"] as const

const Input = Schema.Struct({
  operation: Schema.Literals(OPERATIONS),
  path: Schema.optionalKey(Schema.String),
  line: Schema.optionalKey(Schema.Finite),
  symbol: Schema.optionalKey(Schema.String)
})
type Input = typeof Input.Type

const MAX_PLACES = 50
/** Files whose lines are shown beside the places. */
const MAX_EXCERPTS = 20
/** Milliseconds a server gets to name problems. */
const DIAGNOSTICS = { first: 10_000, quiet: 1_500, settle: 500 }

export const makeLspTool: Effect.Effect<
  Tool,
  never,
  LspServers | FilePaths | Permissions | Config | FileSystem.FileSystem | Path.Path
> = Effect.gen(function* () {
  const servers = yield* LspServers
  const paths = yield* FilePaths
  const permissions = yield* Permissions
  const { launchFolder } = yield* Config
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  const shown = (file: string): string => (isInside(file, launchFolder) ? path.relative(launchFolder, file) : file)

  /** A line of a file that the model may read anyway. */
  const lineReader = () => {
    const files = new Map<string, ReadonlyArray<string>>()
    return Effect.fnUntraced(function* (file: string, line: number) {
      const known = files.get(file)
      if (known === undefined && files.size < MAX_EXCERPTS) files.set(file, yield* readable(file))
      return oneLine(files.get(file)?.[line] ?? "").slice(0, 200)
    })
  }

  const readable = Effect.fnUntraced(function* (file: string) {
    if (!isInside(file, launchFolder)) return []
    const { decision, rule } = yield* permissions.decide({ tool: "Read", input: { path: file }, fallback: "ask" })
    if (decision === "deny" || (decision === "ask" && rule !== undefined)) return []
    const content = yield* Effect.option(fs.readFileString(file))
    return content._tag === "Some" ? content.value.split("\n") : []
  })

  const describePlaces = Effect.fnUntraced(function* (places: ReadonlyArray<Place>) {
    const read = lineReader()
    const lines: Array<string> = []
    for (const { range, uri } of places.slice(0, MAX_PLACES)) {
      const file = filePath(uri)
      if (file === undefined) lines.push(uri)
      else lines.push(`${shown(file)}:${at(range.start)}  ${yield* read(file, range.start.line)}`.trimEnd())
    }
    return limited([...lines, ...places.slice(MAX_PLACES).map(() => "")], MAX_PLACES)
  })

  const atSymbol = Effect.fnUntraced(function* (input: Input, open: OpenFile, file: string) {
    const { line, symbol } = input
    if (symbol === undefined || symbol.trim() === "") {
      return yield* new ToolFailure({
        message: `"symbol" is missing: the name in ${input.path} that ${input.operation} is asked of.`
      })
    }
    const position = findSymbol(open.content, symbol, line)
    if (position === undefined) {
      const there =
        line === undefined
          ? ""
          : `; line ${line} is: ${oneLine(open.content.split("\n")[line - 1] ?? "").slice(0, 200)}`
      return yield* new ToolFailure({
        message: `${JSON.stringify(symbol)} does not stand ${line === undefined ? "in" : `on line ${line} of`} ${input.path}${there}.`
      })
    }
    return { textDocument: { uri: uriOf(file) }, position }
  })

  const workspaceSymbols = Effect.fnUntraced(function* (query: string) {
    const found: Array<string> = []
    for (const definition of yield* servers.usable) {
      const client = yield* servers.running(definition)
      const answer = yield* client.request("workspace/symbol", { query })
      for (const { containerName, kind, location, name } of symbolInformationOf(answer)) {
        const file = filePath(location.uri)
        const place = file === undefined ? location.uri : shown(file)
        const where = location.range === undefined ? place : `${place}:${at(location.range.start)}`
        const within =
          containerName === undefined || containerName === null || containerName === "" ? "" : ` (${containerName})`
        found.push(`${kindOf(kind)} ${name}${within} ${where}`)
      }
    }
    return found.length === 0 ? `No symbol matches ${JSON.stringify(query)}.` : limited(found, MAX_PLACES)
  })

  const inFile = Effect.fnUntraced(function* (input: Input, given: string, context: ToolContext) {
    const file = yield* paths.judged(given, context)
    const open = yield* servers.open(file)
    const { client, isNews } = open
    switch (input.operation) {
      case "diagnostics": {
        const found = yield* client.diagnostics(file, isNews, DIAGNOSTICS)
        if (found === undefined) return `${open.server} has said nothing about ${given} yet; ask again later.`
        return found.length === 0 ? `${open.server} finds no problem in ${given}.` : diagnosticLines(found)
      }
      case "symbols": {
        const answer = yield* client.request("textDocument/documentSymbol", { textDocument: { uri: uriOf(file) } })
        const tree = symbolTree(documentSymbolsOf(answer))
        if (tree !== "") return tree
        const flat = symbolInformationOf(answer).map(
          ({ kind, location, name }) =>
            `${kindOf(kind)} ${name}${location.range === undefined ? "" : ` ${at(location.range.start)}`}`
        )
        return flat.length === 0 ? `${given} has no symbols.` : limited(flat, MAX_PLACES)
      }
      case "hover": {
        const answer = yield* client.request("textDocument/hover", yield* atSymbol(input, open, file))
        const text = hoverText(answer)
        return text === "" ? `${open.server} says nothing of ${input.symbol} there.` : hoverTextLimit(text)
      }
      case "definition":
      case "references": {
        const position = yield* atSymbol(input, open, file)
        const params =
          input.operation === "references" ? { ...position, context: { includeDeclaration: true } } : position
        const places = placesOf(yield* client.request(`textDocument/${input.operation}`, params))
        return places.length === 0 ? `No ${input.operation} of ${input.symbol} found.` : yield* describePlaces(places)
      }
    }
  })

  const run = Effect.fn("Lsp.run")(function* (
    input: Input,
    context: ToolContext
  ): Effect.fn.Return<ToolOutput, ToolFailure> {
    const { path: given, symbol = "" } = input
    const work =
      given !== undefined && given !== ""
        ? inFile(input, given, context)
        : input.operation === "symbols" && symbol !== ""
          ? workspaceSymbols(symbol)
          : Effect.fail(
              new ToolFailure({ message: `"path" is missing: the file that ${input.operation} is asked of.` })
            )
    const answer = yield* Effect.result(
      work.pipe(Effect.catchTag("LspFailure", (failure) => toFailure(failure, given)))
    )
    if (answer._tag === "Failure") return yield* answer.failure
    return { text: answer.success }
  })

  return defineTool({
    name: "lsp",
    description:
      "Asks a language server about code: definition, references or hover of a symbol (give path, symbol, and the line where it stands), symbols of a file (path) or of the whole project (symbol only), diagnostics of a file (path). More exact than Grep for names.",
    parameters: {
      type: "object",
      properties: {
        operation: { type: "string", enum: OPERATIONS },
        path: { type: "string" },
        line: { type: "number", description: "From 1" },
        symbol: { type: "string", description: "The name as it is written" }
      },
      required: ["operation"]
    },
    schema: Input,
    permission: "ask",
    hints: {
      aliases: {
        operation: ["action", "command", "op", "method"],
        path: ["file_path", "file", "filePath", "filename"],
        line: ["line_number", "lineNumber"],
        symbol: ["name", "query", "identifier"]
      }
    },
    run
  })
})

const toFailure = ({ message }: LspFailure, given: string | undefined) =>
  Effect.fail(
    new ToolFailure({
      message: `[lsp: no answer${given === undefined ? "" : ` for ${given}`}: ${message}. Use Grep and Read instead.]`
    })
  )

/** Undefined for what is no file on this machine. */
const filePath = (uri: string): string | undefined => {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}
