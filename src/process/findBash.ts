/**
 * Which bash runs commands: never `$SHELL`, because the permission rules judge the grammar of bash (spec 02 Bash).
 * Only looks whether files exist.
 */
import * as fs from "node:fs"
import * as path from "node:path"

export interface Places {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** A bash that lies in here belongs to the project, not to the user. */
  readonly launchFolder: string
}

/** An absolute path, or undefined. */
export const findBash = (places: Places): string | undefined => candidates(places).find(isFile)

/** What to tell where there is none. */
export const noBash = (platform: NodeJS.Platform): string =>
  platform === "win32"
    ? "Git Bash was not found; install Git for Windows (https://git-scm.com/download/win)"
    : "bash was not found on PATH, in /bin or in /usr/bin; install bash"

const candidates = (places: Places): ReadonlyArray<string> =>
  places.platform === "win32" ? windowsCandidates(places) : unixCandidates(places)

const unixCandidates = ({ env, launchFolder }: Places): ReadonlyArray<string> => {
  const onPath = (env["PATH"] ?? "")
    .split(":")
    .filter((folder) => folder.startsWith("/") && !isInside(folder, launchFolder))
    .map((folder) => path.posix.join(folder, "bash"))
  return [...onPath, "/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"]
}

/** `bash.exe` of System32 is the Linux subsystem: another file system, other paths. */
const windowsCandidates = ({ env }: Places): ReadonlyArray<string> => {
  const { join, dirname } = path.win32
  const roots = [
    env["ProgramFiles"],
    env["ProgramFiles(x86)"],
    env["LOCALAPPDATA"] && join(env["LOCALAPPDATA"], "Programs")
  ]
  const installed = roots.flatMap((root) => (root ? [join(root, "Git", "bin", "bash.exe")] : []))
  const besideGit = (env["PATH"] ?? env["Path"] ?? "")
    .split(";")
    .filter((folder) => folder !== "" && isFile(join(folder, "git.exe")))
    .map((folder) => join(dirname(folder), "bin", "bash.exe"))
  return [...installed, ...besideGit]
}

const isInside = (folder: string, parent: string): boolean =>
  parent !== "/" && (folder === parent || folder.startsWith(`${parent}/`))

const isFile = (file: string): boolean => {
  try {
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}
