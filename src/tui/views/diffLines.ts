/** A diff as coloured, numbered lines. Pure. */
import { safeText } from "../text/safeText.ts"
import { truncate } from "../text/width.ts"
import type { Diff } from "../../tools/files/diff.ts"
import type { Theme } from "../text/theme.ts"

export const diffLines = ({ lines }: Diff, width: number, theme: Theme): ReadonlyArray<string> =>
  lines.map(({ kind, number, text }) => {
    const line = truncate(`  ${String(number).padStart(4)} ${SIGNS[kind]} ${safeText(text)}`, width)
    return kind === "added" ? theme.good(line) : kind === "removed" ? theme.bad(line) : line
  })

const SIGNS = { same: " ", added: "+", removed: "-" } as const
