/** Recognises the image formats that models take by their first bytes. Pure. */

/** MIME type of a PNG, JPEG, GIF or WebP; undefined for anything else. */
export const imageType = (bytes: Uint8Array): string | undefined => {
  const starts = (...wanted: ReadonlyArray<number>) => wanted.every((byte, index) => bytes[index] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png"
  if (starts(0xff, 0xd8, 0xff)) return "image/jpeg"
  if (starts(0x47, 0x49, 0x46, 0x38)) return "image/gif"
  const isRiff = starts(0x52, 0x49, 0x46, 0x46)
  return isRiff && [0x57, 0x45, 0x42, 0x50].every((byte, index) => bytes[index + 8] === byte) ? "image/webp" : undefined
}
