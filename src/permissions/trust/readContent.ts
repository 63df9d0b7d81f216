/**
 * Reads what of a project's `.maia` needs trust, within limits. Reads files; follows no link out of the launch folder and
 * opens nothing but plain files. What it cannot read whole is a problem, never an omission.
 */
import { Effect, FileSystem, Path, Schema } from "effect"
import type { Config } from "../../config/Config.ts"
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

type Places = Pick<Config["Service"], "launchFolder" | "projectDir" | "userDir">

export const readContent = Effect.fn("FolderTrust.readContent")(function* (places: Places) {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.option(fs.realPath(places.projectDir))
  if (root._tag === "None") return nothing
  const own = yield* Effect.option(fs.realPath(places.userDir))
  if (own._tag === "Some" && own.value === root.value) return { ...nothing, isUsersOwn: true }
  return yield* walk(places, root.value).pipe(
    Effect.map((files): Content => ({ ...nothing, parts: digestParts(files) })),
    Effect.catchTag("Unreadable", (error) => Effect.succeed<Content>({ ...nothing, problem: error.text }))
  )
})

interface Walk {
  readonly launchFolder: string
  readonly projectDir: string
  readonly files: Array<FoundFile>
  /** Real paths of the folders that were entered: a folder is read once, a circle ends. */
  readonly entered: Set<string>
  bytes: number
}

const walk = Effect.fnUntraced(function* ({ launchFolder, projectDir }: Places, root: string) {
  const path = yield* Path.Path
  const state: Walk = { launchFolder, projectDir, files: [], entered: new Set(), bytes: 0 }
  if (!isInside(path, launchFolder, root)) return yield* leadsOut(projectDir)
  yield* folder(state, root, "", 0)
  return state.files
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
    for (const name of names.sort()) {
      if (prefix === "" && isLeftOut(name)) continue
      yield* entry(state, path.join(real, name), `${prefix}${name}`, depth)
    }
  }
)

const entry = Effect.fnUntraced(function* (state: Walk, at: string, name: string, depth: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (state.files.length >= MAX_FILES) return yield* tooMuch(state)
  let real = at
  let info = yield* fs.lstat(at).pipe(Effect.catch(() => cannotRead(state, name)))
  if (info.type === "SymbolicLink") {
    const content = yield* fs.readLink(at).pipe(Effect.catch(() => cannotRead(state, name)))
    state.files.push({ path: name, kind: "link", content })
    const target = yield* Effect.option(fs.realPath(at))
    // A link to nothing runs nothing; when something appears there, this is read again.
    if (target._tag === "None") return
    real = target.value
    if (!isInside(path, state.launchFolder, real)) return yield* leadsOut(path.join(state.projectDir, name))
    info = yield* fs.stat(real).pipe(Effect.catch(() => cannotRead(state, name)))
  }
  if (info.type === "Directory") return yield* folder(state, real, `${name}/`, depth + 1)
  if (info.type !== "File") {
    state.files.push({ path: name, kind: "other", content: "" })
    return
  }
  state.bytes += Number(info.size)
  if (state.bytes > MAX_BYTES) return yield* tooMuch(state)
  const content = yield* fs.readFile(real).pipe(Effect.catch(() => cannotRead(state, name)))
  state.files.push({ path: name, kind: (info.mode & 0o100) === 0 ? "file" : "executable", content })
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
