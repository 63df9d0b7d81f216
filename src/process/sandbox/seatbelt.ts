/**
 * The profile of `sandbox-exec` on macOS for a plan. Pure. The last rule that matches decides; paths are real ones, they
 * need not exist.
 */
import { REMOVED_VARIABLES } from "./hidden.ts"
import { temporaryVariables } from "./bubblewrap.ts"
import { depthOf, type SandboxPlan } from "./plan.ts"

export const SANDBOX_EXEC = "/usr/bin/sandbox-exec"

/** The whole command line. There is no private `/tmp` here: `TMPDIR` names the private folder. */
export const seatbeltCommand = (plan: SandboxPlan, argv: ReadonlyArray<string>): ReadonlyArray<string> => [
  SANDBOX_EXEC,
  "-p",
  seatbeltProfile(plan),
  "/usr/bin/env",
  ...REMOVED_VARIABLES.flatMap((name) => ["-u", name]),
  ...Object.entries(temporaryVariables(plan.temporary)).map(([name, value]) => `${name}=${value}`),
  ...argv
]

export const seatbeltProfile = (plan: SandboxPlan): string =>
  [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    ...byDepth(plan),
    `(allow file-write* ${[...DEVICES.map(literal), '(regex #"^/dev/tty")', '(subpath "/dev/fd")'].join(" ")})`,
    // A folder that moves away would take its protection along.
    ...plan.pinned.map((path) => `(deny file-write-unlink ${literal(path)})`),
    // Signals only to what was started here, and nothing that acts outside on a command's behalf.
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny appleevent-send)",
    "(deny lsopen)",
    ...(plan.network ? [] : ["(deny network*)"])
  ].join("\n")

/** What is said of a path deeper down decides. */
const byDepth = (plan: SandboxPlan): ReadonlyArray<string> => {
  const rules = (paths: ReadonlyArray<string>, head: string) =>
    paths.map((path) => ({ depth: depthOf(path), rule: `(${head} ${subpath(path)})` }))
  return [
    ...rules([...plan.hiddenFolders, ...plan.hiddenFiles], "deny file-read* file-write*"),
    ...rules(plan.shown, "allow file-read*"),
    ...rules([...plan.writable, plan.temporary], "allow file-read* file-write*"),
    ...rules(plan.fixed, "deny file-write*")
  ]
    .sort((a, b) => a.depth - b.depth)
    .map(({ rule }) => rule)
}

const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/stdout", "/dev/stderr"]

const literal = (path: string): string => `(literal ${quote(path)})`
const subpath = (path: string): string => `(subpath ${quote(path)})`

const quote = (path: string): string => `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
