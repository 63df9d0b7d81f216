/**
 * Reading of untrusted JSON by hand: the shapes in chapter 01 are too many and too loose for one schema, and this is the hot
 * path. Pure; every reader takes anything and never throws.
 */

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Fields of an object, or none at all. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** A finite number, also from text that is one. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

export const arrayOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The value of JSON text, or undefined where it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
