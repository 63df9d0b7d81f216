/**
 * Characters that are a grapheme and a known number of columns by themselves wherever their neighbours are such too: most
 * text, without the cost of segmentation. Pure.
 */

/** Columns of a simple character, 1 or 2; 0 for one that needs a closer look (controls, marks, emoji, …). */
export const simpleWidth = (code: number): 0 | 1 | 2 => {
  if (code < 0x7f) return code >= 0x20 ? 1 : 0
  if (code < 0x300) return code >= 0xa0 && code !== 0xa9 && code !== 0xad && code !== 0xae ? 1 : 0
  if (code < 0x530) return (code >= 0x386 && code <= 0x481) || code >= 0x48a ? 1 : 0
  if (code < 0x3041) return 0
  const isWide =
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3)
  return isWide ? 2 : 0
}

/** Nothing joins it to a neighbour that is simple too. */
export const isSimple = (code: number): boolean => simpleWidth(code) !== 0 || code === 0x0a || code === 0x09
