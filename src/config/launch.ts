/**
 * The places of this run (seed §5.2): launch folder, home, user and project folders. The only file beside
 * `loadConfig.ts` and `cacheFolder.ts` that asks the operating system for them.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { cacheFolder } from "./cacheFolder.ts"

export interface Places {
  readonly launchFolder: string
  readonly home: string
  readonly userDir: string
  readonly projectDir: string
  readonly outputDir: string
  readonly cacheDir: string
}

/** `--cwd`, then `MAIA_CWD`, `INIT_CWD` (npm, pnpm), then the current folder. Undefined where it is no folder. */
export const findPlaces = (
  env: Readonly<Record<string, string | undefined>>,
  cwd: string | undefined
): Places | { readonly missing: string } => {
  const wanted = cwd ?? nonEmpty(env["MAIA_CWD"]) ?? nonEmpty(env["INIT_CWD"]) ?? currentFolder(env)
  const home = realFolder(nonEmpty(env["HOME"]) ?? os.homedir()) ?? os.homedir()
  const launchFolder = realFolder(path.resolve(wanted))
  if (launchFolder === undefined) return { missing: path.resolve(wanted) }
  const cacheDir = cacheFolder(path.join(nonEmpty(env["XDG_CACHE_HOME"]) ?? path.join(home, ".cache"), "maia"))
  return {
    launchFolder,
    home,
    userDir: path.join(home, ".maia"),
    projectDir: path.join(launchFolder, ".maia"),
    outputDir: path.join(cacheDir, "output"),
    cacheDir
  }
}

const nonEmpty = (value: string | undefined): string | undefined =>
  value === undefined || value === "" ? undefined : value

/** The current folder may have been deleted under us. */
const currentFolder = (env: Readonly<Record<string, string | undefined>>): string => {
  try {
    return process.cwd()
  } catch {
    return nonEmpty(env["PWD"]) ?? "/"
  }
}

const realFolder = (folder: string): string | undefined => {
  try {
    const real = fs.realpathSync(folder)
    return fs.statSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}
