/** Real commands in a temporary folder, and what is left of them afterwards. */
import { Effect, Layer, Schedule } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { BackgroundJobs } from "../../../src/process/BackgroundJobs.ts"
import { Shell, type ShellResult } from "../../../src/process/Shell.ts"
import { testConfigLayer, type TestConfig } from "../../support/testConfig.ts"

/** Removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "maia-process-")))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

export const shellLayer = (launchFolder: string, options: Partial<TestConfig> = {}) =>
  BackgroundJobs.layer.pipe(
    Layer.provideMerge(Shell.layer),
    Layer.provideMerge(testConfigLayer({ launchFolder, ...options }))
  )

export const outputOf = ({ output }: ShellResult): string =>
  new TextDecoder().decode(output.head) + (output.tail === undefined ? "" : new TextDecoder().decode(output.tail))

/** Tries until it is so; fails with `what` after five seconds. */
export const eventually = (what: string, isSo: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.fail(what))).pipe(
    Effect.retry({ schedule: Schedule.spaced(10), times: 500 }),
    Effect.orDie
  )

/** Living processes whose environment holds `NAME=value`. */
export const processesWith = (mark: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (const name of fs.readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      const environment = fs.readFileSync(`/proc/${name}/environ`, "latin1")
      const state = fs.readFileSync(`/proc/${name}/stat`, "latin1").split(") ")[1]?.[0]
      if (state !== "Z" && `\0${environment}`.includes(`\0${mark}\0`)) found.push(Number(name))
    } catch {
      // Ended in the meantime.
    }
  }
  return found
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return fs.readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.[0] !== "Z"
  } catch {
    return false
  }
}

export const readIfThere = (file: string): string => {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
