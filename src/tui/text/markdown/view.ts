/** What the drawing of Markdown is given, and the bounds it keeps. */
import type { Theme } from "../theme.ts"

/** Colours code: styled lines, as many as the code has, or undefined where the language is not known. */
export type Highlight = (code: string, language: string, theme: Theme) => ReadonlyArray<string> | undefined

export interface MarkdownView {
  /** Cells of a line. */
  readonly width: number
  readonly theme: Theme
  readonly highlight: Highlight
}

/** Narrower than this nothing is indented any more. */
export const LEAST_WIDTH = 12

/** The same view with `cells` less, as far as there is room. */
export const narrower = (view: MarkdownView, cells: number): MarkdownView => ({
  ...view,
  width: Math.max(LEAST_WIDTH, view.width - cells)
})
