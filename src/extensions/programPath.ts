/**
 * Where a program that settings name by a path begins (hooks, language servers): the user's at the home folder, so that it is
 * never one of the project's; a project's at the launch folder. A bare name is looked for on PATH. Pure.
 */
import type { Config } from "../config/Config.ts"

export const placedCommand = (
  argv: ReadonlyArray<string>,
  scope: "user" | "project",
  places: Pick<Config["Service"], "home" | "launchFolder">
): ReadonlyArray<string> => {
  const [program = "", ...rest] = argv
  if (program.startsWith("~/")) return [`${places.home}/${program.slice(2)}`, ...rest]
  if (program.startsWith("/") || !program.includes("/")) return argv
  return [`${scope === "user" ? places.home : places.launchFolder}/${program.replace(/^\.\//, "")}`, ...rest]
}
