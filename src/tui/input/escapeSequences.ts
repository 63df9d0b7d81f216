/**
 * Finds the escape sequence at one place of the terminal's input: where it ends, and what it is. Pure; knows the grammar,
 * not what keys are called (`csiKeys.ts`).
 */

/** `incomplete`: more must come. `none`: no sequence, ESC and the next character are keys. */
export type Scan =
  | { readonly kind: "incomplete" }
  | { readonly kind: "none" }
  | { readonly kind: "cancelled"; readonly end: number }
  | { readonly kind: "csi"; readonly end: number; readonly parameters: string; readonly final: string }
  | { readonly kind: "ss3"; readonly end: number; readonly parameters: string; readonly final: string }
  | { readonly kind: "console"; readonly end: number; readonly final: string }
  | { readonly kind: "mouse"; readonly end: number }
  | { readonly kind: "string"; readonly end: number }

const INCOMPLETE: Scan = { kind: "incomplete" }

/** `at` is the place of the ESC. */
export const scanEscape = (input: string, at: number): Scan => {
  switch (input[at + 1]) {
    case undefined:
      return INCOMPLETE
    case "[":
      return scanCsi(input, at + 2)
    case "O":
      return scanSs3(input, at + 2)
    case "]":
    case "P":
    case "X":
    case "^":
    case "_":
      return scanString(input, at + 2)
    default:
      return { kind: "none" }
  }
}

/** Characters of a control sequence; a longer one is noise. */
const LONGEST_CSI = 256

const scanCsi = (input: string, start: number): Scan => {
  let at = start
  while (isBetween(input[at], "0", "?")) at++
  const parametersEnd = at
  while (isBetween(input[at], " ", "/")) at++
  if (at - start > LONGEST_CSI) return { kind: "cancelled", end: start + LONGEST_CSI }
  const final = input[at]
  if (final === undefined) return INCOMPLETE
  const parameters = input.slice(start, parametersEnd)
  const between = input.slice(parametersEnd, at)
  // rxvt ends Shift+Delete with `$`, which elsewhere comes before the last character, in mode reports (`CSI 4;2$y`).
  if (between === "$" && /^\d+$/.test(parameters) && final !== "y") {
    return { kind: "csi", end: at, parameters, final: "$" }
  }
  if (!isBetween(final, "@", "~")) return { kind: "cancelled", end: at }
  if (parameters + between === "") {
    if (final === "[") return input[at + 1] === undefined ? INCOMPLETE : scanConsole(input, at + 1)
    if (final === "M") return scanMouse(input, at + 1)
  }
  return { kind: "csi", end: at + 1, parameters, final: between + final }
}

/** The Linux console names F1 to F5 `CSI [ A` to `CSI [ E`. */
const scanConsole = (input: string, at: number): Scan => {
  const final = input[at] ?? ""
  return isBetween(final, "@", "~") ? { kind: "console", end: at + 1, final } : { kind: "cancelled", end: at }
}

/** The oldest mouse report: three characters of any kind. */
const scanMouse = (input: string, at: number): Scan => {
  for (let index = at; index < at + 3; index++) {
    const next = input[index]
    if (next === undefined) return INCOMPLETE
    if (next < " ") return { kind: "cancelled", end: index }
  }
  return { kind: "mouse", end: at + 3 }
}

const scanSs3 = (input: string, start: number): Scan => {
  let at = start
  while (isBetween(input[at], "0", ";") && at - start < LONGEST_CSI) at++
  const final = input[at]
  if (final === undefined) return INCOMPLETE
  // No key is called so: Alt+O and something else.
  if (!isBetween(final, "@", "~")) return at === start ? { kind: "none" } : { kind: "cancelled", end: at }
  return { kind: "ss3", end: at + 1, parameters: input.slice(start, at), final }
}

/**
 * OSC, DCS, SOS, PM and APC end with BEL or ST. Any other control character means that the end was lost: it is a key
 * again, so that a lost end does not deafen the input.
 */
const scanString = (input: string, start: number): Scan => {
  for (let at = start; at < input.length; at++) {
    const code = input.charCodeAt(at)
    if (code === 0x07 || code === 0x9c) return { kind: "string", end: at + 1 }
    if (code === 0x1b) {
      if (at + 1 === input.length) return INCOMPLETE
      return input[at + 1] === "\\" ? { kind: "string", end: at + 2 } : { kind: "cancelled", end: at }
    }
    if (code < 0x20 && code !== 0x09) return { kind: "cancelled", end: at }
  }
  return INCOMPLETE
}

const isBetween = (character: string | undefined, first: string, last: string): boolean =>
  character !== undefined && character >= first && character <= last
