/**
 * The file behind one open session: made with the first content, one write call per entry, synced to the disk in the
 * background. Nothing here fails: a disk that is full or read-only is one warning, and every later entry tries again (spec 04,
 * fixed point 3). Knows lines, not entries.
 */
import { Effect, Exit, FileSystem, Option, Path, Scope, Semaphore } from "effect"
import type { Config } from "../config/Config.ts"
import { text, type Text } from "../domain/text.ts"
import { diskProblem, SessionError } from "./errors.ts"
import { fileServices } from "./fileServices.ts"
import { checkName, foldName, freeName } from "./names.ts"
import { claimFile, moveFile, takenNames, type HeldFile } from "./sessionFiles.ts"

/** Milliseconds between a write and its sync. */
const SYNC_DELAY = 500

export interface SessionFileOptions {
  readonly config: Config["Service"]
  readonly name: string
  readonly save: boolean
  /** The file to go on with, locked by this process. */
  readonly existing: (HeldFile & { readonly size: number; readonly lacksNewline: boolean }) | undefined
  /** A file of this name is no other session (the `.json` it is imported from). */
  readonly replaces: string | undefined
  /** All lines of the session, header first. */
  readonly lines: () => ReadonlyArray<string>
  readonly warn: (warning: Text) => void
}

export interface SessionFile {
  readonly name: () => string
  readonly path: () => string | undefined
  /** Takes a line that has just become one of `lines`. `content` makes the file when there is none yet. */
  readonly write: (line: string, content: boolean) => Effect.Effect<void>
  /** Makes the file now. */
  readonly create: Effect.Effect<void>
  readonly rename: (name: string) => Effect.Effect<string, SessionError>
  /** Writes what waits, then waits for the disk. */
  readonly sync: Effect.Effect<void>
}

const encoder = new TextEncoder()

const notSaved = (error: { readonly message: string }): Text => {
  const { en, fr } = diskProblem(error)
  return text(
    `The session cannot be saved; the conversation goes on without. (${en})`,
    `La session ne peut pas être enregistrée ; la conversation continue sans. (${fr})`
  )
}

const textOf = (error: SessionError | { readonly message: string }): Text =>
  error instanceof SessionError ? error.text : notSaved(error)

