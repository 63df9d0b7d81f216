/**
 * What a terminal would finally show of a program's output (spec 02 "Output limits", field case E6): escape sequences
 * gone, progress redraws overwritten in place. Pure, linear, and never confused by a cut or unending sequence: what is
 * not a sequence is shown.
 *
 * `\r` goes to the first column and overwrites, it does not erase: `abc\rX\n` becomes `Xbc`. `\r\n` is a line end. NUL and
 * other controls become their pictures (`␀`). The screen has 50 rows; what has scrolled above it can no longer change.
 */
import { visible } from "./sanitizeForTerminal.ts"
import { makeScreen, type Screen } from "./terminalScreen.ts"

export { sanitizeForTerminal } from "./sanitizeForTerminal.ts"

/** Text of a program, escape sequences and all, into plain lines. */
export const reduceTerminalText = (raw: string): string => {
  const text = raw.replaceAll("\r\n", "\n")
  if (!special.test(text)) return text
  const screen = makeScreen()
  const find = new RegExp(special, "g")
  let position = 0
  for (let match = find.exec(text); match !== null; match = find.exec(text)) {
    if (match.index > position) screen.write(text.slice(position, match.index))
    position = control(screen, text, match.index)
    find.lastIndex = position
  }
  if (position < text.length) screen.write(text.slice(position))
  return screen.text()
}

/** Every control character but tab and newline: text without these is already what a terminal shows. */
// oxlint-disable-next-line no-control-regex
const special = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** Acts on the control character at `at`; returns where the text goes on. */
const control = (screen: Screen, text: string, at: number): number => {
  const character = text[at] ?? ""
  switch (character) {
    case "\r":
      screen.carriageReturn()
      return at + 1
    case "\b":
      screen.left(1)
      return at + 1
    case "\u0007":
    case "\u000e":
    case "\u000f":
      return at + 1
    case "\u0085":
      screen.write("\n")
      return at + 1
    case "\u001b":
      return escape(screen, text, at)
    case "\u009b":
      return sequence(screen, text, at + 1)
    case "\u0090":
    case "\u0098":
    case "\u009d":
    case "\u009e":
    case "\u009f":
      return stringEnd(text, at + 1, character === "\u009d")
    case "\u009c":
      return at + 1
    default:
      screen.write(visible(character))
      return at + 1
  }
}

const escape = (screen: Screen, text: string, at: number): number => {
  const next = text[at + 1]
  switch (next) {
    case "[":
      return sequence(screen, text, at + 2)
    case "]":
    case "P":
    case "X":
    case "^":
    case "_":
      return stringEnd(text, at + 2, next === "]")
    case "7":
      screen.save()
      return at + 2
    case "8":
      screen.restore()
      return at + 2
    case "c":
      screen.goTo(1, 1)
      screen.eraseBelow()
      return at + 2
    case "M":
      screen.up(1)
      return at + 2
    case "D":
      screen.down(1)
      return at + 2
    case "E":
      screen.write("\n")
      return at + 2
    default: {
      other.lastIndex = at + 1
      const found = other.exec(text)
      if (found !== null) return at + 1 + found[0].length
      screen.write(visible("\u001b"))
      return at + 1
    }
  }
}

/** Two-character sequences and character sets. */
const other = /[ -/]{0,3}[0-~]/y

const body = /([0-?]*)[ -/]*([@-~]?)/y

/** A control sequence whose parameters begin at `at`; one without an end is dropped up to where it breaks off. */
const sequence = (screen: Screen, text: string, at: number): number => {
  body.lastIndex = at
  const match = body.exec(text)
  if (match === null) return at
  const [whole, parameters = "", final] = match
  const numbers = /^[\d;]*$/.test(parameters) ? parameters.split(";", 2).map(Number) : undefined
  if (numbers !== undefined) move(screen, final ?? "", numbers)
  else if (final === "h" || final === "l") screenMode(screen, parameters, final === "h")
  return at + whole.length
}

const move = (screen: Screen, final: string, [first = 0, second = 0]: ReadonlyArray<number>): void => {
  const count = first || 1
  switch (final) {
    case "A":
      return screen.up(count)
    case "B":
    case "e":
      return screen.down(count)
    case "C":
    case "a":
      return screen.right(count)
    case "D":
      return screen.left(count)
    case "E":
      screen.down(count)
      return screen.carriageReturn()
    case "F":
      screen.up(count)
      return screen.carriageReturn()
    case "G":
    case "`":
      return screen.column(count)
    case "d":
      return screen.row(count)
    case "H":
    case "f":
      return screen.goTo(count, second || 1)
    case "J":
      if (first === 0) screen.eraseBelow()
      else if (first === 1) screen.eraseAbove()
      else if (first === 2) screen.eraseAll()
      return
    case "K":
      if (first === 0) screen.eraseRight()
      else if (first === 1) screen.eraseLeft()
      else if (first === 2) screen.eraseLine()
      return
    case "s":
      return screen.save()
    case "u":
      return screen.restore()
  }
}

/** The other screen of full-screen programs: what they drew is gone when they leave it. */
const screenMode = (screen: Screen, parameters: string, on: boolean): void => {
  if (/^\?(47|1047|1049)$/.test(parameters)) screen.alternate(on)
}

/** Where a title, link or device string ends; without an end only its introducer is dropped and the text shows. */
const stringEnd = (text: string, at: number, isCommand: boolean): number => {
  const find = isCommand ? commandStop : deviceStop
  find.lastIndex = at
  const match = find.exec(text)
  if (match === null) return at
  const stop = match.index
  switch (text[stop]) {
    case "\u0007":
    case "\u009c":
      return stop + 1
    case "\u001b":
      return text[stop + 1] === "\\" ? stop + 2 : at
    default:
      return at
  }
}

/** Any new sequence also stops the search, so each character is searched once. A device string may hold line ends. */
// oxlint-disable-next-line no-control-regex
const commandStop = /[\u0007\u0018\u001a\u001b\n\u0090\u0098\u009b-\u009f]/g
// oxlint-disable-next-line no-control-regex
const deviceStop = /[\u0018\u001a\u001b\u0090\u0098\u009b-\u009f]/g
