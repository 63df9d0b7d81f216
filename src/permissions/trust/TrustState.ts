/**
 * What the rest of maia asks about folder trust (spec 03): two references with safe defaults, so that a composition without
 * `FolderTrust` trusts nothing. `FolderTrust.layer` provides them.
 */
import { Context, Effect } from "effect"

/**
 * Whether the project's `.maia` is trusted now: until then its `allow` rules are ignored and nothing of it runs. Cheap: may
 * be asked for every decision.
 */
export const TrustState = Context.Reference<Effect.Effect<boolean>>("maia/permissions/TrustState", {
  defaultValue: () => Effect.succeed(false)
})

/** Whether the user trusts the folder for this run whatever it holds (`--trust`). */
export const TrustThisRun = Context.Reference<boolean>("maia/permissions/TrustThisRun", { defaultValue: () => false })

export interface OwnWrite {
  /** Path below `.maia`, with `/`: `settings.json`. */
  readonly name: string
  /** The exact text that was there; undefined where there was no file. */
  readonly before: string | undefined
  readonly after: string
}

/**
 * Told what maia itself has written into the project's `.maia` (the rule of an "always"), so that the user is not asked about
 * it. Takes over only what was trusted before, and only when `before` is what was trusted. Gives back whether the folder is
 * trusted afterwards: where it is not, the written rule does not count yet.
 */
export const NoteOwnWrite = Context.Reference<(write: OwnWrite) => Effect.Effect<boolean>>(
  "maia/permissions/NoteOwnWrite",
  { defaultValue: () => () => Effect.succeed(false) }
)
