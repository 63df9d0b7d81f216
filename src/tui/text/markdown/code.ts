/** A block of code: a rule with its language above and below, blanks kept, long lines carried on under `↪`. Pure. */
import { safeLine } from "../safeText.ts"
import { truncate, wrapCells } from "../width.ts"
import type { MarkdownView } from "./view.ts"

/** Longer code is shown without colours: colouring takes 3 ms for a thousand characters. */
const COLOURED = 30_000

export const codeLines = (source: string, info: string, view: MarkdownView): ReadonlyArray<string> => {
  const { highlight, theme, width } = view
  const code = source.replace(/\n+$/, "")
  const language = /^[^\s{,:]*/.exec(safeLine(info))?.[0] ?? ""
  const coloured =
    language === "" || code.length > COLOURED || theme.depth === "none" ? undefined : highlight(code, language, theme)
  const lines = coloured ?? code.split("\n")
  const carried = theme.frames ? theme.muted("↪ ") : "  "
  const shown = lines.flatMap((line) => (line === "" ? [""] : wrapCells(line, width, { first: "  ", rest: carried })))
  if (!theme.frames) return language === "" ? shown : [`${truncate(language, width - 1)}:`, ...shown]
  const top = language === "" ? "╭─" : `╭─ ${truncate(language, Math.max(4, width - 3))}`
  return [theme.muted(top), ...shown, theme.muted("╰─")]
}
