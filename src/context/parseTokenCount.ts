/** Reads a number of tokens out of a model's answer (MAIA §13.2). Pure. */

/** A window that could be true, in tokens. */
const PLAUSIBLE = { least: 1_000, most: 100_000_000 } as const

const UNITS: ReadonlyArray<readonly [name: RegExp, factor: number]> = [
  [/^(?:k|mille|thousand)$/i, 1_000],
  [/^ki$/i, 1_024],
  [/^(?:m|mio|millions?)$/i, 1_000_000],
  [/^mi$/i, 1_048_576]
]

/** Blanks, no-break blanks and the other signs that part the thousands. */
const GROUPED = /^\d{1,3}(?:[\s.,'’_\u00a0\u202f]\d{3})+(?!\d)/u
const PLAIN = /^\d+(?:[.,]\d+)?/u
const UNIT = /^[\s\u00a0\u202f]?(ki|mi|mille|thousand|millions?|mio|k|m)(?![\p{L}\p{N}])/iu

interface Found {
  readonly tokens: number
  readonly hasUnit: boolean
}

/**
 * `128000`, `128 000 tokens`, `131,072`, `1.000.000`, `200k`, `1M`, `1,5 million`, `2 millions`. A value with a unit wins over
 * a larger one without; else the largest. Undefined where no number between 1 000 and 100 000 000 is there.
 */
export const parseTokenCount = (answer: string): number | undefined => {
  const found: Array<Found> = []
  for (let at = 0; at < answer.length;) {
    const unit = answer.charCodeAt(at)
    if (unit < 0x30 || unit > 0x39) {
      at++
      continue
    }
    const { number, length } = readNumber(answer.slice(at, at + 64))
    // A digit inside a word is part of a name: "gpt4", "v2".
    if (number !== undefined && !/[\p{L}_]/u.test(answer.charAt(at - 1))) found.push(number)
    at += length
  }
  const plausible = found.filter(({ tokens }) => tokens >= PLAUSIBLE.least && tokens <= PLAUSIBLE.most)
  const withUnit = plausible.filter(({ hasUnit }) => hasUnit)
  const best = Math.max(...(withUnit.length > 0 ? withUnit : plausible).map(({ tokens }) => tokens))
  return Number.isFinite(best) ? best : undefined
}

/** `text` begins with a digit. */
const readNumber = (text: string): { readonly number: Found | undefined; readonly length: number } => {
  const grouped = GROUPED.exec(text)?.[0]
  const plain = PLAIN.exec(text)?.[0] ?? ""
  const unitAfter = (digits: string) => UNIT.exec(text.slice(digits.length))
  const factor = (name: string): number => UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? 1
  if (grouped !== undefined) {
    const unit = unitAfter(grouped)
    // "1.048M" is a fraction of a million; "1,000k" is a thousand thousands.
    const isFraction = unit !== null && /^m/i.test(unit[1] ?? "") && /^\d+[.,]\d{3}$/.test(grouped)
    if (!isFraction) return whole(Number(grouped.replaceAll(/\D/g, "")), grouped, unit, factor)
  }
  const unit = unitAfter(plain)
  // Without a unit a fraction is no count of tokens ("version 3.5").
  const isFraction = /[.,]/.test(plain)
  if (isFraction && unit === null) return { number: undefined, length: plain.length }
  return whole(Number(plain.replace(",", ".")), plain, unit, factor)
}

const whole = (value: number, digits: string, unit: RegExpExecArray | null, factor: (name: string) => number) => ({
  number: { tokens: Math.round(value * (unit === null ? 1 : factor(unit[1] ?? ""))), hasUnit: unit !== null },
  length: digits.length + (unit?.[0].length ?? 0)
})
