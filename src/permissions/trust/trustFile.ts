/**
 * `~/.maia/trust.json`: which folders the user trusts, and what they held then. Several instances of maia share it (field
 * case D11). Knows the form of the file only.
 */
import { Effect, FileSystem, Result, Schema } from "effect"
import { LockedFileError, updateLockedFile } from "../../config/lockedFile.ts"
import { text, Text } from "../../domain/text.ts"
import type { Parts } from "./parts.ts"

export class TrustError extends Schema.TaggedError<TrustError>()("TrustError", { text: Text }) {
  override get message(): string {
    return this.text.en
  }
}

export interface TrustedFolder {
  /** ISO time of the user's answer. */
  readonly trustedAt: string
  readonly parts: Parts
}

/** By real path. */
export type TrustedFolders = ReadonlyMap<string, TrustedFolder>

const TrustJson = Schema.fromJsonString(
  Schema.Struct({
    folders: Schema.Record(
      Schema.String,
      Schema.Struct({ trustedAt: Schema.String, parts: Schema.Record(Schema.String, Schema.String) })
    )
  })
)

const decode = Schema.decodeUnknownResult(TrustJson)

/** Fails for a text that is not maia's: nobody's trust may be lost by overwriting it. */
const parse = (file: string, content: string | undefined): Effect.Effect<TrustedFolders, TrustError> =>
  Effect.suspend(() => {
    if (content === undefined || content.trim() === "") return Effect.succeed(new Map())
    const decoded = decode(content)
    if (Result.isFailure(decoded)) return new TrustError({ text: notReadable(file) })
    return Effect.succeed(
      new Map(
        Object.entries(decoded.success.folders).map(([folder, { trustedAt, parts }]) => [
          folder,
          { trustedAt, parts: new Map(Object.entries(parts)) }
        ])
      )
    )
  })

const format = (folders: TrustedFolders): string => {
  const json = Object.fromEntries(
    [...folders].map(([folder, { trustedAt, parts }]) => [folder, { trustedAt, parts: Object.fromEntries(parts) }])
  )
  return `${JSON.stringify({ folders: json }, null, 2)}\n`
}

export const readTrustFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const content = yield* fs.readFileString(file).pipe(
    Effect.catchIf(
      (error) => error.reason._tag === "NotFound",
      () => Effect.undefined
    ),
    Effect.mapError((error) => new TrustError({ text: cannot("read", file, error.reason._tag) }))
  )
  return yield* parse(file, content)
})

/** `change` gives the new folders, or undefined for no change. */
export const updateTrustFile = (
  file: string,
  change: (folders: TrustedFolders) => TrustedFolders | undefined
): Effect.Effect<void, TrustError> =>
  updateLockedFile(file, (content) =>
    Effect.map(parse(file, content), (folders) => {
      const next = change(folders)
      return next === undefined ? undefined : format(next)
    })
  ).pipe(
    Effect.mapError((error) =>
      error instanceof LockedFileError ? new TrustError({ text: cannot("written", file, error.code) }) : error
    )
  )

const notReadable = (file: string): Text =>
  text(
    `${file} is not what maia writes there, so it is left alone and no folder counts as trusted. Repair or remove it.`,
    `${file} n'est pas ce que maia y écrit : il est laissé tel quel et aucun dossier n'est considéré comme fiable. Corrigez-le ou supprimez-le.`
  )

const cannot = (what: "read" | "written", file: string, code: string): Text =>
  text(
    `${file} cannot be ${what} (${code}).`,
    `${file} : ${what === "read" ? "lecture" : "écriture"} impossible (${code}).`
  )
