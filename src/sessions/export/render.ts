/**
 * A session as text for people or programs: Markdown, JSON, or one HTML page. Pure. What models, tools and files wrote is data
 * here: it is escaped, never markup.
 */
import type { ExportFormat } from "../Sessions.ts"
import { toHtml } from "./html.ts"
import { toMarkdown } from "./markdown.ts"
import type { Exportable } from "./transcript.ts"

const toJson = ({ name, header, path }: Exportable): string =>
  `${JSON.stringify({ name, header, entries: path }, null, 2).toWellFormed()}\n`

export const render = (session: Exportable, format: ExportFormat, language: "en" | "fr"): string => {
  if (format === "json") return toJson(session)
  return format === "html" ? toHtml(session, language) : toMarkdown(session, language)
}
