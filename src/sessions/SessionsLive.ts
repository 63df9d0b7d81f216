/**
 * The `Sessions` service over the files of `.maia/.sessions`.
 */
import { Clock, Effect, FileSystem, Layer, Path } from "effect"
import { Config } from "../config/Config.ts"
import { text, type Text } from "../domain/text.ts"
import { allSources, findSource, freeSessionName, listSessions, type Source } from "./catalog.ts"
import { entryNotFound, SessionError } from "./errors.ts"
import { fileServices } from "./fileServices.ts"
import { loadFile, loadLegacy, notWritable, type Loaded } from "./loadSession.ts"
import { lockSession } from "./lock.ts"
import { copyPath, makeHandle, newHeader } from "./makeHandle.ts"
import { checkName, defaultName, suggestNames } from "./names.ts"
import { checkOwnFolder } from "./ownFolder.ts"
import type { SessionHandle } from "./SessionHandle.ts"
import { FOLDER, moveFile } from "./sessionFiles.ts"
import { Sessions, type ExportFormat, type OpenOptions, type SessionView } from "./Sessions.ts"
import { SessionTree } from "./SessionTree.ts"

const notFound = (name: string): SessionError =>
  new SessionError({ code: "not_found", text: text(`There is no session "${name}".`, `Pas de session « ${name} ».`) })

const inUse = (name: string): SessionError =>
  new SessionError({
    code: "in_use",
    text: text(
      `The session "${name}" is open in another process.`,
      `La session « ${name} » est ouverte dans un autre processus.`
    )
  })

const copyWarning = (reason: "in_use" | "newer", name: string, copy: string): Text =>
  reason === "in_use"
    ? text(
        `The session "${name}" is open in another process: going on in a copy, "${copy}".`,
        `La session « ${name} » est ouverte dans un autre processus : suite dans une copie, « ${copy} ».`
      )
    : text(
        `The session "${name}" was written by a newer version: going on in a copy, "${copy}".`,
        `La session « ${name} » vient d'une version plus récente : suite dans une copie, « ${copy} ».`
      )

const nameOf = (typed: string): Effect.Effect<string, SessionError> => {
  const checked = checkName(typed)
  return "problem" in checked
    ? Effect.fail(new SessionError({ code: "invalid_name", text: checked.problem }))
    : Effect.succeed(checked.name)
}

