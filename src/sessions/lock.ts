/**
 * One writer per session. Each process puts a claim of its own in `.sessions/.locks`, then looks for claims of others on the
 * same session: who sees a running one gives up. As everyone claims before looking, two can both give up (and try again)
 * but never both win; a claim's file name is never used twice, so removing a dead one cannot hit a living one.
 */
import { Clock, Effect, FileSystem, Path, Predicate, Random, Scope } from "effect"
import { isRunning, ownIdentity, type ProcessIdentity } from "../config/processIdentity.ts"
import { foldName } from "./names.ts"

/** Milliseconds after which the claim of another host no longer counts. */
const FOREIGN_CLAIM_LIFE = 12 * 3_600_000

const TRIES = 4

interface Claim extends ProcessIdentity {
  readonly session: string
  /** Milliseconds since 1970. */
  readonly time: number
}

/** Beside a claim: the process has won. Until then it may still give up. */
const MARK = ".held"

const parseClaim = (json: string): Claim | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    if (!Predicate.isObject(value)) return undefined
    // JSON objects have string keys.
    const { session, host, pid, start, time } = value as Readonly<Record<string, unknown>>
    if (!Predicate.isString(session) || !Predicate.isString(host) || !Predicate.isString(start)) return undefined
    if (!Predicate.isNumber(pid) || !Predicate.isNumber(time)) return undefined
    return { session, host, pid, start, time }
  } catch {
    return undefined
  }
}

/** A short name for the session that fits in any file name. */
const keyOf = (session: string): string => {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(foldName(session))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return hash.toString(36)
}

export interface SessionLock {
  /** Removes the claim; doing it twice does no harm. */
  readonly release: Effect.Effect<void>
}

const FREE = "free"
const UNDECIDED = "undecided"
const HELD = "held"

const remove = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.ignore(fs.remove(file + MARK, { force: true }))
  yield* Effect.ignore(fs.remove(file, { force: true }))
})

/** What the others' claims say about the session. Claims of ended processes are removed on the way. */
const lookAround = Effect.fnUntraced(function* (folder: string, key: string, own: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const now = yield* Clock.currentTimeMillis
  const names = new Set(yield* fs.readDirectory(folder))
  let state: typeof FREE | typeof UNDECIDED | typeof HELD = FREE
  for (const name of names) {
    if (name === own || !name.startsWith(`${key}.`) || name.endsWith(MARK)) continue
    const file = path.join(folder, name)
    const json = yield* Effect.option(fs.readFileString(file))
    if (json._tag === "None") continue
    const claim = parseClaim(json.value)
    const isForeign = claim !== undefined && claim.host !== ownIdentity().host
    if (claim !== undefined && isRunning(claim) && !(isForeign && now - claim.time > FOREIGN_CLAIM_LIFE)) {
      if (names.has(name + MARK)) return HELD
      state = UNDECIDED
    } else yield* remove(file)
  }
  return state
})

/** Gives the claim its name only when it is whole, so that no reader sees half of one. */
const claim = Effect.fnUntraced(function* (folder: string, name: string, content: Claim) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const draft = path.join(folder, `draft.${name}`)
  yield* Effect.andThen(
    fs.writeFileString(draft, JSON.stringify(content), { flag: "wx", mode: 0o600 }),
    fs.rename(draft, path.join(folder, name))
  ).pipe(Effect.onError(() => Effect.ignore(fs.remove(draft, { force: true }))))
})

/**
 * Claims a session for this process until the scope closes or the claim is released. `undefined` when another one has it.
 * Fails only when the folder cannot be written; it must exist.
 */
export const lockSession = Effect.fnUntraced(function* (sessionsFolder: string, session: string, scope: Scope.Scope) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(sessionsFolder, ".locks")
  yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
  const key = keyOf(session)
  const identity = ownIdentity()
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const time = yield* Clock.currentTimeMillis
    const unique = (yield* Random.nextIntBetween(0, 0x7fff_ffff)).toString(36)
    const name = `${key}.${identity.pid}.${unique}${time.toString(36)}`
    const file = path.join(folder, name)
    const release = remove(file).pipe(Effect.provideService(FileSystem.FileSystem, fs), Effect.asVoid)
    const state = yield* Effect.gen(function* () {
      yield* claim(folder, name, { session, ...identity, time })
      const around = yield* lookAround(folder, key, name)
      if (around === FREE) {
        yield* fs.writeFileString(file + MARK, "", { flag: "wx", mode: 0o600 })
        yield* Scope.addFinalizer(scope, release)
      } else yield* release
      return around
    }).pipe(
      Effect.onError(() => release),
      Effect.uninterruptible
    )
    if (state === FREE) return { release }
    if (state === HELD) return undefined
    yield* Effect.sleep(yield* Random.nextIntBetween(5, 40))
  }
  return undefined
})
