/**
 * Colours a terminal can show, and what its environment says of it. Pure: the caller gives the environment and gets
 * sequences; 24-bit colours come out as the nearest of the 256 or as a named one where the terminal has no more.
 */

/** Colours to choose from: none at all, the 16 named ones, the 256 of xterm, 16 million. */
export type ColourDepth = "none" | "16" | "256" | "true"

export type Background = "dark" | "light"

/** Red, green, blue, each 0 to 255. */
export type Rgb = readonly [number, number, number]

/** A colour, and the nearest of the 16: its code as a foreground, 30–37 or 90–97. */
export interface Colour {
  readonly rgb: Rgb
  readonly named: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * `NO_COLOR` (not empty), `FORCE_COLOR` (0 to 3), `COLORTERM` and `TERM` as terminals set them. `NO_COLOR` wins over
 * everything, then `FORCE_COLOR`.
 */
export const colourDepth = (environment: Environment): ColourDepth => {
  const value = (name: string): string => environment[name] ?? ""
  if (value("NO_COLOR") !== "") return "none"
  const forced = FORCED[value("FORCE_COLOR")]
  if (forced !== undefined) return forced
  const term = value("TERM").toLowerCase()
  if (/^(?:dumb|vt\d+|.*-m(?:ono)?)$/.test(term)) return "none"
  if (/^(?:truecolor|24bit)$/i.test(value("COLORTERM"))) return "true"
  if (/direct$|^(?:xterm-)?(?:kitty|ghostty|alacritty|foot|wezterm|contour)/.test(term)) return "true"
  if (/^(?:iTerm\.app|vscode|WezTerm|ghostty|Hyper|WarpTerminal|rio|zed)$/.test(value("TERM_PROGRAM"))) return "true"
  if (value("WT_SESSION") !== "") return "true"
  if (value("TERM_PROGRAM") === "Apple_Terminal" || term.includes("256color") || term.startsWith("tmux")) return "256"
  return "16"
}

const FORCED: Readonly<Record<string, ColourDepth>> = { "0": "none", false: "none", "1": "16", "2": "256", "3": "true" }

/** `MAIA_THEME` (`light` or `dark`), else the background that `COLORFGBG` names, else dark. */
export const background = (environment: Environment): Background => {
  const wish = (environment["MAIA_THEME"] ?? "").toLowerCase()
  if (wish === "light" || wish === "dark") return wish
  const named = /;(\d+)$/.exec(environment["COLORFGBG"] ?? "")?.[1]
  return named !== undefined && ["7", "9", "10", "11", "12", "13", "14", "15"].includes(named) ? "light" : "dark"
}

/** Parameters that set the foreground to `colour`, `38;2;…`; undefined without colours. */
export const foreground = (colour: Colour, depth: ColourDepth): string | undefined => {
  switch (depth) {
    case "none":
      return undefined
    case "16":
      return String(colour.named)
    case "256":
      return `38;5;${nearest256(colour.rgb)}`
    case "true":
      return `38;2;${colour.rgb.join(";")}`
  }
}

/** Parameters that set the background to `colour`. */
export const backgroundOf = (colour: Colour, depth: ColourDepth): string | undefined => {
  const code = foreground(colour, depth)
  if (code === undefined) return undefined
  return depth === "16" ? String(colour.named + 10) : code.replace(/^38/, "48")
}

/** Number of the nearest of the 256: the 6×6×6 cube or the 24 greys. */
export const nearest256 = ([red, green, blue]: Rgb): number => {
  const cube = [red, green, blue].map((part) => nearestIndex(CUBE, part))
  const [r = 0, g = 0, b = 0] = cube
  const grey = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)))
  const level = 8 + 10 * grey
  const inCube: Rgb = [CUBE[r] ?? 0, CUBE[g] ?? 0, CUBE[b] ?? 0]
  return distance([red, green, blue], [level, level, level]) < distance([red, green, blue], inCube)
    ? 232 + grey
    : 16 + 36 * r + 6 * g + b
}

const CUBE = [0, 95, 135, 175, 215, 255]

const nearestIndex = (levels: ReadonlyArray<number>, value: number): number =>
  levels.reduce((best, level, at) => (Math.abs(level - value) < Math.abs((levels[best] ?? 0) - value) ? at : best), 0)

const distance = (one: Rgb, other: Rgb): number =>
  one.reduce((sum, part, at) => sum + (part - (other[at] ?? 0)) ** 2, 0)
