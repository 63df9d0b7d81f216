/** Files named by `--image` and `--system-append`. */
import { Effect, FileSystem, Path } from "effect"
import { Base64 } from "effect/encoding"
import type { Config } from "../../config/Config.ts"
import type { Attachment } from "../../domain/message.ts"
import type { Text } from "../../domain/text.ts"
import { cannotRead, notAnImage } from "../messages.ts"
import { imageType } from "../../domain/imageType.ts"

export interface Extras {
  readonly attachments: ReadonlyArray<Attachment>
  readonly systemAppend: string | undefined
}

export const loadExtras = Effect.fn("Headless.loadExtras")(function* (
  config: Config["Service"],
  wanted: { readonly images: ReadonlyArray<string>; readonly systemAppend: string | undefined }
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const attachments: Array<Attachment> = []
  for (const name of wanted.images) {
    const bytes = yield* Effect.result(fs.readFile(path.resolve(config.launchFolder, name)))
    if (bytes._tag === "Failure") return problem(cannotRead(name, bytes.failure.message))
    const mediaType = imageType(bytes.success)
    if (mediaType === undefined) return problem(notAnImage(name))
    attachments.push({
      type: "image",
      mediaType,
      data: Base64.encode(bytes.success),
      name: path.basename(name)
    })
  }
  let systemAppend: string | undefined
  if (wanted.systemAppend !== undefined) {
    const source = yield* Effect.result(fs.readFileString(path.resolve(config.launchFolder, wanted.systemAppend)))
    if (source._tag === "Failure") return problem(cannotRead(wanted.systemAppend, source.failure.message))
    systemAppend = source.success
  }
  const extras: Extras = { attachments, systemAppend }
  return extras
})

const problem = (text: Text) => ({ problem: text })
