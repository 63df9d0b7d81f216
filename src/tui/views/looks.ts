/** How things are drawn: colours, and what draws Markdown once it is loaded. */
import type { MarkdownRenderer } from "../text/markdown/loadMarkdown.ts"
import type { Theme } from "../text/theme.ts"

export interface Looks {
  readonly theme: Theme
  /** Undefined while it loads: text is shown as it came. */
  markdown: MarkdownRenderer | undefined
}
