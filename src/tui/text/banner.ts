/**
 * The banner (MAIA §15.4): maia's own picture beside its name in pixel letters with a shadow and the colours of the rainbow,
 * and two texts. Whole from 58 columns, without the picture from 25, a frame with the name below that. Pure.
 */
import { text } from "../../domain/text.ts"
import { COLOURS, DIGITS, OUTLINE, PICTURE, SIXTEEN } from "./bannerPicture.ts"
import type { Colour, Rgb } from "./colours.ts"
import { halfBlocks, type Pixels } from "./pixels.ts"
import { safeLine } from "./safeText.ts"
import type { Theme } from "./theme.ts"
import type { View } from "./view.ts"
import { pad, truncate, wrapWords } from "./width.ts"

export interface BannerFacts {
  readonly version: string
  /** Launch folder. */
  readonly folder: string
}

/** Columns from which the picture, and the letters alone, have room. */
const WHOLE = 58
const LETTERS = 25
/** Columns of the picture and of the blank beside it. */
const PICTURE_WIDTH = 34
/** Columns of the letters in double size. */
const DOUBLE = 48

const GREEN = text(
  "AI assistant on the command line, powered by Ink and your language models.",
  "Assistant IA en ligne de commande, propulsé par Ink et vos modèles de langage."
)
const PINK = text("One agent, many models", "Un seul agent, plusieurs modèles")

export const bannerLines = (facts: BannerFacts, view: View): ReadonlyArray<string> => {
  if (!view.theme.frames) return [`Maia ${safeLine(facts.version)}`, ...texts(facts, view)]
  if (view.width >= WHOLE) return wholeBanner(facts, view)
  return view.width >= LETTERS ? [...title(view.theme, 1), "", ...texts(facts, view)] : compactBanner(view)
}

const wholeBanner = (facts: BannerFacts, view: View): ReadonlyArray<string> => {
  const { theme } = view
  const room = view.width - PICTURE_WIDTH
  const picture = pictureLines(theme)
  const beside = [
    ...title(theme, room >= DOUBLE ? 2 : 1),
    "",
    ...texts(facts, { ...view, width: Math.min(room, DOUBLE) })
  ]
  const above = Math.max(0, Math.floor((picture.length - beside.length) / 2))
  return Array.from({ length: Math.max(picture.length, beside.length) }, (_, row) =>
    `${pad(picture[row] ?? "", PICTURE_WIDTH)}${beside[row - above] ?? ""}`.trimEnd()
  )
}

const texts = ({ folder, version }: BannerFacts, { language, theme, width }: View): ReadonlyArray<string> => [
  ...wrapWords(GREEN[language], width).map(theme.bannerGreen),
  ...wrapWords(PINK[language], width).map(theme.bannerPink),
  ...(theme.frames ? ["", theme.dim(truncate(`v${safeLine(version)}`, width))] : []),
  theme.dim(truncate(safeLine(folder), width, "middle"))
]

/** A double frame with the name in its middle. */
const compactBanner = ({ theme, width }: View): ReadonlyArray<string> => {
  const name = "Maia"
  if (width < name.length + 2) return [theme.strong(truncate(name, width))]
  const inner = width - 2
  return [
    theme.accent(`╔${"═".repeat(inner)}╗`),
    `${theme.accent("║")}${pad(theme.strong(name), inner, "center")}${theme.accent("║")}`,
    theme.accent(`╚${"═".repeat(inner)}╝`)
  ]
}

const pictureLines = (theme: Theme): ReadonlyArray<string> => {
  switch (theme.depth) {
    case "none":
      return halfBlocks(
        pixelsOf(OUTLINE, () => INK),
        theme
      )
    case "16":
      return halfBlocks(pixelsOf(SIXTEEN, namedColour), theme)
    default: {
      const colours = COLOURS.split(" ").map(hexColour)
      return halfBlocks(
        pixelsOf(PICTURE, (digit) => colours[DIGITS.indexOf(digit)]),
        theme
      )
    }
  }
}

const namedColour = (digit: string): Colour => {
  const place = parseInt(digit, 16)
  return { rgb: INK.rgb, named: place < 8 ? 30 + place : 82 + place }
}

const hexColour = (hex: string): Colour => {
  const part = (at: number): number => parseInt(hex.slice(at, at + 2), 16)
  return { rgb: [part(0), part(2), part(4)], named: INK.named }
}

/** Any colour, where there are none. */
const INK: Colour = { rgb: [255, 255, 255], named: 37 }

const pixelsOf = (rows: ReadonlyArray<string>, colourOf: (character: string) => Colour | undefined): Pixels =>
  rows.map((row) => [...row].map((character) => (character === " " ? undefined : colourOf(character))))

/** Letters of 5×7 pixels, side by side. */
const NAME = [
  "#...# ..... ..#.. .....",
  "##.## ..... ..... .....",
  "#.#.# .###. .##.. .###.",
  "#.#.# ....# ..#.. ....#",
  "#...# .#### ..#.. .####",
  "#...# #...# ..#.. #...#",
  "#...# .#### .###. .####"
]

const lit = (column: number, row: number): boolean => NAME[row]?.[column] === "#"

/** The name, `scale` times as large; its shadow falls to the right and below. */
const title = (theme: Theme, scale: 1 | 2): ReadonlyArray<string> => {
  const columns = (NAME[0]?.length ?? 0) + 1
  const rows = NAME.length + 1
  const pixels = Array.from({ length: rows * scale }, (_, y) =>
    Array.from({ length: columns * scale }, (_, x) => {
      const [column, row] = [Math.floor(x / scale), Math.floor(y / scale)]
      if (lit(column, row)) return rainbow(column / columns, theme)
      return theme.depth !== "none" && lit(column - 1, row - 1) ? SHADOW[theme.background] : undefined
    })
  )
  return halfBlocks(pixels, theme)
}

const SHADOW: Readonly<Record<Theme["background"], Colour>> = {
  dark: { rgb: [58, 62, 78], named: 90 },
  light: { rgb: [196, 200, 210], named: 37 }
}

/** From red over green and blue to violet; darker on a light background. */
const RAINBOW: ReadonlyArray<readonly [Rgb, number, number]> = [
  [[255, 96, 96], 91, 31],
  [[255, 170, 72], 93, 33],
  [[250, 224, 92], 93, 33],
  [[110, 226, 128], 92, 32],
  [[92, 200, 250], 96, 36],
  [[124, 142, 255], 94, 34],
  [[222, 128, 255], 95, 35]
]

const rainbow = (share: number, { background }: Theme): Colour => {
  const place = share * (RAINBOW.length - 1)
  const first = RAINBOW[Math.floor(place)] ?? RAINBOW[0]
  const second = RAINBOW[Math.ceil(place)] ?? first
  if (first === undefined || second === undefined) return INK
  const between = place - Math.floor(place)
  const dim = background === "light" ? 0.62 : 1
  const part = (at: 0 | 1 | 2): number => Math.round((first[0][at] + (second[0][at] - first[0][at]) * between) * dim)
  const [, bright, dark] = between < 0.5 ? first : second
  return { rgb: [part(0), part(1), part(2)], named: background === "light" ? dark : bright }
}
