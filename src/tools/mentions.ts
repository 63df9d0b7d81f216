/**
 * Resolves the `@file` references of what the user typed (MAIA §11.4, spec 02). No permission rule is asked: the user
 * named the file. The text typed is not changed; contents are presented as data. Never fails, never waits on a pipe or a
 * device.
 */
import { Effect, FileSystem, Option, Path, Stream } from "effect"
import { Base64 } from "effect/encoding"
import { Config } from "../config/Config.ts"
import { imageType } from "../domain/imageType.ts"
import type { Attachment } from "../domain/message.ts"
import { text, type Text } from "../domain/text.ts"
import {
  candidates,
  cutMiddle,
  findMentions,
  looksLikePath,
  MAX_MENTIONS,
  presentAsData,
  safeName,
  type Mention
} from "./mentionSyntax.ts"
import { decodeBody } from "./web/charset.ts"

/** Bytes of a file that may be brought in. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024
/** Characters of one file. */
export const MAX_FILE_CHARACTERS = 50_000
/** Characters of content in one input, all its files together. */
export const MAX_INPUT_CHARACTERS = 150_000
/** Entries of a folder. */
export const MAX_ENTRIES = 200

export interface MentionOptions {
  /** `path`: only the path is named and the model reads the file itself (profiles of small windows). */
  readonly mode: "content" | "path"
  /** The model takes images. */
  readonly images: boolean
  /** What relative paths are relative to, in the order in which they are tried; the launch folder when absent. */
  readonly folders?: ReadonlyArray<string>
  /** What looks like a path and names nothing is no warning: code in a prepared text is full of it. */
  readonly ignoreMissing?: boolean
  /** Whether a file found may be brought in; every one where absent. Told its real path. */
  readonly mayBring?: (path: string) => Effect.Effect<boolean>
}

export interface ResolvedMentions {
  /** For the model, in the order of the references. */
  readonly blocks: ReadonlyArray<string>
  readonly attachments: ReadonlyArray<Attachment>
  readonly warnings: ReadonlyArray<Text>
}

/** What one reference brings. */
interface Piece {
  readonly block?: string
  /** Characters of content in the block. */
  readonly characters?: number
  readonly attachment?: Attachment
  readonly warning?: Text
}

interface Target {
  readonly name: string
  readonly path: string
  readonly info: FileSystem.File.Info
}

type Needs = FileSystem.FileSystem | Path.Path | Config

export const resolveMentions = Effect.fn("resolveMentions")(function* (
  input: string,
  options: MentionOptions
): Effect.fn.Return<ResolvedMentions, never, Needs> {
  const blocks: Array<string> = []
  const attachments: Array<Attachment> = []
  const warnings: Array<Text> = []
  const seen = new Set<string>()
  let left = MAX_INPUT_CHARACTERS
  const mentions = findMentions(input)
  if (mentions.length > MAX_MENTIONS) {
    warnings.push(
      text(
        `Only the first ${MAX_MENTIONS} of ${mentions.length} @ references were looked up.`,
        `Seules les ${MAX_MENTIONS} premières références @ sur ${mentions.length} ont été cherchées.`
      )
    )
  }
  for (const mention of mentions.slice(0, MAX_MENTIONS)) {
    const target = yield* locate(mention, options.folders)
    if (target === undefined) {
      if (options.ignoreMissing !== true && looksLikePath(mention)) warnings.push(notFound(mention.name))
      continue
    }
    if (seen.has(target.path)) continue
    seen.add(target.path)
    if (options.mayBring !== undefined && !(yield* options.mayBring(target.path))) {
      warnings.push(notAllowed(target.name))
      continue
    }
    const piece = yield* bring(target, options, left)
    if (piece.block !== undefined) blocks.push(piece.block)
    left -= piece.characters ?? 0
    if (piece.attachment !== undefined) attachments.push(piece.attachment)
    if (piece.warning !== undefined) warnings.push(piece.warning)
  }
  return { blocks, attachments, warnings }
})

/** The file a reference names, by its real path; undefined: none. */
const locate = Effect.fnUntraced(function* (
  mention: Mention,
  folders: ReadonlyArray<string> | undefined
): Effect.fn.Return<Target | undefined, never, Needs> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { launchFolder, home } = yield* Config
  const places = (folders ?? [launchFolder]).flatMap((folder) => candidates(mention).map((name) => ({ folder, name })))
  for (const { folder, name } of places) {
    if (name.includes("\0")) continue
    const full = name === "~" || name.startsWith("~/") ? path.join(home, name.slice(1)) : path.resolve(folder, name)
    const found = yield* Effect.option(
      Effect.flatMap(fs.realPath(full), (real) => Effect.map(fs.stat(real), (info) => ({ name, path: real, info })))
    )
    if (Option.isSome(found)) return found.value
  }
  return undefined
})

