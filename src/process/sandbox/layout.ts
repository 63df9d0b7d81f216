/**
 * Looks at the launch folder and the home folder and makes the plan of the sandbox (spec 03). Raw `node:fs`, synchronous: a few
 * looks at names before each command cost microseconds that way, milliseconds through the thread pool; and `rmdir`, which
 * takes an empty folder only, is missing in `FileSystem`.
 *
 * What is protected must exist, because a mount needs a place: an empty `.maia`, `.git` or `.git/hooks` is made where it is
 * missing. `.git/commondir` names the folder that git takes its `config` and `hooks` from: left to a command, it would
 * stand in for both. So a repository gets one that says "this folder". `removePlaceholders` takes back what was made.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import type { Config } from "../../config/Config.ts"
import { text, type Text } from "../../domain/text.ts"
import { HIDDEN_IN_HOME, HIDDEN_ON_LINUX, SHOWN_ON_LINUX } from "./hidden.ts"
import { isInside, withoutContradictions, type SandboxPlan } from "./plan.ts"

type Places = Pick<Config["Service"], "launchFolder" | "home" | "userDir" | "outputDir" | "platform" | "settings">

/** Hidden and shown paths that exist; found once, they seldom change. */
export interface Surroundings {
  readonly hiddenFolders: ReadonlyArray<string>
  readonly hiddenFiles: ReadonlyArray<string>
  readonly shown: ReadonlyArray<string>
}

/** A shape of folders that cannot be protected. */
export interface Unprotectable {
  readonly problem: Text
}

/** Paths that were made only to be protected. */
export type Placeholders = Set<string>

export const findSurroundings = ({ home, userDir, platform }: Places): Surroundings => {
  const isLinux = platform === "linux"
  const candidates = [
    userDir,
    ...HIDDEN_IN_HOME.map((name) => path.join(home, name)),
    ...(isLinux ? HIDDEN_ON_LINUX : [])
  ]
  const hiddenFolders = new Set<string>()
  const hiddenFiles = new Set<string>()
  for (const candidate of candidates) {
    const real = realPath(candidate)
    if (real === undefined) continue
    if (fs.statSync(real, { throwIfNoEntry: false })?.isDirectory() === true) hiddenFolders.add(real)
    else hiddenFiles.add(real)
  }
  const shown = isLinux ? SHOWN_ON_LINUX.flatMap((candidate) => realPath(candidate) ?? []) : []
  return { hiddenFolders: [...hiddenFolders], hiddenFiles: [...hiddenFiles], shown: [...new Set(shown)] }
}

/** Throws what the file system throws: the folder cannot be written. */
export const planSandbox = (
  places: Places,
  surroundings: Surroundings,
  temporary: string,
  placeholders: Placeholders
): SandboxPlan | Unprotectable => {
  const { launchFolder, outputDir, settings } = places
  if (launchFolder === "/") return { problem: wholeSystem }
  fs.mkdirSync(outputDir, { recursive: true, mode: 0o700 })
  const protect = new Protection(launchFolder, placeholders)
  protect.maiaFolder(path.join(launchFolder, ".maia"))
  protect.repository(path.join(launchFolder, ".git"))
  if (protect.problem !== undefined) return { problem: protect.problem }
  return withoutContradictions({
    ...surroundings,
    writable: [launchFolder, fs.realpathSync(outputDir)],
    pinned: [...protect.pinned],
    fixed: [...protect.fixed],
    temporary,
    network: settings.sandboxNetwork
  })
}

class Protection {
  readonly pinned = new Set<string>()
  readonly fixed = new Set<string>()
  readonly folder: string
  readonly placeholders: Placeholders
  problem: Text | undefined

  constructor(folder: string, placeholders: Placeholders) {
    this.folder = folder
    this.placeholders = placeholders
  }

  maiaFolder(at: string): void {
    if (this.isLink(at)) return
    this.ensureFolder(at)
    this.fixed.add(at)
  }

  /** `.git` as a repository, as the file of a worktree or submodule, or not there yet. */
  repository(at: string): void {
    if (this.isLink(at)) return
    const info = lstat(at)
    if (info?.isFile() === true) {
      this.fixed.add(at)
      const gitFolder = realPath(path.resolve(this.folder, /^gitdir:\s*(.*?)\s*$/m.exec(readText(at))?.[1] ?? "."))
      if (gitFolder !== undefined && gitFolder !== this.folder) this.gitFolder(gitFolder)
      return
    }
    this.ensureFolder(at)
    if (lstat(path.join(at, "HEAD")) === undefined) this.fixed.add(at)
    else this.gitFolder(at)
  }

