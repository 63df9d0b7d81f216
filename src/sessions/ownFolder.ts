/**
 * The folders that maia keeps for itself under `.maia`: made with private rights, hidden from git, and never reached through a
 * link that a repository could have brought along to make maia write elsewhere.
 */
import { Effect, FileSystem, Path } from "effect"
import type { Config } from "../config/Config.ts"
import { text } from "../domain/text.ts"
import { SessionError } from "./errors.ts"

/** What of `.maia` is maia's own; the rest may be committed (spec README). */
export const OWN_NAMES = [".sessions", ".checkpoints", "settings.local.json"] as const

type Places = Pick<Config["Service"], "launchFolder" | "projectDir" | "userDir">

/** Whether `target` is the folder or lies in it. */
export const isInside = (path: Path.Path, folder: string, target: string): boolean => {
  const relative = path.relative(folder, target)
  return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative))
}

const isLink = (fs: FileSystem.FileSystem, file: string) =>
  fs.lstat(file).pipe(
    Effect.map((info) => info.type === "SymbolicLink"),
    Effect.orElseSucceed(() => false)
  )

/**
 * Path of the folder. Fails with `outside` when `.maia`, or the folder in it, is a link that leads neither into the launch
 * folder nor into the user's own `~/.maia`.
 */
export const checkOwnFolder = Effect.fnUntraced(function* (places: Places, name: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(places.projectDir, name)
  for (const step of [places.projectDir, folder]) {
    if (!(yield* isLink(fs, step))) continue
    const real = yield* fs.realPath(step).pipe(Effect.orElseSucceed(() => ""))
    if (real !== "" && (isInside(path, places.launchFolder, real) || isInside(path, places.userDir, real))) continue
    return yield* new SessionError({
      code: "outside",
      text: text(
        `${step} is a link that leads out of this folder: nothing is kept there.`,
        `${step} est un lien qui mène hors de ce dossier : rien n'y est conservé.`
      )
    })
  }
  return folder
})

const names = (line: string): string => line.trim().replace(/^!/, "").replace(/^\//, "").replace(/\/$/, "")

/** The file's text with the lines it lacks; undefined when it has them all. A line the user negated stays so. */
export const completeIgnoreFile = (content: string): string | undefined => {
  const present = new Set(content.split("\n").map(names))
  const missing = OWN_NAMES.filter((name) => !present.has(name))
  if (missing.length === 0) return undefined
  const before = content === "" || content.endsWith("\n") ? content : `${content}\n`
  return `${before}${missing.join("\n")}\n`
}

const hideFromGit = Effect.fnUntraced(function* (places: Places) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(places.projectDir, ".gitignore")
  if (yield* isLink(fs, file)) return
  const content = yield* fs.readFileString(file).pipe(Effect.orElseSucceed(() => ""))
  const complete = completeIgnoreFile(content)
  if (complete !== undefined) yield* fs.writeFileString(file, complete)
})

/** Makes the folder when it is missing; fails when it cannot be made. */
export const makeOwnFolder = Effect.fnUntraced(function* (places: Places, name: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* checkOwnFolder(places, name)
  yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 })
  // A folder that git sees is a nuisance, no reason to lose the conversation.
  yield* Effect.ignore(hideFromGit(places))
  return folder
})
