/**
 * Names of sessions (MAIA §12.2, §14.4). Pure. A name is also a file name, so what passes `checkName` can name nothing
 * outside the sessions folder.
 */
import { text, type Text } from "../domain/text.ts"

/** UTF-16 units. */
export const MAX_NAME = 100

/** Bytes of UTF-8: most file systems take 255 for a file name, its suffixes included. */
const MAX_NAME_BYTES = 200

const FORBIDDEN = /[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** Names that are devices on Windows, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

const encoder = new TextEncoder()

const fits = (name: string): boolean => name.length <= MAX_NAME && encoder.encode(name).length <= MAX_NAME_BYTES

const two = (value: number): string => String(value).padStart(2, "0")

/** `session_YYYY-MM-DD_HH_MM_SS`, local time. */
export const defaultName = (now: Date): string =>
  `session_${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}` +
  `_${two(now.getHours())}_${two(now.getMinutes())}_${two(now.getSeconds())}`

/** Removes spaces and quotes around a typed name. */
export const normaliseName = (typed: string): string => {
  let name = typed.toWellFormed().normalize("NFC").trim()
  for (const [open, close] of [
    ['"', '"'],
    ["'", "'"],
    ["«", "»"],
    ["“", "”"]
  ] as const) {
    if (name.length >= 2 && name.startsWith(open) && name.endsWith(close)) name = name.slice(1, -1).trim()
  }
  return name
}

export type NameCheck = { readonly name: string } | { readonly problem: Text }

/** The normalised name, or why it cannot be one. */
export const checkName = (typed: string): NameCheck => {
  const name = normaliseName(typed)
  if (name === "") return { problem: text("The name is empty.", "Le nom est vide.") }
  if (!fits(name)) {
    return {
      problem: text(`The name is too long (at most ${MAX_NAME}).`, `Le nom est trop long (${MAX_NAME} au plus).`)
    }
  }
  if (FORBIDDEN.test(name)) {
    return {
      problem: text(
        'The name holds a character that is not allowed (\\ / : * ? " < > | or a control character).',
        'Le nom contient un caractère interdit (\\ / : * ? " < > | ou un caractère de contrôle).'
      )
    }
  }
  if (name.startsWith(".") || name.endsWith(".")) {
    return {
      problem: text("The name may not start or end with a dot.", "Le nom ne peut ni commencer ni finir par un point.")
    }
  }
  if (DEVICE.test(name))
    return { problem: text("The name is that of a device.", "Ce nom est celui d'un périphérique.") }
  return { name }
}

/** Adds a suffix, shortening the name where both do not fit. */
const withSuffix = (name: string, suffix: string): string => {
  const characters = Array.from(name)
  while (characters.length > 1 && !fits(characters.join("") + suffix)) characters.pop()
  return characters.join("") + suffix
}

/** `PARENT-AGENT` (MAIA §20.5), the parent's name shortened where both do not fit. */
export const agentSessionName = (parent: string, agent: string): string => withSuffix(parent, `-${agent}`)

/** The name itself when it is free, else `name_2`, `name_3` … */
export const freeName = (name: string, isTaken: (name: string) => boolean): string => {
  let candidate = name
  for (let n = 2; isTaken(candidate); n++) candidate = withSuffix(name, `_${n}`)
  return candidate
}

/** `xxx` → `xxx__1` → … → `xxx__1000` → `xxx__1` (MAIA §14.4). Whoever makes the file adds `_2` when it exists. */
export const nextCompactedName = (name: string): string => {
  const match = /^(.+)__([1-9]\d{0,3})$/s.exec(name)
  const count = match?.[2] === undefined ? 0 : Number(match[2])
  if (match?.[1] === undefined || count > 1000) return withSuffix(name, "__1")
  return withSuffix(match[1], `__${count === 1000 ? 1 : count + 1}`)
}

/** What two names are compared by. */
export const foldName = (name: string): string => name.normalize("NFC").toLowerCase()

/** Edits (insert, delete, replace) between two words, or `limit + 1` as soon as it is more. */
const distance = (left: string, right: string, limit: number): number => {
  if (Math.abs(left.length - right.length) > limit) return limit + 1
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    let best = i
    for (let j = 1; j <= right.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      const value = Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      row.push(value)
      if (value < best) best = value
    }
    if (best > limit) return limit + 1
    previous = row
  }
  return previous[right.length] ?? limit + 1
}

const isSubsequence = (needle: string, hay: string): boolean => {
  let at = 0
  for (const character of hay) if (character === needle[at]) at++
  return at >= needle.length
}

/** Lower is nearer; undefined is not near at all. */
const nearness = (wanted: string, name: string): number | undefined => {
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  if (name.includes(wanted)) return 2
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  const edits = distance(wanted, name, limit)
  if (edits <= limit) return 2 + edits / 100
  return wanted.length >= 3 && isSubsequence(wanted, name) ? 4 : undefined
}

/** Names near a typed one, nearest first; equally near names keep their order. */
export const suggestNames = (typed: string, names: ReadonlyArray<string>, max = 5): ReadonlyArray<string> => {
  const wanted = foldName(normaliseName(typed))
  if (wanted === "") return []
  const ranked: Array<{ readonly name: string; readonly rank: number }> = []
  for (const name of names) {
    const rank = nearness(wanted, foldName(name))
    if (rank !== undefined) ranked.push({ name, rank })
  }
  return ranked
    .sort((left, right) => left.rank - right.rank)
    .slice(0, max)
    .map(({ name }) => name)
}
