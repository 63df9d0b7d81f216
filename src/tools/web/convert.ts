/**
 * HTML to Markdown within a time limit (spec 02: conversion time bounded). The work is done in a thread; a page that takes
 * too long, nests too deep or breaks the library is reduced to plain text instead, in linear time.
 */
import { Effect, Option, Schema } from "effect"
import { askWorker } from "../../process/workerThread.ts"
import type { ConvertRequest } from "./convertWorker.ts"
import { htmlToText } from "./htmlToText.ts"

/** Milliseconds a conversion may take, the start of the thread included. */
export const CONVERT_LIMIT = 3000

export interface Converted {
  readonly title: string
  readonly markdown: string
  /** Reduced to plain text, and why (English). */
  readonly reduced?: string
}

const Answer = Schema.Union([
  Schema.Struct({ ok: Schema.Literal(true), title: Schema.String, markdown: Schema.String }),
  Schema.Struct({ ok: Schema.Literal(false), reason: Schema.String })
])

const ENTRY = { source: new URL("./convertWorker.ts", import.meta.url), fromSrc: "tools/web/convertWorker.ts" }

/** Never fails. `url` is where the page was found. */
export const convertHtml = Effect.fn("convertHtml")(function* (html: string, url: string): Effect.fn.Return<Converted> {
  const request: ConvertRequest = { html, url }
  const answer = yield* askWorker(ENTRY, request).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Answer)),
    Effect.catch((error) => Effect.succeed({ ok: false as const, reason: error.message })),
    Effect.timeoutOption(CONVERT_LIMIT)
  )
  if (Option.isSome(answer) && answer.value.ok) return answer.value
  const plain = htmlToText(html)
  const reduced = Option.isNone(answer) ? "the page took too long to convert" : "the page could not be converted"
  return { title: plain.title, markdown: plain.text, reduced }
})
