/** What "always" can write: each suggested rule for this session, this project, or everywhere. Pure. */
import { text, type Text } from "../../domain/text.ts"
import type { AlwaysOption } from "../store/state.ts"

const SCOPES: ReadonlyArray<AlwaysOption["scope"]> = ["session", "project", "user"]

/** Most precise rule first, narrowest scope first. */
export const alwaysOptions = (suggestions: ReadonlyArray<string>): ReadonlyArray<AlwaysOption> =>
  suggestions.flatMap((rule) => SCOPES.map((scope) => ({ rule, scope })))

/** Where the rule goes, with the file. */
export const scopeText: Readonly<Record<AlwaysOption["scope"], Text>> = {
  session: text("this session", "cette session"),
  project: text("this project, .maia/settings.json", "ce projet, .maia/settings.json"),
  user: text("everywhere, ~/.maia/settings.json", "partout, ~/.maia/settings.json")
}
