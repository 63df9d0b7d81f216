/**
 * What a person would point at when a text is not found (seed 003): the lines that come closest, with their numbers, or the
 * invisible characters that make the difference. Pure; linear in the file.
 */

/** Lines shown at most. */
const SHOWN = 20

/** English for the model; empty where nothing comes near. */
export const explainNotFound = (text: string, old: string): string => {
  if (text.includes(old.normalize("NFC")) || text.includes(old.normalize("NFD"))) {
    return "The file has the same text with accents in another Unicode form: copy it from Read's output."
  }
  if (simplify(text).includes(simplify(old))) {
    return "The file has the same text with invisible or look-alike characters (for example a no-break space): copy it from Read's output."
  }
  return nearestLines(text, old)
}

/** Blanks of any kind become one kind; characters without a picture go. */
const simplify = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[\u00A0\u2000-\u200A\u202F\u3000]/g, " ")
    .replaceAll(/[\u200B-\u200D\u2060\uFEFF\u00AD]/g, "")
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201C\u201D]/g, '"')
    .replaceAll(/[\u2010-\u2015]/g, "-")

/** The stretch as long as `old` in which most lines are the same, when at least half are. */
const nearestLines = (text: string, old: string): string => {
  const wanted = old
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  const [first] = wanted
  if (first === undefined) return ""
  const lines = text.split("\n")
  const counts = new Map<string, number>()
  for (const line of wanted) counts.set(line, (counts.get(line) ?? 0) + 1)
  let best = { score: 0, start: 0 }
  let score = 0
  const hits = lines.map((line) => (counts.has(line.trim()) ? 1 : 0))
  for (const [index, hit] of hits.entries()) {
    score += hit - (hits[index - wanted.length] ?? 0)
    if (score > best.score) best = { score, start: Math.max(0, index - wanted.length + 1) }
  }
  if (best.score * 2 < wanted.length || best.score === 0) {
    const similar = similarLine(lines, wanted)
    if (similar === undefined) return ""
    best = { score: 1, start: similar }
  }
  const end = Math.min(lines.length, best.start + Math.min(wanted.length + 1, SHOWN))
  const shown = lines.slice(best.start, end).map((line, index) => `${best.start + index + 1}\t${shorten(line)}`)
  return `The nearest lines are (copy these, without the numbers):\n${shown.join("\n")}`
}

/** The line that shares most words with the longest wanted one, when it shares at least half. */
const similarLine = (lines: ReadonlyArray<string>, wanted: ReadonlyArray<string>): number | undefined => {
  const target = wanted.toSorted((a, b) => b.length - a.length)[0] ?? ""
  const words = new Set(target.match(/\w+/g) ?? [])
  if (words.size === 0) return undefined
  let best: number | undefined
  let most = words.size / 2
  for (const [index, line] of lines.entries()) {
    if (line.length > 2_000) continue
    let shared = 0
    for (const word of new Set(line.match(/\w+/g) ?? [])) if (words.has(word)) shared++
    if (shared >= most && shared > 0) {
      if (shared > most || best === undefined) best = index
      most = Math.max(most, shared)
    }
  }
  return best
}

const shorten = (line: string): string => (line.length <= 200 ? line : `${line.slice(0, 200)}…`.toWellFormed())
