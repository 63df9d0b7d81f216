/**
 * `bun scripts/picture.ts`: the picture of the interface in the README, taken from the real screen. Plays the demonstration in a
 * pseudo terminal, reads the cells from a terminal emulator, and writes them as SVG. Needs `dist/maia`.
 */
import xterm from "@xterm/headless"
import { $ } from "bun"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DEMO_PROMPT, SAMPLE_FILES } from "../src/demo/sampleFolder.ts"

const COLUMNS = 92
const ROWS = 52
const CELL = { width: 8.4, height: 17 }
const PADDING = 14
const BACKGROUND = "#11151c"
const FOREGROUND = "#d7dae0"
/** The first sixteen colours, as terminals usually show them on a dark ground. */
const SIXTEEN = (
  "#1c2128 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #abb2bf " +
  "#5c6370 #ff7b86 #b5e890 #ffd68a #7cc7ff #dd92f2 #6fd6e2 #ffffff"
).split(" ")

const root = join(import.meta.dir, "..")
const folder = await mkdtemp(join(tmpdir(), "maia-picture-"))
const home = join(folder, "home")
const work = join(folder, "demo")
await $`mkdir -p ${home}/.maia ${work}`.quiet()
await Bun.write(join(home, ".maia/settings.json"), JSON.stringify({ model: "demo", language: "en" }))
for (const [name, content] of Object.entries(SAMPLE_FILES)) await Bun.write(join(work, name), content)

const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true, scrollback: 500 })
let changed: () => void = () => {}
const child = Bun.spawn([join(root, "dist/maia"), DEMO_PROMPT, "--allow", "Read(**)", "--allow", "Grep(**)"], {
  cwd: work,
  env: {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    LANG: "en_US.UTF-8"
  },
  terminal: {
    cols: COLUMNS,
    rows: ROWS,
    data: (_terminal, data) => terminal.write(data, () => changed())
  }
})

const screen = (): string => {
  const { active } = terminal.buffer
  return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "").join(
    "\n"
  )
}

/** Until the screen shows it. */
const shows = async (text: string): Promise<void> => {
  const deadline = setTimeout(() => {
    console.error(`The screen never showed ${JSON.stringify(text)}:\n${screen()}`)
    process.exit(1)
  }, 20_000)
  while (!screen().includes(text)) await new Promise<void>((resolve) => (changed = resolve))
  clearTimeout(deadline)
}

try {
  await shows("Allow Edit?")
  await Bun.write(join(root, ".github/terminal.svg"), svg())
  console.log(".github/terminal.svg")
} finally {
  child.kill()
  await child.exited
  await rm(folder, { recursive: true, force: true })
}

function svg(): string {
  const width = Math.ceil(COLUMNS * CELL.width + 2 * PADDING)
  const height = ROWS * CELL.height + 2 * PADDING
  const { active } = terminal.buffer
  const rows = Array.from({ length: ROWS }, (_, row) => rowOf(active.baseY + row, row)).join("\n")
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
${rows}
</g>
</svg>
`
}

function rowOf(line: number, row: number): string {
  const cells = terminal.buffer.active.getLine(line)
  const parts: Array<string> = []
  const y = PADDING + row * CELL.height
  let column = 0
  if (cells === undefined) return ""
  while (column < COLUMNS) {
    const cell = cells.getCell(column)
    if (cell === undefined) break
    const style = styleOf(cell)
    let text = ""
    const from = column
    for (let next = cells.getCell(column); next !== undefined && column < COLUMNS; next = cells.getCell(column)) {
      if (styleOf(next) !== style) break
      text += next.getChars() === "" ? " " : next.getChars()
      column += Math.max(1, next.getWidth())
    }
    const [color = FOREGROUND, background = "", weight = ""] = style.split("|")
    const x = PADDING + from * CELL.width
    const length = (column - from) * CELL.width
    if (background !== "")
      parts.push(
        `<rect x="${x.toFixed(1)}" y="${y}" width="${length.toFixed(1)}" height="${CELL.height}" fill="${background}"/>`
      )
    // Where it was made is nobody's business.
    const shown = text.trimEnd().replace(work, "~/demo")
    if (shown === "") continue
    const bold = weight === "bold" ? ' font-weight="bold"' : weight === "dim" ? ' opacity="0.6"' : ""
    parts.push(
      `<text x="${x.toFixed(1)}" y="${y + 13}" textLength="${((length * shown.length) / text.length).toFixed(1)}" lengthAdjust="spacingAndGlyphs" fill="${color}"${bold}>${escaped(shown)}</text>`
    )
  }
  return parts.join("")
}

type Cell = NonNullable<ReturnType<NonNullable<ReturnType<typeof terminal.buffer.active.getLine>>["getCell"]>>

function styleOf(cell: Cell): string {
  const own = cell.isFgRGB() ? rgb(cell.getFgColor()) : cell.isFgPalette() ? palette(cell.getFgColor()) : FOREGROUND
  const behind = cell.isBgRGB() ? rgb(cell.getBgColor()) : cell.isBgPalette() ? palette(cell.getBgColor()) : ""
  const [color, background] = cell.isInverse() !== 0 ? [behind === "" ? BACKGROUND : behind, own] : [own, behind]
  return `${color}|${background}|${cell.isBold() !== 0 ? "bold" : cell.isDim() !== 0 ? "dim" : ""}`
}

function rgb(value: number): string {
  return `#${value.toString(16).padStart(6, "0")}`
}

function palette(index: number): string {
  if (index < 16) return SIXTEEN[index] ?? FOREGROUND
  if (index >= 232) return rgb((8 + (index - 232) * 10) * 0x010101)
  const steps = [0, 95, 135, 175, 215, 255]
  const cube = index - 16
  const [red = 0, green = 0, blue = 0] = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(
    (at) => steps[at] ?? 0
  )
  return rgb(red * 65536 + green * 256 + blue)
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