/** Lives until the scope closes, which writes what waits, syncs and gives the lock back. */
export const makeSessionFile = Effect.fnUntraced(function* (options: SessionFileOptions) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const scope = yield* Effect.scope
  const context = yield* fileServices
  const oneAtATime = yield* Semaphore.make(1)

  let name = options.name
  let held: HeldFile | undefined = options.existing
  let file: FileSystem.File | undefined
  /** Bytes of whole lines in the file; in an empty one the header is still to be written. */
  let size = options.existing?.size ?? 0
  let needsNewline = options.existing?.lacksNewline ?? false
  let waiting: Array<string> = []
  let isWanted = false
  let hasWarned = false
  let isSyncDue = false
  let isNew = false

  const warnOnce = (error: SessionError | { readonly message: string }): void => {
    if (hasWarned) return
    hasWarned = true
    options.warn(textOf(error))
  }

  const make = Effect.gen(function* () {
    const bytes = encoder.encode(options.lines().join(""))
    const made = yield* claimFile({ config: options.config, wanted: name, replaces: options.replaces, bytes })
    if (made.name !== name) {
      options.warn(
        text(`The session is saved as "${made.name}".`, `La session est enregistrée sous le nom « ${made.name} ».`)
      )
    }
    name = made.name
    held = made
    file = made.file
    size = bytes.length
    needsNewline = false
    waiting = []
    isNew = true
  })

  const openFile = Effect.gen(function* () {
    if (file !== undefined || held === undefined) return file
    const noFollow = options.config.platform !== "win32"
    file = yield* fs.open(held.path, { flag: "a", noFollow }).pipe(Scope.provide(held.scope))
    return file
  })

  /** Leaves the file as it was before, or with a broken piece that the next write puts on a line of its own. */
  const undoWrite = (open: FileSystem.File) =>
    open.truncate(size).pipe(
      Effect.catch(() =>
        Effect.sync(() => {
          needsNewline = true
        })
      )
    )

  const flush = Effect.gen(function* () {
    const open = waiting.length === 0 ? undefined : yield* openFile
    if (open === undefined) return
    const bytes = encoder.encode((needsNewline ? "\n" : "") + (size === 0 ? options.lines() : waiting).join(""))
    let written = yield* open.write(bytes).pipe(Effect.tapError(() => undoWrite(open)))
    if (written < bytes.length) {
      yield* open.writeAll(bytes.subarray(written)).pipe(Effect.tapError(() => undoWrite(open)))
      written = bytes.length
    }
    size += written
    needsNewline = false
    waiting = []
  })

  /** The folder or the file was removed, or replaced by another one: all is written again. */
  const restoreLost = Effect.gen(function* () {
    if (held === undefined || file === undefined) return
    const here = yield* Effect.option(fs.stat(held.path))
    const ours = yield* file.stat
    const isSame =
      here._tag === "Some" &&
      here.value.dev === ours.dev &&
      Option.getOrUndefined(here.value.ino) === Option.getOrUndefined(ours.ino)
    if (isSame) return
    yield* Scope.close(held.scope, Exit.void)
    held = undefined
    file = undefined
    isWanted = true
    yield* make
  })

  const syncFolder = (folder: string) =>
    Effect.ignore(Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), (open) => open.sync)))

  const withFailuresKept = <E extends { readonly message: string }>(
    effect: Effect.Effect<void, E | SessionError, FileSystem.FileSystem | Path.Path>
  ) =>
    effect.pipe(
      Effect.catch((error) => Effect.sync(() => warnOnce(error))),
      Effect.provideContext(context),
      Effect.uninterruptible
    )

  const sync = Effect.gen(function* () {
    isSyncDue = false
    yield* oneAtATime.withPermits(1)(withFailuresKept(Effect.andThen(flush, restoreLost)))
    if (file === undefined || held === undefined) return
    yield* file.sync.pipe(Effect.catch((error) => Effect.sync(() => warnOnce(error))))
    if (isNew) yield* syncFolder(path.dirname(held.path))
    isNew = false
  })

  const syncSoon = Effect.suspend(() => {
    if (isSyncDue || file === undefined) return Effect.void
    isSyncDue = true
    return Effect.forkIn(Effect.andThen(Effect.sleep(SYNC_DELAY), sync), scope)
  })

  const create = Effect.suspend(() => {
    isWanted = true
    return options.save && held === undefined ? withFailuresKept(make) : Effect.void
  })

  const write = Effect.fnUntraced(function* (line: string, content: boolean) {
    if (!options.save) return
    if (held === undefined) {
      if (!content && !isWanted) return
      yield* oneAtATime.withPermits(1)(create)
    } else {
      waiting.push(line)
      yield* oneAtATime.withPermits(1)(withFailuresKept(flush))
    }
    yield* syncSoon
  })

  const rename = Effect.fnUntraced(
    function* (typed: string) {
      const checked = checkName(typed)
      if ("problem" in checked) return yield* new SessionError({ code: "invalid_name", text: checked.problem })
      if (checked.name === name) return name
      if (held === undefined || !options.save) {
        const taken = options.save ? yield* takenNames(path.join(options.config.projectDir, ".sessions")) : new Set()
        name = freeName(checked.name, (candidate) => taken.has(foldName(candidate)))
        return name
      }
      const moved = yield* moveFile(held, name, checked.name)
      name = moved.name
      held = moved
      return name
    },
    oneAtATime.withPermits(1),
    Effect.catchTag("PlatformError", (error) =>
      Effect.fail(new SessionError({ code: "not_writable", text: notSaved(error), cause: error }))
    ),
    Effect.provideContext(context)
  )

  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      yield* sync
      if (held !== undefined) yield* Scope.close(held.scope, Exit.void)
    })
  )

  const result: SessionFile = {
    name: () => name,
    path: () => held?.path,
    write,
    create: oneAtATime.withPermits(1)(create),
    rename,
    sync
  }
  return result
})
