/**
 * Reads a small text file of an extension, whatever it really is: a pipe, a picture, a huge file or another encoding is a
 * problem with words, never a crash or a wait.
 */
import { Effect, FileSystem } from "effect"
import { text, type Text } from "../domain/text.ts"

export interface Source {
  /** Without byte order mark, with `\n` line ends. */
  readonly content: string
}

export interface SourceProblem {
  /** Completes "FILE: …". */
  readonly problem: Text
  /** There is no such file. */
  readonly missing: boolean
}

export const readSource = Effect.fnUntraced(function* (
  file: string,
  maxBytes: number
): Effect.fn.Return<Source | SourceProblem, never, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.gen(function* () {
    const info = yield* fs.stat(file)
    if (info.type !== "File") return problem("is no plain file", "n'est pas un fichier ordinaire")
    if (Number(info.size) > maxBytes) {
      const most = `${Math.round(maxBytes / 1000)} kB`
      return problem(
        `is larger than ${most} (${Math.round(Number(info.size) / 1000)} kB)`,
        `dépasse ${most.replace("kB", "Ko")} (${Math.round(Number(info.size) / 1000)} Ko)`
      )
    }
    return decode(yield* fs.readFile(file))
  }).pipe(
    Effect.catch((error) =>
      Effect.succeed({
        ...problem(`cannot be read (${error.reason._tag})`, `ne peut pas être lu (${error.reason._tag})`),
        missing: error.reason._tag === "NotFound"
      })
    )
  )
})

const decode = (bytes: Uint8Array): Source | SourceProblem => {
  let content: string
  try {
    content = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return problem("is not UTF-8; save it as UTF-8", "n'est pas en UTF-8 ; enregistrez-le en UTF-8")
  }
  if (content.includes("\0")) return problem("is no text: it contains NUL", "n'est pas du texte : il contient NUL")
  return { content: content.replace(/\r\n?/g, "\n") }
}

const problem = (en: string, fr: string): SourceProblem => ({ problem: text(en, fr), missing: false })
