/**
 * What an attachment costs in tokens, as the providers count it. Pure.
 *
 * | model name contains | an image costs | source |
 * | --- | --- | --- |
 * | `claude` | width × height / 750, the long edge scaled down to 1568, at most 1 600 | Anthropic, "Vision" |
 * | `gemini`, `gemma` | 258 up to 384 × 384, else 258 for each tile of 768 × 768 | Google, "Understand and count tokens" |
 * | `gpt-4o-mini` | 2 833 and 5 667 for each tile of 512 | OpenAI, "Images and vision" |
 * | anything else | 85 and 170 for each tile of 512, scaled into 2048² and its short edge to 768 | the same, `gpt-4o` |
 *
 * A size that cannot be read counts as 1024 × 1024. A file is counted as text where it is text; else as a provider's rough
 * cost of a document, by its size.
 */
import type { Attachment } from "../../domain/message.ts"
import { imageSize, type ImageSize } from "./imageSize.ts"

const UNKNOWN_SIZE: ImageSize = { width: 1024, height: 1024 }
/** A page of PDF has some 50 kB and is read as some 2 500 tokens of text and image. */
const DOCUMENT_BYTES_PER_TOKEN = 20
const DOCUMENT_MINIMUM = 500

export type ImageFamily = "claude" | "gemini" | "mini" | "tiles"

export const imageFamily = (model: string): ImageFamily => {
  const name = model.toLowerCase()
  if (name.includes("claude")) return "claude"
  if (name.includes("gemini") || name.includes("gemma")) return "gemini"
  return name.includes("gpt-4o-mini") ? "mini" : "tiles"
}

/** Tokens of an image of this size. */
export const imageTokens = (size: ImageSize, family: ImageFamily): number => {
  switch (family) {
    case "claude": {
      const { width, height } = fit(size, 1568)
      return Math.min(1600, Math.ceil((width * height) / 750))
    }
    case "gemini":
      return size.width <= 384 && size.height <= 384 ? 258 : 258 * tiles(size, 768)
    case "mini":
      return 2833 + 5667 * openAiTiles(size)
    case "tiles":
      return 85 + 170 * openAiTiles(size)
  }
}

const openAiTiles = (size: ImageSize): number => {
  const inside = fit(size, 2048)
  const short = Math.min(inside.width, inside.height)
  return tiles(short > 768 ? scale(inside, 768 / short) : inside, 512)
}

const tiles = ({ width, height }: ImageSize, edge: number): number => Math.ceil(width / edge) * Math.ceil(height / edge)

const scale = ({ width, height }: ImageSize, by: number): ImageSize => ({
  width: Math.max(1, Math.round(width * by)),
  height: Math.max(1, Math.round(height * by))
})

/** Scaled down so that its long edge is at most `edge`. */
const fit = (size: ImageSize, edge: number): ImageSize => {
  const long = Math.max(size.width, size.height)
  return long > edge ? scale(size, edge / long) : size
}

const isText = (mediaType: string): boolean =>
  /^text\/|[/+](json|xml|yaml|toml|csv|javascript|typescript)\b/i.test(mediaType)

/** `countText` counts the tokens of the files that are text. */
export const attachmentTokens = (
  attachment: Attachment,
  family: ImageFamily,
  countText: (text: string) => number
): number => {
  if (attachment.type === "image") return imageTokens(imageSize(attachment.data) ?? UNKNOWN_SIZE, family)
  if (isText(attachment.mediaType)) return countText(decodeText(attachment.data))
  return Math.max(DOCUMENT_MINIMUM, Math.ceil((attachment.data.length * 0.75) / DOCUMENT_BYTES_PER_TOKEN))
}

const decodeText = (base64: string): string => {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    return base64
  }
}
