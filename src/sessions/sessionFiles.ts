/**
 * The files of the sessions folder: which names are taken, making one under a free name, moving one, setting a torn end aside.
 * Every file is made and moved under the lock of its name.
 */
import { Effect, Exit, FileSystem, Path, Scope } from "effect"
import type { Config } from "../config/Config.ts"
import { lockSession, type SessionLock } from "./lock.ts"
import { foldName, freeName } from "./names.ts"
import { makeOwnFolder } from "./ownFolder.ts"

export const FOLDER = ".sessions"
export const EXTENSION = ".jsonl"

/** A session file that this process has locked. */
export interface HeldFile {
  readonly path: string
  readonly lock: SessionLock
  /** Gives the lock back, and closes what was opened in it. */
  readonly scope: Scope.Closeable
}

/** A file that is locked for as long as a scope is open. */
type MovableFile<S extends Scope.Scope> = Omit<HeldFile, "scope"> & { readonly scope: S }

/** Name of the session in a file of this name; undefined for other files. MAIA's `.json` files count. */
export const sessionOf = (fileName: string): { readonly name: string; readonly legacy: boolean } | undefined => {
  if (fileName.startsWith(".")) return undefined
  if (fileName.endsWith(EXTENSION)) return { name: fileName.slice(0, -EXTENSION.length), legacy: false }
  return fileName.endsWith(".json") ? { name: fileName.slice(0, -5), legacy: true } : undefined
}

/** Folded names of the sessions in a folder; empty when there is no such folder. */
export const takenNames = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const files = yield* fs.readDirectory(folder).pipe(Effect.orElseSucceed((): Array<string> => []))
  return new Set(
    files.flatMap((file) => {
      const session = sessionOf(file)
      return session === undefined ? [] : [foldName(session.name)]
    })
  )
})

/** Runs `attempt` with one free name after the other until it gives something. */
const untilFree = Effect.fnUntraced(function* <A, E, R>(
  wanted: string,
  taken: Set<string>,
  attempt: (name: string) => Effect.Effect<A | undefined, E, R>
) {
  for (;;) {
    const name = freeName(wanted, (candidate) => taken.has(foldName(candidate)))
    const made = yield* attempt(name)
    if (made !== undefined) return made
    taken.add(foldName(name))
  }
})

/** Opens a file that must not exist yet; undefined when it does. */
const openNew = Effect.fnUntraced(function* (target: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs
    .open(target, { flag: "ax", mode: 0o600 })
    .pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.undefined))
})

/** Makes a session file under the first free name and writes it; nothing is left behind when that fails. */
export const claimFile = Effect.fnUntraced(function* (options: {
  readonly config: Config["Service"]
  readonly wanted: string
  readonly replaces: string | undefined
  readonly bytes: Uint8Array
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* makeOwnFolder(options.config, FOLDER)
  const taken = yield* takenNames(folder)
  if (options.replaces !== undefined) taken.delete(foldName(options.replaces))
  const scope = yield* Scope.make()
  const attempt = Effect.fnUntraced(function* (name: string) {
    const lock = yield* lockSession(folder, name, scope)
    if (lock === undefined) return undefined
    const target = path.join(folder, name + EXTENSION)
    const file = yield* openNew(target).pipe(Scope.provide(scope))
    if (file === undefined) {
      yield* lock.release
      return undefined
    }
    yield* file.writeAll(options.bytes).pipe(Effect.onError(() => Effect.ignore(fs.remove(target))))
    return { name, path: target, file, lock, scope }
  })
  return yield* untilFree(options.wanted, taken, attempt).pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
})

/** Moves a session's file to another name, or the next free one; an existing file is never overwritten. */
export const moveFile = Effect.fnUntraced(function* <S extends Scope.Scope>(
  held: MovableFile<S>,
  from: string,
  wanted: string,
  extension = EXTENSION
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(held.path)
  const taken = yield* takenNames(folder)
  taken.delete(foldName(from))
  const attempt = Effect.fnUntraced(function* (name: string) {
    const target = path.join(folder, name + extension)
    if (foldName(name) === foldName(from)) {
      // The lock does not look at case, and where the file system does not either, the two names are one file.
      if ((yield* fs.readDirectory(folder)).includes(name + extension)) return undefined
      yield* fs.rename(held.path, target)
      return { name, path: target, lock: held.lock, scope: held.scope }
    }
    const lock = yield* lockSession(folder, name, held.scope)
    if (lock === undefined) return undefined
    // The name is reserved first, because renaming alone would overwrite.
    const reserved = yield* Effect.scoped(openNew(target))
    if (reserved === undefined) {
      yield* lock.release
      return undefined
    }
    yield* fs
      .rename(held.path, target)
      .pipe(Effect.onError(() => Effect.andThen(Effect.ignore(fs.remove(target)), lock.release)))
    yield* held.lock.release
    return { name, path: target, lock, scope: held.scope }
  })
  return yield* untilFree(wanted, taken, attempt)
})

/**
 * Keeps the unfinished end of a session file in a file of its own and cuts it off, so that the next line starts on its own.
 * Path of that file. The session must be locked.
 */
export const setTornAside = Effect.fnUntraced(function* (
  file: string,
  torn: Uint8Array,
  goodBytes: number,
  stamp: string
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const present = new Set(yield* fs.readDirectory(path.dirname(file)))
  const name = freeName(`${path.basename(file, EXTENSION)}.${stamp}`, (candidate) => present.has(`${candidate}.torn`))
  const aside = path.join(path.dirname(file), `${name}.torn`)
  yield* fs.writeFile(aside, torn, { flag: "wx", mode: 0o600 })
  yield* fs.truncate(file, goodBytes)
  return aside
})
