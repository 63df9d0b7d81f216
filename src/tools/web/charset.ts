/**
 * Bytes of a page to text (spec 02: charset from BOM, header or meta). Pure.
 */

/** Bytes in which a `<meta>` may name the charset; the standard says 1024, real pages come later. */
const META_BYTES = 4096

/**
 * BOM first, then the header, then `<meta>` or the XML declaration, else UTF-8, else Windows-1252 where the bytes are no
 * UTF-8. A label nobody knows counts as absent. Never throws.
 */
export const decodeBody = (bytes: Uint8Array, header: string | undefined): string => {
  const label = fromBom(bytes) ?? known(header) ?? known(fromMeta(bytes))
  if (label !== undefined) return new TextDecoder(label).decode(bytes)
  const text = new TextDecoder("utf-8").decode(bytes)
  const broken = text.indexOf("\uFFFD")
  if (broken === -1) return text
  // A body cut in the middle of a character is still UTF-8 if there is another such character in it.
  const onlyAtTheEnd = broken >= text.length - 1 && /[^\x00-\x7f\uFFFD]/.test(text)
  return onlyAtTheEnd ? text : new TextDecoder("windows-1252").decode(bytes)
}

const fromBom = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return undefined
}

const fromMeta = (bytes: Uint8Array): string | undefined => {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, META_BYTES))
  const meta = /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(head)?.[1]
  const declared = meta ?? /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head)?.[1]
  // The meta was readable as ASCII, so it cannot be UTF-16 (HTML standard).
  return declared !== undefined && /^utf-16/i.test(declared) ? "utf-8" : declared
}

const known = (label: string | undefined): string | undefined => {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
