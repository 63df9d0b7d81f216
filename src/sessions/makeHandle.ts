/**
 * An open session: the tree in memory and the file behind it, kept in step. Appending costs the same however long the session
 * is: one line is encoded and written, and joins the tree.
 */
import { Clock, Effect, FileSystem, Path, Random, Semaphore, type Scope } from "effect"
import type { Config } from "../config/Config.ts"
import { SESSION_VERSION, type Entry, type EntryBody, type SessionHeader } from "../domain/entry.ts"
import type { Text } from "../domain/text.ts"
import { isKnownEntry, type AnyEntry } from "./checkEntry.ts"
import { encodeEntry, encodeLine } from "./codec.ts"
import { entryNotFound, SessionError } from "./errors.ts"
import { fileServices } from "./fileServices.ts"
import { checkName, foldName, freeName } from "./names.ts"
import { makeSessionFile, type SessionFileOptions } from "./SessionFile.ts"
import type { ForkOptions, SessionHandle } from "./SessionHandle.ts"
import { FOLDER, takenNames } from "./sessionFiles.ts"
import { SessionTree } from "./SessionTree.ts"

export interface HandleOptions {
  readonly config: Config["Service"]
  readonly name: string
  readonly save: boolean
  readonly header: SessionHeader
  readonly tree: SessionTree
  readonly existing: SessionFileOptions["existing"]
  readonly replaces: string | undefined
  readonly warnings: ReadonlyArray<Text>
  /** Model to go on with; written with the next content when it is another one. */
  readonly model: string | undefined
}

/** What makes a session worth a file. */
const isContent = (type: string): boolean =>
  type === "message" || type === "custom_message" || type === "compaction" || type === "branch_summary"

const hasContent = (header: SessionHeader, entries: ReadonlyArray<AnyEntry>): boolean =>
  header.startContext !== undefined || entries.some((entry) => isContent(entry.type))

/** Eight hexadecimal digits. */
const newId = Effect.map(Random.nextIntBetween(0, 0xffff_ffff), (value) => value.toString(16).padStart(8, "0"))

const isoTime = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).toISOString())

export const newHeader = Effect.fnUntraced(function* (
  config: Config["Service"],
  extra: Partial<Pick<SessionHeader, "model" | "parentSession" | "parentEntry" | "startContext" | "agent">>
) {
  const id = `${yield* newId}${yield* newId}`
  const header: SessionHeader = {
    type: "header",
    version: SESSION_VERSION,
    id,
    time: yield* isoTime,
    cwd: config.launchFolder,
    ...extra
  }
  return header
})

/** The path up to `at` with its labels, as the tree of another session. */
export const copyPath = (tree: SessionTree, at: string | null, header: SessionHeader): SessionTree => {
  const copy = new SessionTree(header)
  for (const entry of tree.pathTo(at)) copy.add({ ...entry, parentId: copy.parentForNext })
  for (const entry of tree.entries) {
    if (!isKnownEntry(entry) || entry.type !== "label" || !copy.has(entry.targetId)) continue
    copy.add({ ...entry, parentId: copy.parentForNext })
  }
  return copy
}

const lastModel = (header: SessionHeader, path: ReadonlyArray<AnyEntry>): string | undefined => {
  for (let index = path.length - 1; index >= 0; index--) {
    const entry = path[index]
    if (entry === undefined || !isKnownEntry(entry)) continue
    if (entry.type === "model_change") return entry.model
    if (entry.type === "message" && entry.message.role === "assistant" && entry.message.model !== undefined) {
      return entry.message.model
    }
  }
  return header.model
}