const make = Effect.gen(function* () {
  const config = yield* Config
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const context = yield* fileServices
  const folder = path.join(config.projectDir, FOLDER)

  const existing = Effect.fnUntraced(function* (typed: string) {
    return (yield* findSource(config, yield* nameOf(typed))) ?? (yield* notFound(typed))
  })

  const load = (source: Source, write: boolean) =>
    source.legacy ? loadLegacy(config, source.file) : loadFile(config, source, write)

  const openNew = Effect.fnUntraced(function* (options: OpenOptions, save: boolean, warnings: ReadonlyArray<Text>) {
    const now = yield* Clock.currentTimeMillis
    const wanted = options.name === undefined ? defaultName(new Date(now)) : yield* nameOf(options.name)
    const { agent, model, startContext, parentSession } = options
    const header = yield* newHeader(config, {
      ...(model === undefined ? {} : { model }),
      ...(startContext === undefined ? {} : { startContext }),
      ...(parentSession === undefined ? {} : { parentSession }),
      ...(agent === undefined ? {} : { agent })
    })
    const handle = yield* makeHandle({
      config,
      name: yield* freeSessionName(config, wanted),
      save,
      header,
      tree: new SessionTree(header),
      existing: undefined,
      replaces: undefined,
      warnings,
      model: undefined
    })
    if (startContext !== undefined) yield* handle.sync
    return handle
  })

  /** Goes on in a copy. A copy that nobody asked for makes no file before it has something of its own. */
  const openCopy = Effect.fnUntraced(function* (
    source: Source,
    loaded: Loaded,
    options: OpenOptions,
    warnings: ReadonlyArray<Text>
  ) {
    const at = options.at ?? loaded.tree.leaf
    if (at !== null && !loaded.tree.has(at)) return yield* entryNotFound(at)
    const header = yield* newHeader(config, {
      parentSession: source.name,
      ...(at === null ? {} : { parentEntry: at }),
      ...(loaded.header.model === undefined ? {} : { model: loaded.header.model }),
      ...(loaded.header.startContext === undefined ? {} : { startContext: loaded.header.startContext })
    })
    const name = yield* freeSessionName(config, source.name)
    const handle = yield* makeHandle({
      config,
      name,
      save: options.save,
      header,
      tree: copyPath(loaded.tree, at, header),
      existing: undefined,
      replaces: undefined,
      warnings: [
        ...warnings,
        ...(loaded.notOurs === undefined ? [] : [copyWarning(loaded.notOurs, source.name, name)])
      ],
      model: options.model
    })
    if (loaded.notOurs === undefined) yield* handle.sync
    return handle
  })

  const openExisting = Effect.fnUntraced(function* (source: Source, options: OpenOptions) {
    const loaded = yield* load(source, options.save && options.fork !== true)
    if (options.fork === true || loaded.notOurs !== undefined) {
      return yield* openCopy(source, loaded, options, loaded.warnings)
    }
    const handle = yield* makeHandle({
      config,
      name: source.name,
      save: options.save,
      header: loaded.header,
      tree: loaded.tree,
      existing: loaded.existing,
      replaces: source.legacy ? source.name : undefined,
      warnings: loaded.warnings,
      model: options.model
    })
    if (options.at !== undefined) yield* handle.moveTo(options.at)
    return handle
  })

  const wanted = Effect.fnUntraced(function* (options: OpenOptions) {
    if (options.fresh === true) return undefined
    if (options.name !== undefined) return yield* findSource(config, yield* nameOf(options.name))
    if (options.continueNewest !== true) return undefined
    return (yield* listSessions(config)).find(({ agent }) => agent === undefined)
  })

  const open = Effect.fn("Sessions.open")(function* (options: OpenOptions) {
    const place = yield* Effect.result(checkOwnFolder(config, FOLDER))
    if (place._tag === "Failure") {
      return yield* openNew(options, false, options.save ? [place.failure.text] : [])
    }
    const source = yield* wanted(options)
    return source === undefined ? yield* openNew(options, options.save, []) : yield* openExisting(source, options)
  }, Effect.provideContext(context))

  const read = Effect.fn("Sessions.read")(function* (typed: string) {
    const source = yield* existing(typed)
    const { header, tree, warnings } = yield* load(source, false)
    const view: SessionView = { name: source.name, header, entries: tree.entries, path: tree.path, warnings }
    return view
  }, Effect.provideContext(context))

  /** Runs with the session's lock; fails when another process has it. */
  const withLock = <A>(
    source: Source,
    use: (lock: {
      readonly release: Effect.Effect<void>
    }) => Effect.Effect<A, SessionError, FileSystem.FileSystem | Path.Path>
  ) =>
    Effect.scoped(
      Effect.gen(function* () {
        const scope = yield* Effect.scope
        const lock = yield* lockSession(folder, source.name, scope).pipe(Effect.mapError(notWritable))
        return lock === undefined ? yield* inUse(source.name) : yield* use(lock)
      })
    ).pipe(Effect.provideContext(context))

  const rename = Effect.fn("Sessions.rename")(function* (typed: string, to: string) {
    const source = yield* existing(typed).pipe(Effect.provideContext(context))
    const name = yield* nameOf(to)
    if (source.name === name) return name
    const extension = path.extname(source.file)
    return yield* withLock(source, (lock) =>
      Effect.gen(function* () {
        const held = { path: source.file, lock, scope: yield* Effect.scope }
        return (yield* moveFile(held, source.name, name, extension)).name
      }).pipe(Effect.scoped, Effect.mapError(notWritable))
    )
  })

  const remove = Effect.fn("Sessions.delete")(function* (typed: string) {
    const source = yield* existing(typed).pipe(Effect.provideContext(context))
    yield* withLock(source, () => fs.remove(source.file).pipe(Effect.mapError(notWritable)))
  })

  const importLegacy = Effect.fn("Sessions.importLegacy")(
    function* (file: string) {
      const loaded = yield* loadLegacy(config, path.resolve(config.launchFolder, file))
      const name = yield* nameOf(path.basename(file).replace(/\.json$/i, ""))
      const handle = yield* makeHandle({
        config,
        name,
        save: true,
        header: loaded.header,
        tree: loaded.tree,
        existing: undefined,
        replaces: name,
        warnings: [],
        model: undefined
      })
      yield* handle.sync
      const [problem] = handle.file() === undefined ? handle.warnings() : []
      if (problem !== undefined) return yield* new SessionError({ code: "not_writable", text: problem })
      return yield* handle.name
    },
    Effect.scoped,
    Effect.provideContext(context)
  )

  const exportSession = Effect.fn("Sessions.export")(function* (source: SessionHandle | string, format: ExportFormat) {
    const view: Pick<SessionView, "name" | "header" | "path"> =
      typeof source === "string"
        ? yield* read(source)
        : { name: yield* source.name, header: source.header(), path: source.path() }
    // Loaded only when someone exports: the page's style and script are long.
    const { render } = yield* Effect.promise(() => import("./export/render.ts"))
    return render(view, format, config.language)
  })

  return Sessions.of({
    open,
    list: listSessions(config).pipe(Effect.provideContext(context)),
    find: (name) => Effect.map(findSource(config, name), (source) => source?.name).pipe(Effect.provideContext(context)),
    suggest: (typed) =>
      Effect.map(allSources(config), (sources) =>
        suggestNames(
          typed,
          sources.map(({ name }) => name)
        )
      ).pipe(Effect.provideContext(context)),
    exists: (name) =>
      Effect.map(findSource(config, name), (source) => source !== undefined).pipe(Effect.provideContext(context)),
    read,
    rename,
    delete: remove,
    importLegacy,
    export: exportSession,
    folder
  })
})

export const sessionsLayer: Layer.Layer<Sessions, never, Config | FileSystem.FileSystem | Path.Path> = Layer.effect(
  Sessions,
  make
)
