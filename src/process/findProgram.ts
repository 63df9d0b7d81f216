/** Where a program is that is started without a shell, or in words why it cannot be started. Only looks at files. */
import * as fs from "node:fs"
import * as path from "node:path"

export interface ProgramPlaces {
  readonly path: string | undefined
  /** A program written with a slash is looked for from here. */
  readonly cwd: string
  readonly platform: NodeJS.Platform
}

/** An absolute path, or an English sentence without its end. */
export const findProgram = (
  name: string,
  { cwd, path: searched, platform }: ProgramPlaces
): { readonly program: string } | { readonly problem: string } => {
  if (name === "") return { problem: "no program is named" }
  const hasFolder = name.includes("/") || (platform === "win32" && name.includes("\\"))
  const program = hasFolder ? path.resolve(cwd, name) : Bun.which(name, { PATH: absoluteOnly(searched) })
  if (program === null) return { problem: `the program ${JSON.stringify(name)} was not found on PATH` }
  if (platform === "win32" && /\.(?:cmd|bat)$/i.test(program)) {
    return { problem: `${program} is a batch file, which only a shell can run` }
  }
  try {
    if (!fs.statSync(program).isFile()) return { problem: `${program} is no file` }
    fs.accessSync(program, fs.constants.X_OK)
    return { program }
  } catch (error) {
    // Node's file errors carry a string `code`.
    const isMissing = error instanceof Error && "code" in error && error.code !== "EACCES"
    return { problem: isMissing ? `${program} does not exist` : `${program} is not executable (chmod +x)` }
  }
}

/** A relative folder on PATH would mean another program in each folder. */
const absoluteOnly = (searched = ""): string =>
  searched
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .join(path.delimiter)
