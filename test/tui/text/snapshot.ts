/** Screens as text files that people look at in a review. */
import { expect } from "@effect/vitest"
import { makeTheme, type Theme } from "../../../src/tui/text/theme.ts"
import { cellWidth } from "../../../src/tui/text/width.ts"

export const plain: Theme = makeTheme({ depth: "none", background: "dark" })
export const named: Theme = makeTheme({ depth: "16", background: "dark" })
export const full: Theme = makeTheme({ depth: "true", background: "dark" })

/** Lines without their styles. */
export const unstyled = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => line.replaceAll(/\u001b\[[0-9;]*m/g, ""))

/** No line is wider than the screen, and the screen is as in `snapshots/<name>.txt`; escapes are shown as `␛`. */
export const expectScreen = async (name: string, lines: ReadonlyArray<string>, width: number): Promise<void> => {
  for (const line of lines) expect(cellWidth(line), line).toBeLessThanOrEqual(width)
  const text = lines.map((line) => line.replaceAll("\u001b", "␛")).join("\n")
  await expect(`${text}\n`).toMatchFileSnapshot(`${import.meta.dirname}/snapshots/${name}.txt`)
}

export const WIDTHS = [40, 80, 120] as const
