/**
 * Width and height from the first bytes of an image: PNG, JPEG, GIF, WebP. Pure; never decodes more of the base64 text than
 * the header needs.
 */

export interface ImageSize {
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** Base64 characters that hold the header of PNG, GIF and WebP (30 bytes). */
const SHORT_HEADER = 40
/** A JPEG's size may come after a preview image and colour profiles; 192 KiB of it are looked at. */
const LONG_HEADER = 262_144

/** `data` is base64 without a `data:` prefix; undefined where it is none of the four or is broken. */
export const imageSize = (data: string): ImageSize | undefined => {
  const head = decode(data.slice(0, SHORT_HEADER))
  if (head === undefined) return undefined
  const size = png(head) ?? gif(head) ?? webp(head) ?? (head[0] === 0xff ? jpegOf(data) : undefined)
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

const decode = (base64: string): Uint8Array | undefined => {
  const whole = base64.slice(0, base64.length - (base64.length % 4))
  try {
    return Uint8Array.from(atob(whole), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((char, index) => bytes[at + index] === char.charCodeAt(0))

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const png = (bytes: Uint8Array): ImageSize | undefined => {
  if (bytes.length < 24 || !startsWith(bytes, "\u0089PNG\r\n\u001a\n")) return undefined
  return { width: view(bytes).getUint32(16), height: view(bytes).getUint32(20) }
}

const gif = (bytes: Uint8Array): ImageSize | undefined => {
  if (bytes.length < 10 || !startsWith(bytes, "GIF8")) return undefined
  return { width: view(bytes).getUint16(6, true), height: view(bytes).getUint16(8, true) }
}

const webp = (bytes: Uint8Array): ImageSize | undefined => {
  if (bytes.length < 30 || !startsWith(bytes, "RIFF") || !startsWith(bytes, "WEBP", 8)) return undefined
  const data = view(bytes)
  if (startsWith(bytes, "VP8X", 12)) {
    const width = data.getUint16(24, true) + ((bytes[26] ?? 0) << 16)
    const height = data.getUint16(27, true) + ((bytes[29] ?? 0) << 16)
    return { width: width + 1, height: height + 1 }
  }
  if (startsWith(bytes, "VP8L", 12)) {
    const bits = data.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!startsWith(bytes, "VP8 ", 12)) return undefined
  return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff }
}

const jpegOf = (data: string): ImageSize | undefined => {
  const bytes = decode(data.slice(0, LONG_HEADER))
  return bytes === undefined ? undefined : jpeg(bytes)
}

/** Walks the segments to the first frame header (SOF0 to SOF15 without DHT, JPG and DAC). */
const jpeg = (bytes: Uint8Array): ImageSize | undefined => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const data = view(bytes)
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    // Fill bytes.
    if (marker === 0xff) {
      at++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: data.getUint16(at + 7), height: data.getUint16(at + 5) }
    at += 2 + data.getUint16(at + 2)
  }
  return undefined
}