const bring = (target: Target, options: MentionOptions, left: number): Effect.Effect<Piece, never, Needs> => {
  if (target.info.type === "Directory") return options.mode === "path" ? namePath(target) : listFolder(target, left)
  if (target.info.type === "File") return bringFile(target, options, left)
  return Effect.succeed({
    warning: text(`@${target.name}: not a file or folder.`, `@${target.name} : ni un fichier ni un dossier.`)
  })
}

const namePath = ({ path }: Target): Effect.Effect<Piece> =>
  Effect.succeed({ block: `[attached file: ${safeName(path)}]` })

const listFolder = Effect.fnUntraced(function* (
  { name, path: folder }: Target,
  left: number
): Effect.fn.Return<Piece, never, Needs> {
  const fs = yield* FileSystem.FileSystem
  const entries = yield* Effect.option(fs.readDirectoryEntries(folder))
  if (Option.isNone(entries)) return { warning: unreadable(name) }
  const names = entries.value
    .map((entry) => safeName(entry.type === "Directory" ? `${entry.name}/` : entry.name))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const more = names.length > MAX_ENTRIES ? [`[${names.length - MAX_ENTRIES} more entries]`] : []
  const title = `The user attached the folder ${safeName(name)} (${names.length} entries).`
  return present(name, title, [...names.slice(0, MAX_ENTRIES), ...more].join("\n"), left)
})

const bringFile = Effect.fnUntraced(function* (
  target: Target,
  options: MentionOptions,
  left: number
): Effect.fn.Return<Piece, never, Needs> {
  const { name, path: file, info } = target
  if (options.mode === "path" && !/\.(?:png|jpe?g|gif|webp)$/i.test(file)) return yield* namePath(target)
  if (info.size > MAX_FILE_BYTES) return { warning: tooLarge(name) }
  const read = yield* Effect.option(readStart(file))
  if (Option.isNone(read)) return { warning: unreadable(name) }
  const bytes = read.value
  // Some files (/proc) are larger than they say.
  if (bytes.length > MAX_FILE_BYTES) return { warning: tooLarge(name) }
  const mediaType = imageType(bytes)
  if (mediaType !== undefined) {
    if (!options.images) return { warning: noImages(name) }
    const path = yield* Path.Path
    return {
      block: `[attached image: ${safeName(name)}]`,
      attachment: { type: "image", mediaType, data: Base64.encode(bytes), name: path.basename(file) }
    }
  }
  if (options.mode === "path") return yield* namePath(target)
  if (isBinary(bytes)) return { warning: binary(name) }
  const content = decodeBody(bytes, undefined)
  return present(name, `The user attached ${safeName(name)} (${content.length} characters).`, content, left)
})

/** The file up to one byte past the limit. */
const readStart = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const chunks = yield* Stream.runCollect(fs.stream(file, { bytesToRead: MAX_FILE_BYTES + 1 }))
  return new Uint8Array(Buffer.concat(chunks))
})

const isBinary = (bytes: Uint8Array): boolean => {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  return !utf16 && bytes.subarray(0, 8192).includes(0)
}

/** Room below which a cut file says nothing. */
const LEAST = 1000

const present = (name: string, title: string, content: string, left: number): Piece => {
  const room = Math.min(MAX_FILE_CHARACTERS, left)
  if (content.length > room && room < LEAST) return { warning: noRoom(name) }
  const kept = cutMiddle(content, room)
  return { block: presentAsData(title, kept), characters: kept.length }
}

const notFound = (name: string): Text =>
  text(
    `@${safeName(name)}: no such file, left as text.`,
    `@${safeName(name)} : aucun fichier de ce nom, laissé tel quel.`
  )

const notAllowed = (name: string): Text =>
  text(
    `@${safeName(name)}: not attached, the permission rules or its place do not allow it.`,
    `@${safeName(name)} : non joint, les règles de permissions ou son emplacement ne le permettent pas.`
  )

const unreadable = (name: string): Text =>
  text(`@${safeName(name)}: cannot be read.`, `@${safeName(name)} : illisible.`)

const tooLarge = (name: string): Text =>
  text(`@${safeName(name)}: larger than 2 MB, not attached.`, `@${safeName(name)} : plus de 2 Mo, non joint.`)

const binary = (name: string): Text =>
  text(`@${safeName(name)}: binary file, not attached.`, `@${safeName(name)} : fichier binaire, non joint.`)

const noImages = (name: string): Text =>
  text(
    `@${safeName(name)}: this model takes no images, not attached.`,
    `@${safeName(name)} : ce modèle n'accepte pas les images, non joint.`
  )

const noRoom = (name: string): Text =>
  text(
    `@${safeName(name)}: not attached, the 150,000 characters of this request are used up.`,
    `@${safeName(name)} : non joint, les 150 000 caractères de cette demande sont épuisés.`
  )
