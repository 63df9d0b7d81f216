/**
 * What text looks like, by meaning (MAIA §15.2, §15.5, §13.3): badges, the colours of the log, of diffs, code and the context
 * bar, for each depth of colour and for dark and light backgrounds. Pure: `makeTheme` is given what `colours.ts` found out.
 *
 * A style takes one or more lines and gives them with `ESC[…m` around each; styles may be nested. Without colours a style
 * gives its text back, and nothing is said by colour alone: badges have brackets, diffs have signs, marks have shapes.
 */
import { background, backgroundOf, colourDepth, foreground } from "./colours.ts"
import type { Background, Colour, ColourDepth, Environment, Rgb } from "./colours.ts"

export type Style = (text: string) => string

/** Meanings that have a colour of their own. */
export type Role = keyof typeof COLOURS

/** Meanings that have a shape instead of a colour, or both. */
type Shape =
  /** Names on a badge, six cells as they come: ` INFO `, ` ASK `. */
  | "info"
  | "warn"
  | "fail"
  | "ask"
  | "strong"
  | "emphasis"
  | "underline"
  | "struck"
  /** Of less weight: details, times, results. */
  | "dim"
  | "heading"
  /** What changed inside a changed line. */
  | "addedWord"
  | "removedWord"

export interface Theme extends Readonly<Record<Role | Shape, Style>> {
  readonly depth: ColourDepth
  readonly background: Background
  /** Lines and pictures are drawn around and between texts; not for a program that reads the screen aloud. */
  readonly frames: boolean
  /** Any colour as a foreground: the banner, gradients. */
  readonly colour: (colour: Colour) => Style
  /** Any colour as a background. */
  readonly on: (colour: Colour) => Style
}

/** For a dark background, for a light one. */
type Pair = readonly [Colour, Colour]

const pair = (dark: Rgb, darkName: number, light: Rgb, lightName: number): Pair => [
  { rgb: dark, named: darkName },
  { rgb: light, named: lightName }
]

const COLOURS = {
  /** Text of INFO: MAIA's light blue. */
  infoText: pair([0x7e, 0xc8, 0xff], 94, [0x00, 0x5f, 0xaf], 34),
  /** Text of FAIL: MAIA's pink. */
  failText: pair([0xdc, 0x8a, 0xdd], 95, [0x8f, 0x2d, 0x91], 35),
  /** Borders of the input, prompts. */
  accent: pair([0x5f, 0xff, 0x87], 92, [0x00, 0x87, 0x3a], 32),
  /** Spinners and what is being waited for. */
  busy: pair([0xff, 0xf0, 0x6a], 93, [0x8a, 0x64, 0x00], 33),
  good: pair([0x56, 0xd3, 0x64], 32, [0x1a, 0x7f, 0x37], 32),
  caution: pair([0xf2, 0xcc, 0x4d], 33, [0x8a, 0x64, 0x00], 33),
  bad: pair([0xff, 0x7b, 0x72], 31, [0xcf, 0x22, 0x2e], 31),
  /** Empty squares of the context bar, line numbers, rules. */
  muted: pair([0x7d, 0x85, 0x90], 90, [0x6e, 0x77, 0x81], 90),
  added: pair([0x56, 0xd3, 0x64], 32, [0x1a, 0x7f, 0x37], 32),
  removed: pair([0xff, 0x7b, 0x72], 31, [0xcf, 0x22, 0x2e], 31),
  link: pair([0x58, 0xb4, 0xff], 36, [0x09, 0x69, 0xda], 34),
  /** Code inside a sentence. */
  code: pair([0xe6, 0xb4, 0x7a], 33, [0x95, 0x38, 0x00], 35),
  bullet: pair([0x7e, 0xc8, 0xff], 36, [0x00, 0x5f, 0xaf], 34),
  keyword: pair([0xff, 0x8f, 0xa3], 35, [0xcf, 0x22, 0x2e], 35),
  string: pair([0xa5, 0xd6, 0xa7], 32, [0x0a, 0x5f, 0x38], 32),
  number: pair([0x79, 0xc0, 0xff], 36, [0x05, 0x50, 0xae], 34),
  comment: pair([0x8b, 0x94, 0x9e], 90, [0x6e, 0x77, 0x81], 90),
  callee: pair([0xd2, 0xa8, 0xff], 34, [0x82, 0x50, 0xdf], 34),
  type: pair([0xff, 0xd0, 0x8a], 33, [0x95, 0x38, 0x00], 33),
  attribute: pair([0x7e, 0xe0, 0xd6], 36, [0x11, 0x63, 0x29], 36),
  /** The banner's two texts (MAIA §15.4). */
  bannerGreen: pair([0x6e, 0xe7, 0xa0], 92, [0x1a, 0x7f, 0x37], 32),
  bannerPink: pair([0xff, 0x9e, 0xc7], 95, [0xbf, 0x39, 0x89], 35)
} as const

