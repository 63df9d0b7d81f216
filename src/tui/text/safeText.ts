/**
 * The gate for all text that is not ours (field cases G1, G6, E6): answers, thinking, tool output, file and tool names,
 * server errors, session titles. What comes out holds printable characters and line ends only, so that its width is its
 * drawing. Everything the screen or the window title shows of such text passes one of these three. Pure, linear.
 */
import { sanitizeForTerminal } from "../../process/sanitizeForTerminal.ts"
import { expandTabs } from "./width.ts"

/** More marks on one character than any script writes: they would run over the lines above and below. */
const PILED_MARKS = /(\p{M}{8})\p{M}+/gu

/** A mark that would sit on what is drawn before the text (a border, a badge). */
const LEADING_MARK = /^(?=\p{M})/gmu

const settleMarks = (text: string): string =>
  /\p{M}/u.test(text) ? text.replace(PILED_MARKS, "$1…").replace(LEADING_MARK, "◌") : text

/**
 * Text of any number of lines. Controls and invisible characters are shown (`␛`, `‹U+202E›`), `\r\n` is a line end, a lone
 * `\r` or backspace is shown and overwrites nothing, tabs become blanks up to the next multiple of four columns.
 */
export const safeText = (raw: string): string => expandTabs(settleMarks(sanitizeForTerminal(raw)))

/** The same on one line, for titles, names and window titles: line ends become `⏎`, the ends are trimmed. */
export const safeLine = (raw: string): string => safeText(raw.trim()).replaceAll("\n", "⏎")

/**
 * Text whose colours are kept: `ESC[…m` with foreground colours, bold, dim, italic, underline and inverse. What hides text
 * (conceal, backgrounds) or annoys (blink) is left out, anything else is shown as `safeText` shows it. Each line ends
 * without a style of its own.
 */
export const safeAnsi = (raw: string): string => {
  if (!raw.includes("\u001b[")) return safeText(raw)
  let style = ""
  const pieces = raw.split(SGR).map((piece, at) => {
    if (at % 2 === 0) return carried(settleMarks(sanitizeForTerminal(piece)), style)
    const codes = allowedCodes(piece)
    if (codes.length === 0) return ""
    const code = `\u001b[${codes.join(";")}m`
    style = codes.includes("0") ? (codes.at(-1) === "0" ? "" : code) : style + code
    return code
  })
  return expandTabs(pieces.join("") + (style === "" ? "" : RESET))
}

/** The capture makes `split` give texts and parameters in turn. */
const SGR = /\u001b\[([0-9;:]{0,64})m/

const RESET = "\u001b[0m"

/** A style ends with its line and begins again on the next. */
const carried = (text: string, style: string): string =>
  style === "" ? text : text.replaceAll("\n", `${RESET}\n${style}`)

const SIMPLE = new Set(["0", "1", "2", "3", "4", "7", "22", "23", "24", "27", "39"])

const allowedCodes = (parameters: string): ReadonlyArray<string> => {
  const codes: Array<string> = []
  const given = parameters.split(";").map((code) => code.replace(/^0+(?=\d)/, ""))
  for (let at = 0; at < given.length; at++) {
    const code = given[at] === "" ? "0" : (given[at] ?? "0")
    if (code === "38" || code === "48" || code === "58") {
      const length = given[at + 1] === "5" ? 3 : given[at + 1] === "2" ? 5 : given.length
      const whole = given.slice(at, at + length)
      if (code === "38" && whole.length === length && whole.every(isByte)) codes.push(whole.join(";"))
      at += length - 1
    } else if (SIMPLE.has(code) || /^(?:3|9)[0-7]$/.test(code)) codes.push(code)
  }
  return codes
}

const isByte = (code: string): boolean => /^\d{1,3}$/.test(code) && Number(code) <= 255
