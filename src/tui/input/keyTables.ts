/**
 * The numbers and letters by which terminals name keys: xterm and VT sequences, rxvt, the Linux console, the kitty keyboard
 * protocol. Data only.
 */

/** `CSI 1;5 A`, `SS3 A`. */
export const LETTER_KEYS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "clear",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4"
}

/** `CSI 3 ~`, `CSI 3;5 ~`. */
export const TILDE_KEYS: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
  25: "f13",
  26: "f14",
  28: "f15",
  29: "f16",
  31: "f17",
  32: "f18",
  33: "f19",
  34: "f20",
  57427: "clear"
}

/** Arrow letters of rxvt: `CSI a` is with Shift, `SS3 a` with Ctrl. */
export const RXVT_ARROWS: Readonly<Record<string, string>> = { a: "up", b: "down", c: "right", d: "left" }

/** The numeric pad in application mode: `SS3 j`. */
export const PAD_CHARACTERS: Readonly<Record<string, string>> = {
  X: "=",
  j: "*",
  k: "+",
  l: ",",
  m: "-",
  n: ".",
  o: "/",
  p: "0",
  q: "1",
  r: "2",
  s: "3",
  t: "4",
  u: "5",
  v: "6",
  w: "7",
  x: "8",
  y: "9"
}

/** Codes of `CSI code u` that are no characters. */
export const CODE_KEYS: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
  57427: "clear"
}

/** F13 is code 57376, and so on to F35. */
export const FIRST_FUNCTION_CODE = 57_376
export const LAST_FUNCTION_CODE = 57_398

/** Characters of the numeric pad in the kitty protocol, from code 57399. */
export const PAD_CODES = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "/", "*", "-", "+"] as const
export const FIRST_PAD_CODE = 57_399
/** Numeric pad keys after its Enter. */
export const PAD_EQUAL_CODE = 57_415
export const PAD_SEPARATOR_CODE = 57_416

/** The rest of the private use area: modifier and media keys. */
export const FIRST_PRIVATE_CODE = 57_344
export const LAST_PRIVATE_CODE = 63_743
