/**
 * One finished item of the log as lines for the terminal. Pure: the same item, width and style give the same lines. All text
 * that is not ours passes `safeText` or `safeLine`.
 */
import type { MarkdownRenderer } from "../text/markdown/loadMarkdown.ts"
import { duration } from "../text/duration.ts"
import { safeLine, safeText } from "../text/safeText.ts"
import { cellWidth, pad, truncate, wrapCells, wrapText, wrapWords } from "../text/width.ts"
import type { LogBody } from "../store/state.ts"
import { bannerLines } from "../text/banner.ts"
import { diffLines, patchLines } from "../text/diff.ts"
import { finishedCall, shellResult } from "../text/toolView.ts"
import type { View } from "../text/view.ts"
import * as phrases from "./phrases.ts"

export interface LogView extends View {
  readonly markdown: MarkdownRenderer | undefined
}

export const logLines = (item: LogBody, view: LogView): ReadonlyArray<string> => {
  const { theme, width } = view
  switch (item.type) {
    case "banner":
      return bannerLines(item, view)
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
      return wrapText(safeText(item.text), width, { first: theme.accent("› "), rest: "  " })
    case "answer":
      return view.markdown?.render(item.markdown, { width, theme }) ?? wrapText(safeText(item.markdown).trim(), width)
    case "thinking":
      return [theme.dim(truncate(`∴ ${phrases.thought(duration(item.seconds * 1_000))[view.language]}`, width))]
    case "thought":
      return wrapWords(safeText(item.text).trim(), width, { first: theme.dim("∴ "), rest: "  " }).map(theme.dim)
    case "tool":
      return finishedCall(item.tool, view)
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
      return shellResult(item, view)
    case "proposal": {
      const subject = wrapCells(safeText(item.subject), width)
      return item.diff === undefined ? subject : [...subject, ...diffLines(item.diff, view, { most: Infinity })]
    }
    case "patch":
      return patchLines(item.patch, view)
  }
}

const badged = (
  name: string,
  badge: (text: string) => string,
  text: string,
  { width }: LogView
): ReadonlyArray<string> => wrapText(text, width, { first: `${badge(` ${name} `)} `, rest: "       " })

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
