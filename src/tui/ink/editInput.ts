/** Ctrl+G: a text in the user's editor (`VISUAL`, `EDITOR`, else `vi`). */
import { Effect, FileSystem, Path } from "effect"
import { runInTerminal } from "../../process/runInTerminal.ts"

export interface EditorPlace {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The text as the editor left it; undefined where it failed or the user left it with an error. */
export const editText = Effect.fn("Tui.editText")(
  function* (text: string, { cwd, env }: EditorPlace) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* fs.makeTempDirectoryScoped({ prefix: "maia-" })
    const file = path.join(folder, "request.md")
    yield* fs.writeFileString(file, text, { mode: 0o600 })
    const code = yield* runInTerminal(nonEmpty(env["VISUAL"]) ?? nonEmpty(env["EDITOR"]) ?? "vi", file, { cwd, env })
    return code === 0 ? (yield* fs.readFileString(file)).replace(/\r?\n$/, "") : undefined
  },
  Effect.scoped,
  Effect.orElseSucceed(() => undefined)
)

const nonEmpty = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value
