/** What everything that is printed is given. */
import type { Text } from "../../domain/text.ts"
import type { Theme } from "./theme.ts"

export interface View {
  /** Cells of a line; no line that is given back is wider. */
  readonly width: number
  readonly theme: Theme
  readonly language: keyof Text
}
