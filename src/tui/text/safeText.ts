/**
 * The gate for all text that is not ours (field cases G1, G6, E6): answers, thinking, tool output, file and tool names,
 * server errors, session titles. What comes out holds printable characters and line ends only, so that its width is its
 * drawing. Everything the screen or the window title shows of such text passes one of these three. Pure, linear.
 */
import { sanitizeForTerminal } from "../../process/sanitizeForTerminal.ts"
import { codesOf, makeStyles, STYLE } from "./styles.ts"
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
  const styles = makeStyles()
  const pieces = raw.split(STYLE).map((piece, at) => {
    if (at % 2 === 0) {
      const text = settleMarks(sanitizeForTerminal(piece))
      return text.includes("\n") ? text.replaceAll("\n", `${styles.close()}\n${styles.open()}`) : text
    }
    const codes = codesOf(piece).filter(isAllowed)
    if (codes.length === 0) return ""
    const kept = codes.join(";")
    styles.apply(kept)
    return `\u001b[${kept}m`
  })
  return expandTabs(pieces.join("") + styles.close())
}

const isAllowed = (code: string): boolean =>
  /^(?:0|[12347]|2[2347]|39|[39][0-7])$/.test(code) ||
  (/^38;(?:5;\d{1,3}|2(?:;\d{1,3}){3})$/.test(code) && code.split(";").every((part) => Number(part) <= 255))
