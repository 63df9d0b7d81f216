/**
 * Reads a session's file into memory, with the lock when it is going to be written. Damage is repaired or set aside here, so
 * that what follows knows sound sessions only.
 */
import { Clock, Effect, Exit, FileSystem, Path, Random, Scope } from "effect"
import type { Config } from "../config/Config.ts"
import { SESSION_VERSION, type SessionHeader } from "../domain/entry.ts"
import { text, type Text } from "../domain/text.ts"
import type { Source } from "./catalog.ts"
import { decodeSession } from "./codec.ts"
import { diskProblem, SessionError } from "./errors.ts"
import { parseLegacy } from "./legacy.ts"
import { lockSession } from "./lock.ts"
import type { SessionFileOptions } from "./SessionFile.ts"
import { setTornAside } from "./sessionFiles.ts"
import { SessionTree } from "./SessionTree.ts"

export interface Loaded {
  readonly header: SessionHeader
  readonly tree: SessionTree
  /** Set when this process may go on writing to the file. */
  readonly existing: SessionFileOptions["existing"]
  /** Why the file may not be written, though that was wanted. */
  readonly notOurs: "in_use" | "newer" | undefined
  readonly warnings: ReadonlyArray<Text>
}

export const unreadable = (file: string, cause?: unknown): SessionError =>
  new SessionError({
    code: "unreadable",
    text: text(`${file} cannot be read as a session.`, `${file} ne se lit pas comme une session.`),
    ...(cause === undefined ? {} : { cause })
  })

export const notWritable = (cause: { readonly message: string }): SessionError =>
  cause instanceof SessionError
    ? cause
    : new SessionError({
        code: "not_writable",
        text: text(
          `The sessions folder cannot be written. (${diskProblem(cause).en})`,
          `Le dossier des sessions ne peut pas être écrit. (${diskProblem(cause).fr})`
        ),
        cause
      })

/** Stands in for a header that is lost: the same one at each reading, so that the entries keep their parent. */
const fallbackHeader = (config: Config["Service"]): SessionHeader => ({
  type: "header",
  version: SESSION_VERSION,
  id: "header",
  time: "",
  cwd: config.launchFolder
})

const readBytes = Effect.fnUntraced(
  function* (file: string) {
    const fs = yield* FileSystem.FileSystem
    const info = yield* fs.lstat(file)
    // A pipe would never end, and a link may lead anywhere.
    if (info.type !== "File") return yield* unreadable(file)
    return yield* fs.readFile(file)
  },
  Effect.catchTag("PlatformError", (error) => Effect.fail(unreadable(`${error.reason.message}`, error)))
)

/** MAIA's file as header and entries, not yet written anywhere. */
export const loadLegacy = Effect.fnUntraced(function* (config: Config["Service"], file: string) {
  const legacy = parseLegacy(new TextDecoder().decode(yield* readBytes(file)))
  if (legacy === undefined) return yield* unreadable(file)
  const now = new Date(yield* Clock.currentTimeMillis).toISOString()
  const time = legacy.created ?? now
  const header: SessionHeader = {
    type: "header",
    version: SESSION_VERSION,
    id: `maia-${(yield* Random.nextIntBetween(0, 0xffff_ffff)).toString(16)}`,
    time,
    cwd: config.launchFolder,
    ...(legacy.model === undefined ? {} : { model: legacy.model }),
    ...(legacy.startContext === undefined ? {} : { startContext: legacy.startContext }),
    ...(legacy.parentSession === undefined ? {} : { parentSession: legacy.parentSession })
  }
  const tree = new SessionTree(header)
  for (const [index, body] of legacy.bodies.entries()) {
    tree.add({ id: `m${index}`, parentId: tree.parentForNext, time, ...body })
  }
  const loaded: Loaded = { header, tree, existing: undefined, notOurs: undefined, warnings: [] }
  return loaded
})

const setAside = Effect.fnUntraced(function* (file: string, torn: Uint8Array, goodBytes: number) {
  const path = yield* Path.Path
  const now = yield* Clock.currentTimeMillis
  const aside = yield* setTornAside(file, torn, goodBytes, now.toString(36))
  return text(
    `The last line of the session was cut off; what there was of it is in ${path.basename(aside)}.`,
    `La dernière ligne de la session était coupée ; ce qu'il en restait est dans ${path.basename(aside)}.`
  )
})

/** All that was wrong with a file is said in one warning. */
const asOne = (warnings: ReadonlyArray<Text>): ReadonlyArray<Text> =>
  warnings.length < 2
    ? warnings
    : [text(warnings.map(({ en }) => en).join(" "), warnings.map(({ fr }) => fr).join(" "))]

/** A session file; `write` asks for the lock. */
export const loadFile = Effect.fnUntraced(function* (config: Config["Service"], source: Source, write: boolean) {
  const path = yield* Path.Path
  const scope = yield* Scope.make()
  return yield* Effect.gen(function* () {
    // Where no lock can be written the session cannot either: the first entry will say so.
    const unlocked = { release: Effect.void }
    const lock = write
      ? yield* lockSession(path.dirname(source.file), source.name, scope).pipe(
          Effect.catchTag("PlatformError", () => Effect.succeed(unlocked))
        )
      : undefined
    const bytes = yield* readBytes(source.file)
    const session = decodeSession(bytes, fallbackHeader(config))
    const warnings: Array<Text> = [...session.warnings]
    const { header, tree } = session
    const result = { header, tree }
    if (lock === undefined || session.isNewer) {
      yield* Scope.close(scope, Exit.void)
      const notOurs = !write ? undefined : lock === undefined ? ("in_use" as const) : ("newer" as const)
      const loaded: Loaded = { ...result, warnings: asOne(warnings), existing: undefined, notOurs }
      return loaded
    }
    let size = session.goodBytes
    let { lacksNewline } = session
    if (session.torn !== undefined) {
      const warning = yield* Effect.option(setAside(source.file, session.torn, session.goodBytes))
      if (warning._tag === "Some") warnings.push(warning.value)
      else {
        size = bytes.length
        lacksNewline = true
      }
    }
    const loaded: Loaded = {
      ...result,
      warnings: asOne(warnings),
      existing: { path: source.file, lock, scope, size, lacksNewline },
      notOurs: undefined
    }
    return loaded
  }).pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
})
