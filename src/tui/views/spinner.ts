/** The spinner of everything that is waited for (MAIA §15.5, `dots10`). Pure. */
import type { Theme } from "../text/theme.ts"

const FRAMES = ["⢄", "⢂", "⢁", "⡁", "⡈", "⡐", "⡠"]
/** Milliseconds of a picture. */
const EACH = 100

export const spinner = (now: number, theme: Theme): string =>
  theme.busy(FRAMES[Math.floor(now / EACH) % FRAMES.length] ?? "")
