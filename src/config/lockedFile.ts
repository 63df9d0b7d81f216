/**
 * Changes one small file that several instances of maia share: under a lock, on what the file holds now, in one step
 * (field case D11). Readers need no lock: they see the old content or the new one. Raw `node:fs`: hard links with an
 * exclusive name, `fsync`, and a critical section without suspension.
 *
 * The lock is a file beside the other one, `NAME.lock`, that names its owner. It appears whole (a hard link to a draft)
 * and goes when its owner removes it. The lock of a dead process is removed by the one process that holds the lock on
 * *that* lock, whose name holds the dead owner's unique mark: nobody can remove the lock of somebody who lives.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Predicate, Schema } from "effect"
import { isRunning, ownIdentity, type ProcessIdentity } from "./processIdentity.ts"

export class LockedFileError extends Schema.TaggedError<LockedFileError>()("LockedFileError", {
  file: Schema.String,
  /**
   * `busy`: another process held the lock all the time. `outside`: it lies outside of the folder it must be in. Otherwise an
   * error code of the system (`EACCES`).
   */
  code: Schema.String,
  /** Process that holds the lock; only where `code` is `busy`. */
  holder: Schema.optional(Schema.Finite)
}) {
  override get message(): string {
    return this.code === "busy" ? `${this.file}: locked by process ${this.holder}` : `${this.file}: ${this.code}`
  }
}

/** Milliseconds. A lock is held for about one; the rest is for stopped processes and slow disks. */
const waitAtMost = 10_000
const waitBetween = 10
/** Milliseconds after which a lock that names nobody (a full disk, a file system without hard links) is nobody's. */
const namelessLife = 10_000

/**
 * Replaces the content of `file` by `change(content)`; `undefined` stands for no file, and as a result for no change. A new
 * file gets mode 0600, an existing one keeps its own; a link to an existing file stays a link. The folder is made (0700)
 * where it is missing. What `change` fails with leaves the file as it was. `within`: the real path of a folder that a link must not
 * lead out of.
 */
export const updateLockedFile = <E>(
  file: string,
  change: (content: string | undefined) => Effect.Effect<string | undefined, E>,
  options: { readonly within?: string } = {}
): Effect.Effect<void, E | LockedFileError> =>
  Effect.gen(function* () {
    const real = yield* attempt(file, () => {
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      return realFile(file)
    })
    if (options.within !== undefined && !isInside(real, options.within)) {
      return yield* new LockedFileError({ file, code: "outside" })
    }
    const update = Effect.gen(function* () {
      const next = yield* change(yield* attempt(file, () => readIfThere(real)))
      if (next !== undefined) yield* attempt(file, () => replace(real, next))
    })
    yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        lock(file, `${real}.lock`, (pause) => restore(Effect.sleep(pause))),
        (release) => Effect.ensuring(restore(update), Effect.ignore(attempt(file, release)))
      )
    )
  })

const attempt = <A>(file: string, run: () => A): Effect.Effect<A, LockedFileError> =>
  Effect.try({ try: run, catch: (cause) => new LockedFileError({ file, code: codeOf(cause) }) })

/** Tries until the lock is ours; the waiting between can be interrupted. A success is the way to give it back. */
const lock = Effect.fnUntraced(function* (
  file: string,
  lockFile: string,
  wait: (pause: number) => Effect.Effect<void>
) {
  for (let waited = 0; ; waited += waitBetween) {
    const taken = yield* attempt(file, () => tryLock(lockFile))
    if (Predicate.isFunction(taken)) return taken
    if (waited >= waitAtMost) return yield* new LockedFileError({ file, code: "busy", holder: taken })
    yield* wait(waitBetween * (0.5 + Math.random()))
  }
})

interface Owner extends ProcessIdentity {
  /** Never the same twice. */
  readonly mark: string
}

