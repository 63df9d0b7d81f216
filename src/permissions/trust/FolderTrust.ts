/**
 * Folder trust (spec 03): a repository can ship a `.maia` that allows and runs things; until the user trusts the folder its
 * `allow` rules are ignored and nothing of it runs. Remembers the answer with digests of what was there. Asks nobody and
 * shows nothing: front ends do.
 */
import { Clock, Context, Effect, FileSystem, Layer, Path, Ref, Semaphore } from "effect"
import { Config } from "../../config/Config.ts"
import type { Text } from "../../domain/text.ts"
import { compareParts, digestFile, type Parts, type PartState } from "./parts.ts"
import { readContent } from "./readContent.ts"
import { readTrustFile, type TrustedFolder, TrustError, updateTrustFile } from "./trustFile.ts"
import { NoteOwnWrite, TrustState, TrustThisRun, type OwnWrite } from "./TrustState.ts"

export type TrustStatus =
  | "trusted"
  | "untrusted"
  /** Trusted once, but somebody else has changed or added something since. */
  | "changed"
  | "nothing-to-trust"

export interface TrustReport {
  /** Real path of the launch folder. */
  readonly folder: string
  readonly status: TrustStatus
  /** What needs trust, in order of names; empty where it cannot be read whole. */
  readonly parts: ReadonlyArray<PartState>
  /** Why the answer cannot be remembered; the folder is then trusted by `--trust` only. */
  readonly problem: Text | undefined
  /** What `trust` remembers: exactly what was reported. */
  readonly content: Parts
}

export interface TrustedFolderEntry {
  readonly folder: string
  /** ISO time. */
  readonly trustedAt: string
}

export class FolderTrust extends Context.Service<
  FolderTrust,
  {
    /** Looks at the files anew. A trust file that cannot be read trusts nothing, and is the report's `problem`. */
    readonly report: Effect.Effect<TrustReport>
    readonly status: Effect.Effect<TrustStatus>
    /** As of the last report, made when there was none; true also with `--trust` and for the user's own `~/.maia`. */
    readonly trusted: Effect.Effect<boolean>
    /** Remembers what was reported: what has changed since is asked about again. Fails where it has a `problem`. */
    readonly trust: (seen: TrustReport) => Effect.Effect<void, TrustError>
    /** A folder as the user writes it, relative to the launch folder. False where it was not trusted. */
    readonly revoke: (folder: string) => Effect.Effect<boolean, TrustError>
    /** Sorted by folder. */
    readonly list: Effect.Effect<ReadonlyArray<TrustedFolderEntry>, TrustError>
    /** See `NoteOwnWrite`. */
    readonly noteOwnWrite: (write: OwnWrite) => Effect.Effect<boolean>
  }
>()("maia/permissions/FolderTrust") {
  /**
   * `thisRun` is `--trust`: nothing is remembered. `never`: not trusted, whatever was answered before or elsewhere. Provides
   * the references of `TrustState.ts` too.
   */
  static readonly layer = (options: { readonly thisRun: boolean; readonly never?: boolean } = { thisRun: false }) =>
    Layer.mergeAll(
      Layer.effect(
        TrustState,
        Effect.map(FolderTrust, ({ trusted }) => trusted)
      ),
      Layer.succeed(TrustThisRun, options.thisRun),
      Layer.effect(
        NoteOwnWrite,
        Effect.map(FolderTrust, ({ noteOwnWrite }) => noteOwnWrite)
      )
    ).pipe(
      Layer.provideMerge(
        Layer.effect(
          FolderTrust,
          Effect.suspend(() => make(options.thisRun, options.never === true))
        )
      )
    )
}