export const makeHandle: (
  options: HandleOptions
) => Effect.Effect<SessionHandle, never, Scope.Scope | FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (options: HandleOptions) {
    const { config, tree } = options
    const context = yield* fileServices
    const path = yield* Path.Path
    const oneAtATime = yield* Semaphore.make(1)
    const warnings: Array<Text> = [...options.warnings]
    let header = options.header
    let wantedModel = options.model
    let isWorthAFile = hasContent(header, tree.entries)

    const file = yield* makeSessionFile({
      config,
      name: options.name,
      save: options.save,
      existing: options.existing,
      replaces: options.replaces,
      lines: () => [encodeLine(header).line, ...tree.entries.map((entry) => encodeEntry(entry).line)],
      warn: (warning) => warnings.push(warning)
    })

    const freeId = Effect.gen(function* () {
      let id = yield* newId
      while (tree.has(id) || id === tree.rootId) id = yield* newId
      return id
    })

    const add = Effect.fnUntraced(function* (body: EntryBody) {
      const { line, value } = encodeLine<Entry>({
        id: yield* freeId,
        parentId: tree.parentForNext,
        time: yield* isoTime,
        ...body
      })
      tree.add(value)
      isWorthAFile ||= isContent(value.type)
      yield* file.write(line, isContent(value.type))
      return value
    })

    const model = (): string | undefined => wantedModel ?? lastModel(header, tree.path)

    const appendModel = Effect.fnUntraced(function* () {
      const wanted = wantedModel
      wantedModel = undefined
      if (wanted === undefined || wanted === lastModel(header, tree.path)) return
      if (isWorthAFile) yield* add({ type: "model_change", model: wanted })
      else header = { ...header, model: wanted }
    })

    const append = (body: EntryBody): Effect.Effect<Entry> =>
      oneAtATime
        .withPermits(1)(
          wantedModel !== undefined && isContent(body.type) ? Effect.andThen(appendModel(), add(body)) : add(body)
        )
        .pipe(Effect.uninterruptible)

    const known = (id: string | null): Effect.Effect<void, SessionError> =>
      id === null || tree.has(id) ? Effect.void : Effect.fail(entryNotFound(id))

    const rename = Effect.fn("SessionHandle.rename")(function* (typed: string) {
      const before = file.name()
      const name = yield* file.rename(typed)
      if (name !== before && tree.entries.length > 0) yield* append({ type: "session_info", name })
      return name
    })

    const fork = Effect.fn("SessionHandle.fork")(function* (forkOptions?: ForkOptions) {
      const at = forkOptions?.at === undefined ? tree.leaf : forkOptions.at
      yield* known(at)
      const checked = checkName(forkOptions?.name ?? file.name())
      if ("problem" in checked) return yield* new SessionError({ code: "invalid_name", text: checked.problem })
      const taken = yield* takenNames(path.join(config.projectDir, FOLDER))
      taken.add(foldName(file.name()))
      const inherited = model()
      const copyHeader = yield* newHeader(config, {
        parentSession: file.name(),
        ...(at === null ? {} : { parentEntry: at }),
        ...(inherited === undefined ? {} : { model: inherited }),
        ...(header.startContext === undefined ? {} : { startContext: header.startContext })
      })
      const copy = copyPath(tree, at, copyHeader)
      const forked = yield* makeHandle({
        config,
        name: freeName(checked.name, (candidate) => taken.has(foldName(candidate))),
        save: options.save,
        header: copyHeader,
        tree: copy,
        existing: undefined,
        replaces: undefined,
        warnings: [],
        model: undefined
      })
      yield* forked.sync
      return forked
    }, Effect.provideContext(context))

    const handle: SessionHandle = {
      name: Effect.sync(file.name),
      header: () => header,
      file: file.path,
      entries: () => tree.entries,
      path: () => tree.path,
      pathTo: (id) => tree.pathTo(id),
      entry: (id) => tree.get(id),
      leaf: () => tree.leaf,
      labels: () => tree.labels,
      model,
      warnings: () => warnings,
      append,
      moveTo: (id) =>
        Effect.andThen(
          known(id),
          Effect.suspend(() => (id === tree.leaf ? Effect.void : append({ type: "leaf", targetId: id })))
        ),
      label: (targetId, label) => Effect.andThen(known(targetId), append({ type: "label", targetId, label })),
      setModel: (wanted) =>
        Effect.suspend(() => {
          wantedModel = wanted
          return oneAtATime.withPermits(1)(appendModel()).pipe(Effect.uninterruptible)
        }),
      rename,
      fork,
      sync: Effect.suspend(() => (isWorthAFile ? Effect.andThen(file.create, file.sync) : file.sync))
    }
    return handle
  }
)
