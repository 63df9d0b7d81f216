/**
 * A text that ends in going round in circles, as very small models write it until the limit cuts them off. In a summary it
 * would be read with every later request, and continued. Pure; linear in the text.
 */

/** Whole repeats that are no accident, and characters they must fill. */
const LEAST_TIMES = 4
const LEAST_LENGTH = 120

/** The text with one of the repeats at its end; undefined where it does not repeat itself. */
export const withoutRepeats = (text: string): string | undefined => {
  const units = text.trimEnd()
  const ends = endMatches(units)
  const most = Math.floor(units.length / LEAST_TIMES)
  for (let period = 1; period <= most; period++) {
    const run = (ends[period] ?? 0) + period
    if (run >= Math.max(LEAST_TIMES * period, LEAST_LENGTH))
      return units.slice(0, units.length - run + period).trimEnd()
  }
  return undefined
}

/** For each shift, how many characters before the end equal those that lie `shift` further back (Z function, from the end). */
const endMatches = (text: string): Int32Array => {
  const n = text.length
  const z = new Int32Array(n)
  const at = (index: number): number => text.charCodeAt(n - 1 - index)
  let left = 0
  let right = 0
  for (let shift = 1; shift < n; shift++) {
    let length = shift < right ? Math.min(right - shift, z[shift - left] ?? 0) : 0
    while (shift + length < n && at(length) === at(shift + length)) length++
    z[shift] = length
    if (shift + length > right) {
      left = shift
      right = shift + length
    }
  }
  return z
}
