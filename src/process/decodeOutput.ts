/**
 * Bytes of a program into text (field case E7): UTF-8, else a guess at Latin-1, else U+FFFD for what is wrong; binary
 * data is recognised, not decoded. Pure, linear.
 */
export type DecodedOutput =
  | {
      readonly kind: "text"
      /** Well-formed; may hold control characters and escape sequences. */
      readonly text: string
      /** Bytes at the end that begin a character whose rest has not come yet (only with `cutAfter`). */
      readonly pending: number
    }
  | { readonly kind: "binary" }

export interface Edges {
  /** The bytes may begin inside a character. */
  readonly cutBefore?: boolean
  /** The bytes may end inside a character. */
  readonly cutAfter?: boolean
}

export const decodeOutput = (bytes: Uint8Array, edges: Edges = {}): DecodedOutput => {
  const start = edges.cutBefore === true ? leadingContinuation(bytes) : 0
  const pending = edges.cutAfter === true ? incompleteEnd(bytes) : 0
  const whole = bytes.subarray(start, bytes.length - pending)
  const looks = inspect(whole)
  if (looks.controls > whole.length * 0.1 && whole.length >= smallest) return { kind: "binary" }
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(whole), pending }
  } catch {
    if (looks.controls > whole.length * 0.02 && looks.high > whole.length * 0.2 && whole.length >= smallest) {
      return { kind: "binary" }
    }
    return { kind: "text", text: decodeDamaged(whole, looks), pending }
  }
}

/** Fewer bytes are never called binary. */
const smallest = 24
/** Bytes looked at to tell text from binary data. */
const sample = 65_536

interface Looks {
  readonly controls: number
  readonly high: number
}

/** Shares of control bytes a text does not have and of bytes outside ASCII, scaled to the whole length. */
const inspect = (bytes: Uint8Array): Looks => {
  const length = Math.min(bytes.length, sample)
  let controls = 0
  let high = 0
  for (let index = 0; index < length; index++) {
    const byte = bytes[index] ?? 0
    if (byte >= 0x80) high++
    else if (byte < 0x07 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f) controls++
  }
  const scale = length === 0 ? 0 : bytes.length / length
  return { controls: controls * scale, high: high * scale }
}

/** Not UTF-8 anywhere and no control bytes: an 8-bit alphabet. Mixed with real UTF-8: only the wrong bytes are marked. */
const decodeDamaged = (bytes: Uint8Array, looks: Looks): string => {
  const marked = new TextDecoder("utf-8").decode(bytes)
  if (looks.controls > 0 || looks.high > bytes.length / 2 || /[\u0080-\ufffc]/.test(marked)) return marked
  // 8-bit escape sequences stay what they are; windows-1252 would turn them into quotation marks.
  return bytes.some(isStringOrSequenceStart) ? Buffer.from(bytes).toString("latin1") : windows1252.decode(bytes)
}

const windows1252 = new TextDecoder("windows-1252")

const isStringOrSequenceStart = (byte: number): boolean =>
  byte === 0x90 || byte === 0x98 || byte === 0x9b || (byte >= 0x9d && byte <= 0x9f)

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

const leadingContinuation = (bytes: Uint8Array): number => {
  let count = 0
  while (count < 3 && isContinuation(bytes[count])) count++
  return count
}

const incompleteEnd = (bytes: Uint8Array): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    const length = byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1
    return byte < 0xf8 && length > back ? back : 0
  }
  return 0
}
