/**
 * Reads what of a project's `.maia` needs trust, and skills it brings along elsewhere, within limits. Reads files; follows no link out of the launch folder and
 * opens nothing but plain files. What it cannot read whole is a problem, never an omission.
 */
import { Effect, FileSystem, Path, Schema } from "effect"
import type { Config } from "../../config/Config.ts"
import { skillFolders } from "../../config/skillFolders.ts"
import { text, Text } from "../../domain/text.ts"
import { digestParts, isLeftOut, type FoundFile, type Parts } from "./parts.ts"

export interface Content {
  readonly parts: Parts
  /** Why it cannot be remembered as trusted. */
  readonly problem: Text | undefined
  /** `.maia` is the user's own `~/.maia`. */
  readonly isUsersOwn: boolean
}

/** Starting maia must stay fast, and a repository decides how much there is. */
export const MAX_FILES = 5_000
export const MAX_BYTES = 32 * 1024 * 1024
const MAX_DEPTH = 24

class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { text: Text }) {}

const nothing: Content = { parts: new Map(), problem: undefined, isUsersOwn: false }

type Places = Pick<Config["Service"], "launchFolder" | "projectDir" | "userDir" | "home" | "settings">

export const readContent = Effect.fn("FolderTrust.readContent")(function* (places: Places) {
  const own = yield* realPathOf(places.userDir)
  const root = yield* realPathOf(places.projectDir)
  if (root !== undefined && root === own) return { ...nothing, isUsersOwn: true }
  const roots = [
    ...(root === undefined ? [] : [{ real: root, link: places.projectDir, prefix: "", within: places.launchFolder }]),
    ...(yield* skillRoots(places))
  ]
  if (roots.length === 0) return nothing
  return yield* walk(places, roots).pipe(
    Effect.map((files): Content => ({ ...nothing, parts: digestParts(files) })),
    Effect.catchTag("Unreadable", (error) => Effect.succeed<Content>({ ...nothing, problem: error.text }))
  )
})

const realPathOf = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.realPath(folder).pipe(Effect.orElseSucceed(() => undefined))
})

interface Root {
  readonly real: string
  /** As people know it. */
  readonly link: string
  /** Of the paths below it, relative to `.maia`. */
  readonly prefix: string
  /** No link may lead out of here. */
  readonly within: string
}

/** Folders of skills outside `.maia` that a project brings along: they need trust like its own. */
const skillRoots = Effect.fnUntraced(function* (places: Places) {
  const path = yield* Path.Path
  const roots: Array<Root> = []
  const users = new Set<string | undefined>()
  for (const { folder, level } of skillFolders(places)) {
    if (level === "user") users.add(yield* realPathOf(folder))
    else if (!folder.startsWith(`${places.projectDir}${path.sep}`)) {
      const real = yield* realPathOf(folder)
      const within = path.dirname(path.dirname(folder))
      const prefix = `${path.relative(places.projectDir, folder).replaceAll(path.sep, "/")}/`
      if (real !== undefined) roots.push({ real, link: folder, prefix, within })
    }
  }
  return roots.filter(({ real }) => !users.has(real))
})

interface Walk {
  readonly within: string
  readonly projectDir: string
  readonly files: Array<FoundFile>
  /** Real paths of the folders that were entered: a folder is read once, a circle ends. */
  readonly entered: Set<string>
  /** Links that were met and not followed yet. */
  readonly links: Array<Link>
  readonly read: { bytes: number }
}

interface Link {
  readonly at: string
  /** Below `.maia`. */
  readonly name: string
  readonly depth: number
}

/** Files that are read at the same time. */
const CONCURRENCY = 16

/** Many files at a time; links after all else and in order of names, so that what is found twice has the same name each time. */
const walk = Effect.fnUntraced(function* ({ projectDir }: Places, roots: ReadonlyArray<Root>) {
  const path = yield* Path.Path
  const all: Omit<Walk, "within"> = { projectDir, files: [], entered: new Set<string>(), links: [], read: { bytes: 0 } }
  for (const { real, link, prefix, within } of roots) {
    if (!isInside(path, within, real)) return yield* leadsOut(link)
    const state = { ...all, within }
    yield* folder(state, real, prefix, 0)
    while (state.links.length > 0) {
      const links = state.links.splice(0).toSorted((a, b) => (a.name < b.name ? -1 : 1))
      for (const link of links) yield* follow(state, link)
    }
  }
  return all.files
})

