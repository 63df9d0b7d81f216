/**
 * Draws the banner's picture, maia's own: the Pleiades over hills at dusk, Maia the brightest. Writes it as data:
 * `bun scripts/draw-banner.ts`.
 */
import { writeFileSync } from "node:fs"

type Colour = readonly [number, number, number]

const SIZE = 32
const CENTRE = 15.5
const RADIUS = 15.9

/** Sky from the zenith to the horizon. */
const SKY: ReadonlyArray<readonly [number, Colour]> = [
  [0, [12, 14, 46]],
  [0.3, [38, 28, 96]],
  [0.55, [104, 44, 132]],
  [0.72, [201, 74, 120]],
  [0.84, [247, 140, 92]],
  [1, [255, 208, 124]]
]

/** The seven sisters: x, y, brightness. The brightest is Maia. */
const STARS = [
  { x: 14, y: 11, light: 1 },
  { x: 9, y: 8, light: 0.62 },
  { x: 20, y: 7, light: 0.6 },
  { x: 22, y: 12, light: 0.55 },
  { x: 7, y: 13, light: 0.42 },
  { x: 17, y: 16, light: 0.5 },
  { x: 25, y: 9, light: 0.38 }
]

const mix = (one: Colour, other: Colour, share: number): Colour => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share
]

const skyAt = (height: number): Colour => {
  const at = SKY.findIndex(([stop]) => stop >= height)
  const [to, high] = SKY[Math.max(1, at)] ?? [1, [255, 208, 124]]
  const [from, low] = SKY[Math.max(1, at) - 1] ?? [0, [12, 14, 46]]
  return mix(low, high, (height - from) / (to - from))
}

/** Rows where the far and the near hills begin. */
const farHill = (x: number): number => 22.2 + 2.2 * Math.sin(x / 3.4 + 0.6) - 1.4 * Math.sin(x / 7)
const nearHill = (x: number): number => 26.4 - 2.4 * Math.sin(x / 6.2 - 0.4) + 0.8 * Math.sin(x / 2.1)

const starLight = (x: number, y: number): number => {
  let light = 0
  for (const star of STARS) {
    const [dx, dy] = [Math.abs(x - star.x), Math.abs(y - star.y)]
    const distance = Math.hypot(dx, dy)
    const glow = star.light * 0.5 * Math.exp(-((distance / (star.light === 1 ? 2.6 : 1.3)) ** 2))
    const rays = star.light === 1 && (dx === 0 || dy === 0) && distance <= 4 ? 1 - distance / 5 : 0
    const core = distance === 0 ? star.light + 0.25 : 0
    const cross = star.light > 0.5 && distance === 1 ? star.light * 0.55 : 0
    light = Math.max(light, glow, rays, core, cross)
  }
  return Math.min(1, light)
}

interface Pixel {
  readonly colour: Colour
  /** One of the sixteen named colours, 0 to 15. */
  readonly named: number
  /** Whether it is drawn where there are no colours. */
  readonly on: boolean
}

/** Bands of blue, magenta, red and yellow. */
const namedSky = (height: number): number => (height < 0.4 ? 4 : height < 0.68 ? 5 : height < 0.8 ? 9 : 11)

const pixelAt = (x: number, y: number): Pixel | undefined => {
  const distance = Math.hypot(x - CENTRE, y - CENTRE)
  if (distance > RADIUS) return undefined
  if (distance > RADIUS - 1.15) {
    return { colour: mix([86, 112, 190], [255, 196, 140], y / SIZE), named: y < 19 ? 12 : 11, on: true }
  }
  const [far, near] = [y - farHill(x), y - nearHill(x)]
  if (near >= 0) return { colour: mix([26, 18, 48], [14, 12, 32], near / 6), named: 0, on: true }
  if (far >= 0) return { colour: mix([84, 40, 96], [52, 28, 76], far / 5), named: 8, on: far < 1 }
  const light = starLight(x, y)
  return {
    colour: mix(skyAt(y / 27), [255, 250, 232], light),
    named: light > 0.42 ? 15 : namedSky(y / 27),
    on: light > 0.42
  }
}

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!$%&*+,-/:;<=>?@^_~|()[]{}"

/** Colours close to one that is there already share its digit. */
const palette: Array<Colour> = []
const digitOf = (colour: Colour): string => {
  const rounded: Colour = [Math.round(colour[0]), Math.round(colour[1]), Math.round(colour[2])]
  const near = palette.findIndex((one) => Math.hypot(one[0] - rounded[0], one[1] - rounded[1], one[2] - rounded[2]) < 9)
  const at = near === -1 ? palette.push(rounded) - 1 : near
  const digit = DIGITS[at]
  if (digit === undefined) throw new Error("more colours than digits")
  return digit
}

const rows = Array.from({ length: SIZE }, (_, y) => Array.from({ length: SIZE }, (_, x) => pixelAt(x, y)))
const picture = rows.map((row) => row.map((pixel) => (pixel === undefined ? " " : digitOf(pixel.colour))).join(""))
const outline = rows.map((row) => row.map((pixel) => (pixel?.on === true ? "#" : " ")).join(""))
const sixteen = rows.map((row) => row.map((pixel) => pixel?.named.toString(16) ?? " ").join(""))
const hex = (colour: Colour): string => colour.map((part) => part.toString(16).padStart(2, "0")).join("")

writeFileSync(
  new URL("../src/tui/text/bannerPicture.ts", import.meta.url),
  `/** The banner's picture, drawn by \`scripts/draw-banner.ts\`. Data only. */

/** A pixel a character: its colour in \`COLOURS\` by its place in \`DIGITS\`, a blank for none. */
export const PICTURE: ReadonlyArray<string> = ${JSON.stringify(picture, undefined, 2)}

/** The same without colours. */
export const OUTLINE: ReadonlyArray<string> = ${JSON.stringify(outline, undefined, 2)}

/** The same in the sixteen named colours, each a hexadecimal digit. */
export const SIXTEEN: ReadonlyArray<string> = ${JSON.stringify(sixteen, undefined, 2)}

export const DIGITS = ${JSON.stringify(DIGITS)}

/** Red, green and blue in hexadecimal digits, one colour after the other. */
export const COLOURS = ${JSON.stringify(palette.map(hex).join(" "))}
`
)
console.log(`${palette.length} colours`)
