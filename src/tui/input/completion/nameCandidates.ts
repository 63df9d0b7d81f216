/** Candidates among names: commands, skills, arguments of commands (spec 07 "Input"). Pure. */
import { safeLine } from "../../text/safeText.ts"
import type { Candidate } from "./candidate.ts"
import { Best, LONGEST_QUERY, lowerCase, matchPlaces, score, targetOf } from "./fuzzy.ts"

export interface NamedItem {
  /** Without sigil. */
  readonly name: string
  /** In the user's language. */
  readonly detail?: string
  /** Other names under which it is found. */
  readonly aliases?: ReadonlyArray<string>
}

/** Candidates shown and chosen from. */
export const MOST_CANDIDATES = 50

/** Best first; all in the order given where nothing is typed yet. */
export const nameCandidates = (
  items: ReadonlyArray<NamedItem>,
  typed: string,
  sigil: string
): ReadonlyArray<Candidate> => {
  const query = typed.slice(0, LONGEST_QUERY)
  const best = new Best<NamedItem>(MOST_CANDIDATES)
  for (const item of items) {
    const points = Math.max(...[item.name, ...(item.aliases ?? [])].map((name) => scoreOf(name, query)))
    if (query === "") best.add(item, 0)
    else if (points !== Number.NEGATIVE_INFINITY) best.add(item, points)
  }
  return best.items.map((item) => candidateOf(item, query, sigil))
}

const scoreOf = (name: string, query: string): number => score(targetOf(name), query, lowerCase(query))

const candidateOf = ({ detail, name }: NamedItem, query: string, sigil: string): Candidate => {
  const label = safeLine(sigil + name)
  const places = label === sigil + name ? (matchPlaces(targetOf(name), lowerCase(query)) ?? []) : []
  return {
    label,
    ...(detail === undefined ? {} : { detail: safeLine(detail) }),
    matched: places.map((at) => at + sigil.length),
    insert: sigil + name,
    continues: false
  }
}
