/** Numbers as people read them (MAIA §13.3): `950`, `12.3k`, `200k`, `1.05M`. Pure. */

/** Three digits at most before the unit; one decimal of thousands, two of millions, without zeros at the end. */
export const shortNumber = (value: number): string => {
  if (!Number.isFinite(value)) return "?"
  const amount = Math.max(0, Math.round(value))
  if (amount < 1_000) return String(amount)
  // What would round up to 1000k is a million.
  if (amount < 999_950) return `${decimals(amount / 1_000, 1)}k`
  if (amount < 999_995_000) return `${decimals(amount / 1_000_000, 2)}M`
  return `${decimals(amount / 1_000_000_000, 2)}G`
}

const decimals = (value: number, count: number): string => String(Number(value.toFixed(count)))

/** A whole percentage; 100 only when nothing is left. */
export const percent = (part: number, whole: number): number => {
  if (!(whole > 0) || !(part > 0)) return 0
  const exact = (100 * part) / whole
  return exact < 100 ? Math.min(99, Math.round(exact)) : Math.round(exact)
}

const UNITS = ["B", "kB", "MB", "GB", "TB"]

/** `0 B`, `950 B`, `1.2 MB`. */
export const bytes = (count: number): string => {
  let amount = Math.max(0, count)
  let unit = 0
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1_000
    unit++
  }
  return `${unit === 0 ? Math.round(amount) : decimals(amount, amount < 10 ? 1 : 0)} ${UNITS[unit] ?? "B"}`
}
