/**
 * Which files a search through a folder leaves out: what may not be read, or asks, may not reach the model as the hit of a
 * search either (spec 03, field case C19). Pure.
 */
import type { JudgeContext } from "./judgement.ts"
import { judgePath } from "./judgePath.ts"
import type { Rule } from "./Permissions.ts"
import { parseRule } from "./rules.ts"
import { guardedPath } from "./secrets.ts"

export interface SearchGuard {
  /** By absolute path, links resolved; `root` is the folder that was allowed to be searched. */
  readonly hides: (path: string, root: string, shows: "content" | "name") => boolean
}

export const searchGuard = (rules: ReadonlyArray<Rule>, places: JudgeContext["places"]): SearchGuard => {
  const own = rules.flatMap((rule) => parseRule(rule) ?? []).filter(({ tool }) => tool === "Read")
  const forbids = own.some(({ rule }) => rule.kind !== "allow")
  // Searches follow no link, so a file is where its path says.
  const facts = { real: (path: string) => path, exists: () => true, names: () => [] }
  const context: JudgeContext = { rules: own, places, facts, parser: undefined }
  const judged = (path: string) => judgePath({ path, tools: ["Read"], write: false }, context)
  return {
    hides: (path, root, shows) => {
      if (forbids && judged(path).rule !== undefined && judged(path).decision !== "allow") return true
      // Names of secrets say little. In a folder that is private itself, the search was allowed for all of it.
      if (shows === "name" || guardedPath(path, places, false) === undefined) return false
      return guardedPath(root, places, false) === undefined && judged(path).decision !== "allow"
    }
  }
}
