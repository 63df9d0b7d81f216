/**
 * Loads what draws Markdown, after the first paint: the interface shows text raw until it is there. `MAIA_NO_MARKDOWN` (any
 * value but empty or 0) loads nothing and leaves it raw.
 */
import type { Environment } from "../colours.ts"
import type { Theme } from "../theme.ts"
import type { Highlight } from "./view.ts"

export interface MarkdownRenderer {
  /** Lines of one block (`splitBlocks.ts`), each at most `width` cells; none for blank lines. */
  readonly render: (source: string, view: { readonly width: number; readonly theme: Theme }) => ReadonlyArray<string>
  /** Colours code: one styled line for each of `code`, undefined for languages it does not know. */
  readonly highlight: Highlight
}

const noHighlight: Highlight = () => undefined

export const loadMarkdown = async (environment: Environment): Promise<MarkdownRenderer> => {
  const { renderMarkdown, renderRaw } = await import("./renderMarkdown.ts")
  const wish = environment["MAIA_NO_MARKDOWN"] ?? ""
  if (wish !== "" && wish !== "0") return { render: renderRaw, highlight: noHighlight }
  const { highlight } = await import("./highlight.ts")
  return { render: (source, view) => renderMarkdown(source, { ...view, highlight }), highlight }
}