/** The way to give the lock back, or the number of the process that has it. */
const tryLock = (lockFile: string): (() => void) | number => {
  const owner: Owner = { ...ownIdentity(), mark: crypto.randomUUID() }
  if (create(lockFile, owner)) return () => fs.rmSync(lockFile, { force: true })
  const holder = readOwner(lockFile)
  if (holder === undefined) return 0
  if (isRunning(holder)) return holder.pid
  const right = tryLock(`${lockFile}.${holder.mark}`)
  if (!Predicate.isFunction(right)) return right
  // Whoever removed it before us had the right before us: only the same dead owner's lock may go.
  if (readOwner(lockFile)?.mark === holder.mark) fs.rmSync(lockFile, { force: true })
  right()
  return holder.pid
}

const create = (lockFile: string, owner: Owner): boolean => {
  const draft = `${lockFile}.${owner.mark}.draft`
  try {
    fs.writeFileSync(draft, JSON.stringify(owner), { flag: "wx", mode: 0o600 })
    fs.linkSync(draft, lockFile)
    return true
  } catch (cause) {
    const code = codeOf(cause)
    if (code === "EEXIST") return false
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(code)) throw cause
    return createWithoutLinks(lockFile, owner)
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** For file systems without hard links: for a moment the lock names nobody. */
const createWithoutLinks = (lockFile: string, owner: Owner): boolean => {
  try {
    fs.writeFileSync(lockFile, JSON.stringify(owner), { flag: "wx", mode: 0o600 })
    return true
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false
    throw cause
  }
}

/** Undefined where there is no lock any more. A lock that names nobody for long counts as a dead owner's. */
const readOwner = (lockFile: string): Owner | undefined => {
  const content = readIfThere(lockFile)
  if (content === undefined) return undefined
  try {
    const value: unknown = JSON.parse(content)
    if (Predicate.isObject(value)) {
      // JSON objects have string keys.
      const { host, pid, start, mark } = value as Readonly<Record<string, unknown>>
      if (Predicate.isString(host) && Predicate.isNumber(pid) && Predicate.isString(start) && isMark(mark)) {
        return { host, pid, start, mark }
      }
    }
  } catch {
    // Cut, or being written.
  }
  const made = fs.statSync(lockFile, { throwIfNoEntry: false })
  if (made === undefined) return undefined
  const isOld = Date.now() - made.mtimeMs > namelessLife
  return { host: ownIdentity().host, pid: isOld ? 0 : process.pid, start: "", mark: `nameless-${made.ino}` }
}

/** It becomes part of a file name. */
const isMark = (mark: unknown): mark is string => Predicate.isString(mark) && /^[\w-]{1,64}$/.test(mark)

const isInside = (target: string, folder: string): boolean => {
  const relative = path.relative(folder, target)
  return !/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative)
}

/** Where a link leads, so that it stays a link. Throws for one that leads nowhere. */
const realFile = (file: string): string => {
  const found = fs.lstatSync(file, { throwIfNoEntry: false })
  return found === undefined
    ? path.join(fs.realpathSync(path.dirname(file)), path.basename(file))
    : fs.realpathSync(file)
}

const readIfThere = (file: string): string | undefined => {
  try {
    return fs.readFileSync(file, "utf8")
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined
    throw cause
  }
}

/** The lock is held, so one name for the new content does: what a crash leaves is used by the next. */
const replace = (file: string, content: string): void => {
  const draft = `${file}.new`
  const mode = fs.statSync(file, { throwIfNoEntry: false })?.mode
  fs.rmSync(draft, { force: true })
  try {
    const descriptor = fs.openSync(draft, "wx", 0o600)
    try {
      fs.writeFileSync(descriptor, content)
      if (mode !== undefined) fs.fchmodSync(descriptor, mode & 0o7777)
      fs.fsyncSync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
    fs.renameSync(draft, file)
  } catch (cause) {
    fs.rmSync(draft, { force: true })
    throw cause
  }
}

/** Node's file errors carry a string `code`. */
const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
