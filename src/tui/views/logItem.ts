/**
 * One finished item of the log as lines for the terminal. Pure: the same item, width and style give the same lines. All text
 * that is not ours passes `safeText` or `safeLine`.
 */
import { safeLine, safeText } from "../text/safeText.ts"
import { truncate, wrapCells, wrapWords } from "../text/width.ts"
import type { FinishedTool, Language, LogBody } from "../store/state.ts"
import type { Paint } from "./paint.ts"

export interface LogView {
  readonly width: number
  readonly paint: Paint
  readonly language: Language
}

/** UTF-16 units of a tool's result that are shown (MAIA §15.1). */
const RESULT_PREVIEW = 600
/** Lines of them. */
const RESULT_LINES = 8

export const logLines = (item: LogBody, view: LogView): ReadonlyArray<string> => {
  const { paint, width } = view
  switch (item.type) {
    case "banner":
      return [paint.strong(`Maia ${item.version}`), paint.dim(truncate(safeLine(item.folder), width))]
    case "info":
      return badged("INFO", paint.info, safeText(item.text), view)
    case "warn":
      return badged("WARN", paint.warn, safeText(item.text), view)
    case "fail":
      return badged("FAIL", paint.fail, safeText(item.text), view)
    case "plain":
      return wrapCells(safeText(item.text), width)
    case "user":
      return wrapWords(safeText(item.text), width, { first: paint.accent("› "), rest: "  " })
    case "answer":
      return wrapWords(safeText(item.markdown), width)
    case "thinking":
      return [paint.dim(`∴ ${item.seconds.toFixed(0)} s`)]
    case "tool":
      return toolLines(item.tool, view)
    case "answered":
      return wrapWords(
        `${safeText(item.question)}${view.language === "fr" ? " : " : ": "}${paint.strong(safeText(item.choice))}`,
        width,
        {
          first: paint.accent("◆ "),
          rest: "  "
        }
      )
    case "shell":
      return [
        paint.strong(truncate(`! ${safeLine(item.command)}`, width)),
        ...wrapCells(safeText(item.shown), width, { first: "  " }),
        paint.dim(truncate(safeLine(item.status), width))
      ]
  }
}

const badged = (
  name: string,
  badge: (text: string) => string,
  text: string,
  { width }: LogView
): ReadonlyArray<string> => wrapWords(text, width, { first: `${badge(` ${name} `)} `, rest: "       " })

const toolLines = (
  { input, name, result, seconds }: FinishedTool,
  { paint, width }: LogView
): ReadonlyArray<string> => {
  const mark = result.isError ? paint.bad("✗") : paint.good("✓")
  const head = `${mark} ${paint.strong(safeLine(name))} ${safeLine(JSON.stringify(input) ?? "")}`
  const time = seconds >= 1 ? paint.dim(` ${seconds.toFixed(1)} s`) : ""
  const preview = safeText(result.text.slice(0, RESULT_PREVIEW)).trimEnd()
  const lines = wrapCells(preview, width, { first: "  " })
  return [truncate(head, width - 8) + time, ...lines.slice(0, RESULT_LINES).map(paint.dim)]
}
