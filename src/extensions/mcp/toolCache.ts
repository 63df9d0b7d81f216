/**
 * The tools a server had when it last answered, kept for the next start (spec 08, "slow start never delays the prompt"): they
 * are declared at once, and the server is started when one of them is called. Named after the server's settings, so that
 * another command or address is another cache. Never fails: without it maia is only slower.
 */
import { createHash } from "node:crypto"
import { Clock, Effect, FileSystem, Path, Schema } from "effect"
import type { ServerSettings } from "./serverSettings.ts"

/** One tool of a server, as it says. */
export const RemoteTool = Schema.Struct({
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  inputSchema: Schema.Record(Schema.String, Schema.Unknown)
})
export type RemoteTool = typeof RemoteTool.Type

const Kept = Schema.Struct({
  /** Milliseconds since the epoch. */
  time: Schema.Finite,
  /** Absent: it could not be started. */
  tools: Schema.optionalKey(Schema.Array(RemoteTool))
})
export type Kept = typeof Kept.Type

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Kept))

/** Bytes; more than this is no list of tools that anybody wants to send. */
const LARGEST = 4_000_000

export const readKept = Effect.fn("Mcp.readKept")(
  function* (cacheDir: string, server: ServerSettings, launchFolder: string) {
    const fs = yield* FileSystem.FileSystem
    const file = yield* fileOf(cacheDir, server, launchFolder)
    if (Number((yield* fs.stat(file)).size) > LARGEST) return undefined
    return yield* decode(yield* fs.readFileString(file))
  },
  Effect.orElseSucceed(() => undefined)
)

export const writeKept = Effect.fn("Mcp.writeKept")(
  function* (
    cacheDir: string,
    server: ServerSettings,
    launchFolder: string,
    tools: ReadonlyArray<RemoteTool> | undefined
  ) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const file = yield* fileOf(cacheDir, server, launchFolder)
    const time = yield* Clock.currentTimeMillis
    yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
    const temporary = `${file}.${process.pid}`
    const kept = tools === undefined ? { time } : { time, tools: tools.map(plain) }
    yield* fs.writeFileString(temporary, JSON.stringify(kept), { mode: 0o600 })
    yield* fs.rename(temporary, file)
  },
  (write) => Effect.ignore(write)
)

export const plain = ({ description, inputSchema, name }: RemoteTool): RemoteTool => ({
  name,
  ...(description === undefined ? {} : { description }),
  inputSchema
})

const fileOf = Effect.fnUntraced(function* (cacheDir: string, server: ServerSettings, launchFolder: string) {
  const path = yield* Path.Path
  // A server may offer other tools in another folder. The environment may hold keys: it goes in as a digest only.
  const name = createHash("sha256")
    .update(JSON.stringify([server, launchFolder]))
    .digest("hex")
    .slice(0, 32)
  return path.join(cacheDir, "mcp", `${name}.json`)
})
