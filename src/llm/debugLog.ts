/**
 * The raw exchange with the server in a file (spec 01, MAIA §7.1): `MAIA_DEBUG_LLM=1`, or a path. Mode 0600, the key
 * masked. Never fails a request: a file that cannot be written turns it off.
 */
import { Clock, DateTime, Effect, FileSystem, Path, Redacted, type Scope } from "effect"
import type { Config } from "../config/Config.ts"
import { KeyMask, maskKey } from "./keyMask.ts"

/** The log of one exchange. */
export interface ExchangeLog {
  readonly request: (url: string, body: string) => Effect.Effect<void>
  readonly response: (status: number, headers: Readonly<Record<string, string | undefined>>) => Effect.Effect<void>
  readonly bytes: (bytes: Uint8Array) => Effect.Effect<void>
}

/** Path of the file, or undefined where no one asked for it. */
export const debugFile = (config: Config["Service"], path: Path.Path): string | undefined => {
  const wanted = config.env["MAIA_DEBUG_LLM"]
  if (wanted === undefined || wanted === "" || wanted === "0" || wanted === "false") return undefined
  if (wanted !== "1" && wanted !== "true") return path.resolve(config.launchFolder, wanted)
  const temporary = config.env["TMPDIR"] ?? config.env["TEMP"] ?? config.env["TMP"] ?? "/tmp"
  return path.join(temporary, "maia-llm-debug.log")
}

/** Opens the log of one exchange; undefined when the file cannot be had. The file is closed with the scope. */
export const openExchangeLog = (
  file: string,
  apiKey: Redacted.Redacted<string> | undefined
): Effect.Effect<ExchangeLog | undefined, never, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    // In a shared temporary folder the name could be someone's link.
    const open = yield* fs.open(file, { flag: "a", mode: 0o600, noFollow: true })
    yield* fs.chmod(file, 0o600)
    const key = apiKey === undefined ? "" : Redacted.value(apiKey)
    const mask = new KeyMask(key)
    const encoder = new TextEncoder()
    const write = (text: string) => (text === "" ? Effect.void : Effect.ignore(open.writeAll(encoder.encode(text))))
    yield* Effect.addFinalizer(() => write(`${mask.end()}\n`))
    return {
      request: (url, body) =>
        Effect.gen(function* () {
          const time = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
          yield* write(maskKey(`\n=== ${time} POST ${url}\n${body}\n`, key))
        }),
      response: (status, headers) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value ?? ""}\n`)
        return write(maskKey(`--- ${status}\n${lines.join("")}\n`, key))
      },
      bytes: (bytes) => write(mask.push(bytes))
    } satisfies ExchangeLog
  }).pipe(Effect.orElseSucceed(() => undefined))