const make = Effect.fnUntraced(function* (thisRun: boolean, never: boolean) {
  const config = yield* Config
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(config.userDir, "trust.json")
  const folder = config.launchFolder
  const known = yield* Ref.make<boolean | undefined>(thisRun ? true : undefined)
  const services = Context.make(FileSystem.FileSystem, fs).pipe(Context.add(Path.Path, path))
  const content = Effect.provide(readContent(config), services)
  const remembered = Effect.provide(readTrustFile(file), services)

  const look = Effect.gen(function* () {
    const found = yield* content
    const base = { folder, content: found.parts, problem: found.problem }
    if (found.isUsersOwn) return { report: { ...base, status: "nothing-to-trust" as const, parts: [] }, own: true }
    const entry = yield* Effect.result(Effect.map(remembered, (folders) => folders.get(folder)))
    const before = entry._tag === "Success" ? entry.success?.parts : undefined
    const parts = compareParts(found.parts, before)
    const problem = base.problem ?? (entry._tag === "Failure" ? entry.failure.text : undefined)
    const status = judge(parts, found.problem !== undefined, before !== undefined, thisRun)
    return { report: { ...base, problem, status, parts }, own: false }
  })

  const report = Effect.gen(function* () {
    const looked = yield* look
    yield* Ref.set(known, thisRun || looked.own || looked.report.status === "trusted")
    return looked.report satisfies TrustReport as TrustReport
  }).pipe(Effect.withSpan("FolderTrust.report"))

  /** Extensions ask at the same time when they load: the folder is read once for all of them. */
  const first = yield* Semaphore.make(1)
  const trusted = Effect.gen(function* () {
    if (never) return false
    const answer = yield* Ref.get(known)
    if (answer !== undefined) return answer
    yield* first.withPermit(Effect.flatMap(Ref.get(known), (now) => (now === undefined ? report : Effect.void)))
    return (yield* Ref.get(known)) === true
  })

  const trust = Effect.fn("FolderTrust.trust")(function* (seen: TrustReport) {
    if (seen.problem !== undefined) return yield* new TrustError({ text: seen.problem })
    const trustedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    yield* updateTrustFile(file, (folders) => new Map(folders).set(seen.folder, { trustedAt, parts: seen.content }))
    yield* report
  })

  const revoke = Effect.fn("FolderTrust.revoke")(function* (wanted: string) {
    const absolute = path.resolve(folder, wanted.replace(/^~(?=\/|$)/, config.home))
    // A folder that is gone is still known by the path it had.
    const real = yield* fs.realPath(absolute).pipe(Effect.orElseSucceed(() => absolute))
    let found = false
    yield* updateTrustFile(file, (folders) => {
      const left = new Map(folders)
      found = left.delete(real)
      return found ? left : undefined
    })
    if (real === folder && !thisRun) yield* Ref.set(known, undefined)
    return found
  })

  const list = Effect.map(remembered, (folders) =>
    [...folders]
      .map(([name, { trustedAt }]): TrustedFolderEntry => ({ folder: name, trustedAt }))
      .sort((a, b) => (a.folder < b.folder ? -1 : 1))
  )

  const noteOwnWrite = Effect.fn("FolderTrust.noteOwnWrite")(function* ({ name, before, after }: OwnWrite) {
    const { parts, problem } = yield* content
    const had = digestFile(name, before)
    const has = digestFile(name, after)
    // A folder that had nothing to trust: what maia writes there first is no reason to ask.
    const isFirst = had === undefined && problem === undefined && [...parts.keys()].every((part) => part === name)
    const trustedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    const update = updateTrustFile(file, (folders) => {
      const entry: TrustedFolder | undefined =
        folders.get(folder) ?? (isFirst && has !== undefined ? { trustedAt, parts: new Map() } : undefined)
      if (entry === undefined || entry.parts.get(name) !== had) return undefined
      const next = new Map(entry.parts)
      if (has === undefined) next.delete(name)
      else next.set(name, has)
      return new Map(folders).set(folder, { ...entry, parts: next })
    })
    // Where it cannot be noted the user is asked next time: the report says so.
    yield* Effect.ignore(update)
    yield* report
    return yield* trusted
  })

  return FolderTrust.of({
    report,
    status: Effect.map(report, ({ status }) => status),
    trusted,
    trust,
    revoke,
    list,
    noteOwnWrite
  })
})

const judge = (
  parts: ReadonlyArray<PartState>,
  isUnreadable: boolean,
  isRemembered: boolean,
  thisRun: boolean
): TrustStatus => {
  if (!isUnreadable && parts.length === 0) return "nothing-to-trust"
  if (thisRun) return "trusted"
  if (isUnreadable || !isRemembered) return "untrusted"
  return parts.every(({ state }) => state === "known") ? "trusted" : "changed"
}