/** Backgrounds of the badges; the letters on them are black on a dark screen and white on a light one. */
const BADGES = {
  info: pair([0x7e, 0xc8, 0xff], 94, [0x00, 0x5f, 0xaf], 34),
  warn: pair([0xf2, 0xcc, 0x4d], 93, [0x8a, 0x64, 0x00], 33),
  fail: pair([0xdc, 0x8a, 0xdd], 95, [0x8f, 0x2d, 0x91], 35),
  ask: pair([0x7e, 0xe0, 0xd6], 96, [0x00, 0x6b, 0x75], 36)
} as const

const LETTERS: Pair = pair([0x10, 0x14, 0x1a], 30, [0xff, 0xff, 0xff], 97)
const WORDS = {
  addedWord: pair([0x1f, 0x6f, 0x3a], 32, [0xac, 0xf2, 0xbd], 32),
  removedWord: pair([0x8e, 0x2a, 0x2e], 31, [0xff, 0xc4, 0xc0], 31)
} as const

/** What the environment of a terminal asks for. */
export const detectTheme = (environment: Environment): Theme =>
  makeTheme({ depth: colourDepth(environment), background: background(environment) })

export interface ThemeOptions {
  readonly depth: ColourDepth
  readonly background: Background
  /** `true` where it is not said. */
  readonly frames?: boolean
}

export const makeTheme = ({ frames = true, ...looks }: ThemeOptions): Theme => {
  const { depth } = looks
  const of = ([dark, light]: Pair): Colour => (looks.background === "dark" ? dark : light)
  const colour = (wanted: Colour): Style => style(foreground(wanted, depth), "39")
  const on = (wanted: Colour): Style => style(backgroundOf(wanted, depth), "49")
  const shape = (code: string, end: string): Style => style(depth === "none" ? undefined : code, end)
  const badge = (wanted: Pair): Style =>
    depth === "none" ? bracketed : both(both(on(of(wanted)), colour(of(LETTERS))), shape("1", "22"))
  /** On 16 colours a background would hide the letters of many palettes: these are turned round instead. */
  const word = (wanted: Pair): Style => (depth === "16" ? shape("7", "27") : on(of(wanted)))
  return {
    ...looks,
    frames,
    colour,
    on,
    ...mapValues(COLOURS, (wanted) => colour(of(wanted))),
    ...mapValues(BADGES, badge),
    ...mapValues(WORDS, word),
    strong: shape("1", "22"),
    emphasis: shape("3", "23"),
    underline: shape("4", "24"),
    struck: shape("9", "29"),
    dim: shape("2", "22"),
    heading: shape("1", "22")
  }
}

/** ` INFO ` becomes `[INFO]`. */
const bracketed: Style = (text) => text.replace(/^ (.*) $/, "[$1]")

const both =
  (outer: Style, inner: Style): Style =>
  (text) =>
    outer(inner(text))

/** Opened and closed on every line; an inner style that ends the same way opens this one again. */
const style = (code: string | undefined, end: string): Style => {
  if (code === undefined) return (text) => text
  const open = `\u001b[${code}m`
  const close = `\u001b[${end}m`
  return (text) => {
    if (text === "") return ""
    const inner = text.includes(close) ? text.replaceAll(close, close + open) : text
    return open + (inner.includes("\n") ? inner.replaceAll("\n", `${close}\n${open}`) : inner) + close
  }
}

/** The keys of a table with other values. */
const mapValues = <K extends string, A, B>(table: Readonly<Record<K, A>>, change: (value: A) => B): Record<K, B> =>
  // `Object.fromEntries` forgets the names of the keys.
  Object.fromEntries(Object.entries<A>(table).map(([key, value]) => [key, change(value)])) as Record<K, B>
