/**
 * One finished item of the log as lines for the terminal. Pure: the same item, width and style give the same lines. All text
 * that is not ours passes `safeText` or `safeLine`.
 */
import type { MarkdownRenderer } from "../text/markdown/loadMarkdown.ts"
import { safeLine, safeText } from "../text/safeText.ts"
import { cellWidth, pad, truncate, wrapCells, wrapWords } from "../text/width.ts"
import type { FinishedTool, Language, LogBody } from "../store/state.ts"
import type { Theme } from "../text/theme.ts"

export interface LogView {
  readonly width: number
  readonly theme: Theme
  readonly language: Language
  readonly markdown: MarkdownRenderer | undefined
}

/** UTF-16 units of a tool's result that are shown (MAIA §15.1). */
const RESULT_PREVIEW = 600
/** Lines of them. */
const RESULT_LINES = 8

export const logLines = (item: LogBody, view: LogView): ReadonlyArray<string> => {
  const { theme, width } = view
  switch (item.type) {
    case "banner":
      return [theme.strong(`Maia ${item.version}`), theme.dim(truncate(safeLine(item.folder), width))]
    case "info":
      return badged("INFO", theme.info, theme.infoText(safeText(item.text)), view)
    case "warn":
      return badged("WARN", theme.warn, safeText(item.text), view)
    case "fail":
      return badged("FAIL", theme.fail, theme.failText(safeText(item.text)), view)
    case "plain":
      return wrapCells(safeText(item.text), width)
    case "table":
      return tableLines(item.rows, view)
    case "user":
      return wrapWords(safeText(item.text), width, { first: theme.accent("› "), rest: "  " })
    case "answer":
      return view.markdown?.render(item.markdown, { width, theme }) ?? wrapWords(safeText(item.markdown).trim(), width)
    case "thinking":
      return [theme.dim(`∴ ${item.seconds.toFixed(0)} s`)]
    case "tool":
      return toolLines(item.tool, view)
    case "answered":
      return wrapWords(
        `${safeText(item.question)}${view.language === "fr" ? " : " : ": "}${theme.strong(safeText(item.choice))}`,
        width,
        {
          first: theme.accent("◆ "),
          rest: "  "
        }
      )
    case "shell":
      return [
        theme.strong(truncate(`! ${safeLine(item.command)}`, width)),
        ...wrapCells(safeText(item.shown), width, { first: "  " }),
        theme.dim(truncate(safeLine(item.status), width))
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
  { theme, width }: LogView
): ReadonlyArray<string> => {
  const mark = result.isError ? theme.bad("✗") : theme.good("✓")
  const head = `${mark} ${theme.strong(safeLine(name))} ${safeLine(JSON.stringify(input) ?? "")}`
  const time = seconds >= 1 ? theme.dim(` ${seconds.toFixed(1)} s`) : ""
  const preview = safeText(result.text.slice(0, RESULT_PREVIEW)).trimEnd()
  const lines = wrapCells(preview, width, { first: "  " })
  return [truncate(head, width - 8) + time, ...lines.slice(0, RESULT_LINES).map(theme.dim)]
}

/** Values begin in one column; under a name that leaves them no room they stand on lines of their own. */
const tableLines = (
  rows: ReadonlyArray<readonly [name: string, value: string]>,
  { theme, width }: LogView
): ReadonlyArray<string> => {
  const column = Math.min(Math.max(...rows.map(([name]) => cellWidth(safeLine(name)))), Math.floor(width / 2)) + 2
  return rows.flatMap(([name, value]) => {
    const shown = safeLine(name)
    const isLong = cellWidth(shown) + 2 > column
    const first = theme.accent(pad(shown, isLong ? cellWidth(shown) : column))
    const lines = wrapWords(safeText(value), Math.max(8, width - column))
    const rest = lines.slice(isLong ? 0 : 1).map((line) => " ".repeat(column) + line)
    return [isLong ? truncate(first, width) : first + (lines[0] ?? ""), ...rest]
  })
}