  private gitFolder(at: string): void {
    if (!isInside(at, this.folder)) return
    const link = GIT_RUNS.find((name) => lstat(path.join(at, name))?.isSymbolicLink() === true)
    if (link !== undefined) {
      // It can be replaced where it stands, so its whole folder is closed, and what it leads to.
      const target = realPath(path.join(at, link))
      this.fixed.add(at)
      if (target !== undefined && isInside(target, this.folder)) this.fixed.add(target)
      return
    }
    this.pinned.add(at)
    this.ensureFolder(path.join(at, "hooks"))
    this.ensureFile(path.join(at, "config"), "")
    this.ensureFile(path.join(at, "commondir"), COMMON)
    for (const name of GIT_RUNS) {
      const found = path.join(at, name)
      if (lstat(found) !== undefined) this.fixed.add(found)
    }
  }

  /** A link could be replaced by a command, and no mount can hold it. */
  private isLink(at: string): boolean {
    if (lstat(at)?.isSymbolicLink() !== true) return false
    this.problem = notALink(at)
    return true
  }

  private ensureFolder(at: string): void {
    if (lstat(at) !== undefined) return
    fs.mkdirSync(at, { mode: 0o755 })
    this.placeholders.add(at)
  }

  private ensureFile(at: string, content: string): void {
    const isThere = lstat(at) !== undefined
    if (!isThere) fs.writeFileSync(at, content, { flag: "wx", mode: 0o644 })
    // Only a maia that was killed leaves such a file behind.
    if (!isThere || (content === COMMON && readText(at) === COMMON)) this.placeholders.add(at)
  }
}

/** "The folder this file is in": git then does what it does without the file. */
const COMMON = ".\n"

/** What git takes programs to run from. The folders of submodules and worktrees have a `config` each. */
const GIT_RUNS = ["hooks", "config", "config.worktree", "commondir", "modules", "worktrees"]

/** Removes what is still as it was made: an empty folder, an unchanged file. */
export const removePlaceholders = (placeholders: ReadonlySet<string>): void => {
  for (const at of [...placeholders].sort((a, b) => b.length - a.length)) {
    try {
      const info = lstat(at)
      if (info?.isDirectory() === true) fs.rmdirSync(at)
      else if (info?.isFile() === true && ["", COMMON].includes(readText(at))) fs.unlinkSync(at)
    } catch {
      // Somebody has put something there: it is theirs now.
    }
  }
}

/** A folder only maia and the user can read. */
export const makeTemporary = (parent: string): string =>
  fs.realpathSync(fs.mkdtempSync(path.join(parent, "maia-sandbox-")))

export const removeTemporary = (folder: string): void => fs.rmSync(folder, { recursive: true, force: true })

/** The first that can be run, outside the launch folder: a repository must not bring its own sandbox along. */
export const findProgram = (name: string, folders: ReadonlyArray<string>, launchFolder: string): string | undefined =>
  folders
    .filter((folder) => path.isAbsolute(folder))
    .flatMap((folder) => realPath(path.join(folder, name)) ?? [])
    .find((file) => (launchFolder === "/" || !isInside(file, launchFolder)) && isRunnable(file))

const isRunnable = (file: string): boolean => {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

const lstat = (at: string): fs.Stats | undefined => fs.lstatSync(at, { throwIfNoEntry: false })

const realPath = (at: string): string | undefined => {
  try {
    return fs.realpathSync(at)
  } catch {
    return undefined
  }
}

const readText = (at: string): string => {
  try {
    return fs.readFileSync(at, "utf8")
  } catch {
    return ""
  }
}

const wholeSystem = text(
  "the launch folder is the whole file system. Start maia in a folder of its own",
  "le dossier de lancement est tout le système de fichiers. Lancez maia dans un dossier à part"
)

const notALink = (at: string): Text =>
  text(
    `${at} is a link, which a command could replace. Put a real folder there`,
    `${at} est un lien, qu'une commande pourrait remplacer. Mettez-y un vrai dossier`
  )
