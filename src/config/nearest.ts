/** Near names, for messages about unknown keys, models and commands. Pure. */

/** Edits (insertions, deletions, replacements, swaps of neighbours) between two texts, at most `limit` + 1. */
export const editDistance = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: Array<number> = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      row.push(best)
    }
    before = last
    last = row
  }
  return last[b.length] ?? limit + 1
}

/** The candidates near `name`, best first: same text but for case, one holds the other, or few edits apart. */
export const nearest = (name: string, candidates: Iterable<string>, most = 3): ReadonlyArray<string> => {
  const wanted = name.toLowerCase()
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  const scored: Array<readonly [number, string]> = []
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase()
    const distance = editDistance(wanted, lower, limit)
    if (distance <= limit) scored.push([distance, candidate])
    else if (wanted.length > 2 && (lower.includes(wanted) || wanted.includes(lower))) scored.push([limit, candidate])
  }
  return scored
    .sort((left, right) => left[0] - right[0] || left[1].localeCompare(right[1]))
    .slice(0, most)
    .map(([, candidate]) => candidate)
}
