/**
 * What a control sequence means as a key (spec 07 "Input"): xterm and VT, rxvt, the kitty keyboard protocol with event types,
 * and `modifyOtherKeys`. Pure.
 */
import { character, key, type InputEvent, type KeyEvent, type Modifiers } from "./inputEvent.ts"
import {
  CODE_KEYS,
  FIRST_FUNCTION_CODE,
  FIRST_PAD_CODE,
  FIRST_PRIVATE_CODE,
  LAST_FUNCTION_CODE,
  LAST_PRIVATE_CODE,
  LETTER_KEYS,
  PAD_CHARACTERS,
  PAD_CODES,
  PAD_EQUAL_CODE,
  PAD_SEPARATOR_CODE,
  RXVT_ARROWS,
  TILDE_KEYS
} from "./keyTables.ts"

/** Parameters of a sequence: fields parted by `;`, each of subfields parted by `:`; empty ones are undefined. */
type Fields = ReadonlyArray<ReadonlyArray<number | undefined>>

/**
 * The event of `CSI parameters final`. `undefined`: a report, or a key nobody knows; `null`: a key event that is none for
 * us (a release, a key with Super).
 */
export const csiEvent = (parameters: string, final: string): InputEvent | null | undefined => {
  if (/[^\d;:]/.test(parameters)) return undefined
  if (parameters === "" && (final === "I" || final === "O")) return { type: "focus", focused: final === "I" }
  const fields = parse(parameters)
  if (final === "u") return codeKey(fields)
  if (final === "~") return tildeKey(fields)
  if (final === "Z") return withModifiers(fields, (modifiers) => key("tab", { ...modifiers, shift: true }))
  if (/^[\^$@]$/.test(final)) return rxvtKey(fields, final)
  const arrow = RXVT_ARROWS[final]
  if (arrow !== undefined && parameters === "") return key(arrow, { shift: true })
  // `CSI 12;40R` tells where the cursor is; terminals that send F3 with modifiers so have other names for it.
  if (final === "R" && parameters !== "") return undefined
  const name = LETTER_KEYS[final]
  return name === undefined ? undefined : withModifiers(fields, (modifiers) => key(name, modifiers))
}

/** The event of `SS3 parameters final`: arrows and function keys, the numeric pad in application mode. */
export const ss3Event = (parameters: string, final: string): InputEvent | null | undefined => {
  const arrow = RXVT_ARROWS[final]
  if (arrow !== undefined) return key(arrow, { ctrl: true })
  const fields = parse(parameters)
  // Old terminals write the modifiers alone (`SS3 5P`), others like CSI (`SS3 1;5P`).
  const modified: Fields = fields.length > 1 ? fields : [[1], fields[0] ?? []]
  const name = final === "M" ? "enter" : final === "I" ? "tab" : LETTER_KEYS[final]
  if (name !== undefined) return withModifiers(modified, (modifiers) => key(name, modifiers))
  const text = final === " " ? " " : PAD_CHARACTERS[final]
  return text === undefined ? undefined : withModifiers(modified, (modifiers) => character(text, modifiers))
}

/** F1 to F5 of the Linux console. */
export const consoleEvent = (final: string): KeyEvent | undefined => {
  const number = final.charCodeAt(0) - 0x40
  return number >= 1 && number <= 5 ? key(`f${number}`) : undefined
}

const parse = (parameters: string): Fields =>
  parameters
    .split(";")
    .map((field) => field.split(":").map((value) => (value === "" ? undefined : Number.parseInt(value, 10))))

/** One more than the sum of the bits of the keys held. */
const SHIFT = 1
const ALT = 2
const CTRL = 4
const SUPER = 8
const HYPER = 16
const META = 32
const RELEASE = 3

/** `undefined` for a release, and for Super and Hyper, which belong to the window manager. */
const readModifiers = (field: ReadonlyArray<number | undefined> | undefined): Modifiers | undefined => {
  const [held = 1, event = 1] = field ?? []
  const bits = Math.max(held, 1) - 1
  if (event === RELEASE || (bits & (SUPER | HYPER)) !== 0) return undefined
  return { shift: (bits & SHIFT) !== 0, alt: (bits & (ALT | META)) !== 0, ctrl: (bits & CTRL) !== 0 }
}

const withModifiers = (fields: Fields, make: (modifiers: Modifiers) => KeyEvent): KeyEvent | null => {
  const modifiers = readModifiers(fields[1])
  return modifiers === undefined ? null : make(modifiers)
}

const tildeKey = (fields: Fields): KeyEvent | null | undefined => {
  const number = fields[0]?.[0]
  if (number === undefined) return undefined
  // modifyOtherKeys: `CSI 27;modifiers;code~`.
  if (number === 27 && fields.length === 3) return codeKey([fields[2] ?? [], fields[1] ?? []])
  const name = TILDE_KEYS[number]
  return name === undefined ? undefined : withModifiers(fields, (modifiers) => key(name, modifiers))
}

const rxvtKey = (fields: Fields, final: string): KeyEvent | undefined => {
  const name = TILDE_KEYS[fields[0]?.[0] ?? 0]
  return name === undefined ? undefined : key(name, { ctrl: final !== "$", shift: final !== "^" })
}

/** `CSI code:shifted:base ; modifiers:event ; text u`. */
const codeKey = (fields: Fields): KeyEvent | null | undefined => {
  const [code, shifted, base] = fields[0] ?? []
  if (code === undefined) return undefined
  const modifiers = readModifiers(fields[1])
  if (modifiers === undefined) return null
  const name = CODE_KEYS[code] ?? functionKey(code)
  if (name !== undefined) return key(name, modifiers)
  const pad = padCharacter(code)
  if (pad !== undefined) return character(pad, modifiers)
  // Text without a key, of an input method.
  if (code === 0) return characterOf(fields[2] ?? [], modifiers)
  if (code < 0x20) return key(String.fromCharCode(code + 0x60), { ...modifiers, ctrl: true })
  if (code >= FIRST_PRIVATE_CODE && code <= LAST_PRIVATE_CODE) return null
  const { ctrl, alt, shift } = modifiers
  // Ctrl+С of a Cyrillic keyboard is Ctrl+C: shortcuts go by the key's place.
  if (ctrl || alt) return characterOf(base !== undefined && code > 0x7f ? [base] : [code], modifiers)
  return characterOf(fields[2] ?? [shift ? (shifted ?? upper(code)) : code], modifiers)
}

const functionKey = (code: number): string | undefined =>
  code >= FIRST_FUNCTION_CODE && code <= LAST_FUNCTION_CODE ? `f${code - FIRST_FUNCTION_CODE + 13}` : undefined

const padCharacter = (code: number): string | undefined => {
  if (code === PAD_EQUAL_CODE) return "="
  if (code === PAD_SEPARATOR_CODE) return ","
  return PAD_CODES[code - FIRST_PAD_CODE]
}

const upper = (code: number): number => fromCode(code)?.toUpperCase().codePointAt(0) ?? code

const characterOf = (codes: ReadonlyArray<number | undefined>, modifiers: Modifiers): KeyEvent | null => {
  const text = codes.map((code) => (code === undefined ? "" : (fromCode(code) ?? ""))).join("")
  return text === "" ? null : character(text, modifiers)
}

/** Undefined for what is no printable character. */
const fromCode = (code: number): string | undefined => {
  const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code <= 0x9f)
  return isCharacter && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined
}
