/**
 * Entry of the conversion thread: one page in, one answer out. Alone in its thread so that a page that takes for ever
 * can be given up (`convert.ts`). The build names this file as a second entry point.
 */
import { htmlToMarkdown, type MarkdownPage } from "./htmlToMarkdown.ts"

export interface ConvertRequest {
  readonly html: string
  readonly url: string
}

export type ConvertAnswer = ({ readonly ok: true } & MarkdownPage) | { readonly ok: false; readonly reason: string }

const answerTo = ({ html, url }: ConvertRequest): ConvertAnswer => {
  try {
    return { ok: true, ...htmlToMarkdown(html, url) }
  } catch (cause) {
    return { ok: false, reason: cause instanceof Error ? cause.message : String(cause) }
  }
}

addEventListener("message", (event: MessageEvent<ConvertRequest>) => {
  postMessage(answerTo(event.data))
})
