/** `Retry-After` in the forms servers send it (spec 01, field case A33). Pure. */

export type HeaderFields = Readonly<Record<string, string | undefined>>

/** LiteLLM hands a provider's headers on under names of its own. */
const header = (headers: HeaderFields, name: string): string | undefined =>
  headers[name] ?? headers[`llm_provider-${name}`]

/**
 * Seconds to wait from `now` (milliseconds since 1970): digits, digits with a fraction, an HTTP date, or the header
 * `retry-after-ms`. Undefined for what is absent, malformed, negative or past.
 */
export const retryAfterSeconds = (headers: HeaderFields, now: number): number | undefined => {
  const milliseconds = plainNumber(header(headers, "retry-after-ms"))
  if (milliseconds !== undefined && milliseconds > 0) return milliseconds / 1000
  const value = header(headers, "retry-after")?.trim()
  if (value === undefined || value === "") return undefined
  const seconds = plainNumber(value)
  if (seconds !== undefined) return seconds > 0 ? seconds : undefined
  // `Date.parse` takes odd texts such as "-5" for dates: a date has letters and a year.
  if (!/[a-z]{3}/i.test(value) || !/\d{2}/.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isFinite(at) && at > now ? (at - now) / 1000 : undefined
}

const plainNumber = (value: string | undefined): number | undefined =>
  value !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined
