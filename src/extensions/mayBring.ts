/**
 * Which files the text of a skill or a command may bring in by `@file` (spec 08). The user did not type the reference, so no
 * rule is passed over for it: what is denied stays out, secrets stay out, and a project's text reaches its own folder and
 * the launch folder only. The model can still read such a file, and is then asked for permission as usual.
 */
import { Effect } from "effect"
import type { Config } from "../config/Config.ts"
import { isInside } from "../permissions/paths.ts"
import type { Permissions } from "../permissions/Permissions.ts"
import { guardedPath } from "../permissions/secrets.ts"
import { realOrParent } from "../process/paths.ts"

export interface Author {
  /** Its own folder, which it may always reach. */
  readonly folder: string | undefined
  readonly level: "project" | "parent" | "user"
}

export const mayBring =
  (author: Author, config: Config["Service"], permissions: Permissions["Service"]) =>
  (path: string): Effect.Effect<boolean> =>
    Effect.gen(function* () {
      const folder = author.folder === undefined ? undefined : realOrParent(author.folder)
      const own = folder !== undefined && isInside(path, folder)
      if (!own && !isInside(path, config.launchFolder) && author.level !== "user") return false
      // The user's skills lie in a private folder themselves: within one, only what is private there counts.
      const places = { launchFolder: config.launchFolder, home: own ? folder : config.home, ignoreCase: false }
      if (guardedPath(path, places, false) !== undefined) return false
      const { decision, rule } = yield* permissions.decide({ tool: "Read", input: { path }, fallback: "ask" })
      return decision === "allow" || (decision === "ask" && rule === undefined)
    })
