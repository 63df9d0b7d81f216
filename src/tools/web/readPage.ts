/**
 * What a fetched answer says, as text for the model: HTML as Markdown, JSON laid out, other text as it is (spec 02).
 */
import { Effect } from "effect"
import { decodeBody } from "./charset.ts"
import { kindOfBytes, kindOfType } from "./contentType.ts"
import { convertHtml } from "./convert.ts"
import { notConvertible, type WebFailure } from "./failure.ts"
import { indentJson } from "./indentJson.ts"
import type { FetchedPage } from "./PageFetcher.ts"

export interface ReadablePage {
  /** One line; empty where the page has none. */
  readonly title: string
  /** Never empty. */
  readonly content: string
  /** What is not as it should be with the content (English phrases). */
  readonly notes: ReadonlyArray<string>
}

export const readPage = Effect.fnUntraced(function* (page: FetchedPage): Effect.fn.Return<ReadablePage, WebFailure> {
  const notes = page.partial === undefined ? [] : [`the page is not complete: ${page.partial}`]
  const declared = kindOfType(page.mediaType)
  const seen = kindOfBytes(page.bytes)
  // An empty body has no kind to check, and a charset such as UTF-16 puts zeros into text.
  const binary = seen === "binary" && page.charset === undefined
  if (binary) {
    const type = page.mediaType === "" ? "no type" : page.mediaType
    return yield* notConvertible(
      "not a text page",
      `The address holds binary data (${type}), which WebFetch cannot read (no PDF, images or archives).`
    )
  }
  const text = decodeBody(page.bytes, page.charset)
  const kind = declared ?? seen
  if (kind === "html") {
    const converted = yield* convertHtml(text, page.url.href)
    const reduced = converted.reduced === undefined ? [] : [`plain text only: ${converted.reduced}`]
    return yield* ifNotEmpty(converted.title, converted.markdown, [...notes, ...reduced])
  }
  return yield* ifNotEmpty("", kind === "json" ? indentJson(text) : text, notes)
})

const ifNotEmpty = (
  title: string,
  content: string,
  notes: ReadonlyArray<string>
): Effect.Effect<ReadablePage, WebFailure> =>
  content.trim() === ""
    ? notConvertible(
        "empty page",
        "The page holds no text (it may need JavaScript, which is not run). Nothing was saved. Use another source."
      )
    : Effect.succeed({ title: oneLine(title), content: content.toWellFormed(), notes })

const oneLine = (title: string): string =>
  title
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, 200)
    .toWellFormed()