const folder: (
  state: Walk,
  real: string,
  prefix: string,
  depth: number
) => Effect.Effect<void, Unreadable, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (state, real, prefix, depth) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (state.entered.has(real)) return
    state.entered.add(real)
    if (depth > MAX_DEPTH) return yield* tooMuch(state)
    const names = yield* fs.readDirectory(real).pipe(Effect.catch(() => cannotRead(state, prefix)))
    const counted = prefix === "" ? names.filter((name) => !isLeftOut(name)) : names
    const read = (name: string) => entry(state, path.join(real, name), `${prefix}${name}`, depth)
    yield* Effect.forEach(counted, read, { concurrency: CONCURRENCY, discard: true })
  }
)

const entry = Effect.fnUntraced(function* (state: Walk, at: string, name: string, depth: number) {
  const fs = yield* FileSystem.FileSystem
  if (state.files.length + state.links.length >= MAX_FILES) return yield* tooMuch(state)
  const info = yield* fs.lstat(at).pipe(Effect.catch(() => cannotRead(state, name)))
  if (info.type === "SymbolicLink") state.links.push({ at, name, depth })
  else yield* content(state, at, name, info, depth)
})

const follow = Effect.fnUntraced(function* (state: Walk, { at, depth, name }: Link) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const target = yield* fs.readLink(at).pipe(Effect.catch(() => cannotRead(state, name)))
  state.files.push({ path: name, kind: "link", content: target })
  const real = yield* Effect.option(fs.realPath(at))
  // A link to nothing runs nothing; when something appears there, this is read again.
  if (real._tag === "None") return
  if (!isInside(path, state.within, real.value)) return yield* leadsOut(path.join(state.projectDir, name))
  const info = yield* fs.stat(real.value).pipe(Effect.catch(() => cannotRead(state, name)))
  yield* content(state, real.value, name, info, depth)
})

const content = Effect.fnUntraced(function* (
  state: Walk,
  real: string,
  name: string,
  info: FileSystem.File.Info,
  depth: number
) {
  const fs = yield* FileSystem.FileSystem
  if (info.type === "Directory") return yield* folder(state, real, `${name}/`, depth + 1)
  if (info.type !== "File") {
    state.files.push({ path: name, kind: "other", content: "" })
    return
  }
  state.read.bytes += Number(info.size)
  if (state.read.bytes > MAX_BYTES) return yield* tooMuch(state)
  const bytes = yield* fs.readFile(real).pipe(Effect.catch(() => cannotRead(state, name)))
  state.files.push({ path: name, kind: (info.mode & 0o100) === 0 ? "file" : "executable", content: bytes })
})

const isInside = (path: Path.Path, parent: string, target: string): boolean => {
  const relative = path.relative(parent, target)
  return relative === "" || (!/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative))
}

const leadsOut = (link: string) =>
  new Unreadable({
    text: text(
      `${link} is a link that leads out of this folder, so what it holds cannot be remembered as trusted. Put the files themselves there, or use --trust for one run.`,
      `${link} est un lien qui mène hors de ce dossier : son contenu ne peut pas être mémorisé comme fiable. Mettez-y les fichiers eux-mêmes, ou utilisez --trust pour une exécution.`
    )
  })

const tooMuch = ({ projectDir }: Walk) =>
  new Unreadable({
    text: text(
      `${projectDir} holds more than ${MAX_FILES} files, ${MAX_BYTES / 1024 / 1024} MB or ${MAX_DEPTH} levels, too much to be checked at each start. Move what does not belong there, or use --trust for one run.`,
      `${projectDir} contient plus de ${MAX_FILES} fichiers, ${MAX_BYTES / 1024 / 1024} Mo ou ${MAX_DEPTH} niveaux, trop pour une vérification à chaque démarrage. Déplacez ce qui n'y a pas sa place, ou utilisez --trust pour une exécution.`
    )
  })

const cannotRead = ({ projectDir }: Walk, name: string) =>
  new Unreadable({
    text: text(
      `${projectDir}/${name} cannot be read, so this folder cannot be remembered as trusted.`,
      `${projectDir}/${name} ne peut pas être lu : ce dossier ne peut pas être mémorisé comme fiable.`
    )
  })
