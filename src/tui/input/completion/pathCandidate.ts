/** A path as a candidate (spec 07 "Input"): shown safely, inserted so that `@` finds it again. Pure. */
import { safeLine } from "../../text/safeText.ts"
import type { Candidate } from "./candidate.ts"
import { LONGEST_QUERY, lowerCase, matchPlaces, type Target } from "./fuzzy.ts"
import { mentionOf } from "./quoting.ts"

/** Undefined for a name that no reference can hold. */
export const pathCandidate = (target: Target, query: string): Candidate | undefined => {
  const { text } = target
  const insert = mentionOf(text)
  if (insert === undefined) return undefined
  const label = safeLine(text)
  const places = label === text ? matchPlaces(target, lowerCase(query.slice(0, LONGEST_QUERY))) : undefined
  return { label, matched: places ?? [], insert, continues: text.endsWith("/") }
}
