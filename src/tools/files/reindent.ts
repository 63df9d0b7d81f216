/**
 * Puts a replacement into the indentation of the file (seed 003): its base level and its unit. Used only where the match
 * was loose, so text that was quoted exactly is never touched. Pure.
 */

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ""

/**
 * `matched` stands in the file, `old` is what the model wrote for it (as many lines), `replacement` what is to take its place,
 * `unit` one level of the file. Lines of `replacement` that repeat a line of `old` come out as they stand in the file.
 */
export const reindent = (matched: string, old: string, replacement: string, unit: string | undefined): string => {
  const fileLines = matched.split("\n")
  const oldLines = old.split("\n")
  const newLines = replacement.split("\n")
  const kept = keptLines(oldLines, newLines)
  const taken = new Set(kept.values())
  // Quoted with its own indentation: what is new has the file's already.
  const sameIndents = oldLines.every(
    (line, at) => line.trim() === "" || indentOf(line) === indentOf(fileLines[at] ?? "")
  )
  const units = { theirs: unitOf(`${old}\n${replacement}`), files: fileUnit(matched, unit) }
  const levels = levelsOf(oldLines, fileLines)
  // Old lines that are not kept are taken to be changed, one after the other.
  let changed = 0
  return newLines
    .map((line, index) => {
      const twin = kept.get(index)
      if (line.trim() === "" && twin === undefined) return line
      const indent = indentOf(line)
      const counterpart = twin ?? (taken.has(changed) ? undefined : changed)
      changed = twin === undefined ? changed + (counterpart === undefined ? 0 : 1) : twin + 1
      // The nearest counterpart decides what an indentation means, for models that lose it altogether.
      const oldLine = counterpart === undefined ? "" : (oldLines[counterpart] ?? "")
      if (counterpart !== undefined && oldLine.trim() !== "" && indentOf(oldLine) === indent) {
        levels.set(indent, indentOf(fileLines[counterpart] ?? line))
      }
      if (twin !== undefined) return fileLines[twin] ?? line
      return sameIndents ? line : translate(indent, levels, units) + line.slice(indent.length)
    })
    .join("\n")
}

/** Index of a new line to that of the old line it repeats: from both ends, then in order between. */
const keptLines = (oldLines: ReadonlyArray<string>, newLines: ReadonlyArray<string>): Map<number, number> => {
  const kept = new Map<number, number>()
  const same = (n: number, o: number) => newLines[n]?.trimEnd() === oldLines[o]?.trimEnd()
  const shorter = Math.min(oldLines.length, newLines.length)
  let first = 0
  for (; first < shorter && same(first, first); first++) kept.set(first, first)
  let last = 0
  while (last < shorter - first && same(newLines.length - 1 - last, oldLines.length - 1 - last)) {
    kept.set(newLines.length - 1 - last, oldLines.length - 1 - last)
    last++
  }
  const places = new Map<string, Array<number>>()
  for (let o = oldLines.length - last - 1; o >= first; o--) {
    const line = (oldLines[o] ?? "").trimEnd()
    const known = places.get(line)
    if (known === undefined) places.set(line, [o])
    else known.push(o)
  }
  let next = first
  for (let n = first; n < newLines.length - last; n++) {
    const candidates = places.get((newLines[n] ?? "").trimEnd()) ?? []
    let o = candidates.pop()
    while (o !== undefined && o < next) o = candidates.pop()
    if (o === undefined) continue
    kept.set(n, o)
    next = o + 1
  }
  return kept
}

/** What each indentation the model wrote is in the file; the first line with it decides. */
const levelsOf = (oldLines: ReadonlyArray<string>, fileLines: ReadonlyArray<string>): Map<string, string> => {
  const levels = new Map<string, string>()
  for (const [index, line] of oldLines.entries()) {
    const indent = indentOf(line)
    if (line.trim() !== "" && !levels.has(indent)) levels.set(indent, indentOf(fileLines[index] ?? ""))
  }
  return levels
}

interface Units {
  readonly theirs: string | undefined
  readonly files: string | undefined
}

/** A known level; else the deepest known one it goes beyond; else so many levels less than the shallowest. */
const translate = (indent: string, levels: ReadonlyMap<string, string>, units: Units): string => {
  const known = levels.get(indent)
  if (known !== undefined) return known
  const bases = [...levels.keys()].sort((a, b) => b.length - a.length)
  const below = bases.find((base) => indent.startsWith(base))
  if (below !== undefined) return (levels.get(below) ?? "") + convert(indent.slice(below.length), units)
  const above = bases.at(-1)
  if (above === undefined) return indent
  const base = levels.get(above) ?? ""
  const less = Math.round(width(above, units.theirs) - width(indent, units.theirs))
  return base.slice(0, Math.max(0, base.length - less * (units.files?.length ?? 4)))
}

const convert = (extra: string, { files, theirs }: Units): string => {
  if (files === undefined || theirs === files) return extra
  const count = width(extra, theirs)
  return Number.isInteger(count) ? files.repeat(count) : extra
}

/** Levels of an indentation. */
const width = (indent: string, unit: string | undefined): number => {
  const tabs = indent.split("\t").length - 1
  return tabs + (indent.length - tabs) / (unit === undefined || unit === "\t" ? 4 : unit.length)
}

/** That of the block where it says so, for files that mix both. */
const fileUnit = (matched: string, unit: string | undefined): string | undefined => {
  if (/^\t/m.test(matched)) return "\t"
  return /^ +\S/m.test(matched) && unit === "\t" ? unitOf(matched) : (unit ?? unitOf(matched))
}

/** Lines looked at for the unit of a file. */
const SAMPLE = 20_000

/** `\t`, or the commonest step between two lines indented by blanks; undefined where nothing is indented. */
export const unitOf = (text: string): string | undefined => {
  let tabs = 0
  let spaced = 0
  let before = 0
  let smallest = Infinity
  const steps = new Map<number, number>()
  let start = 0
  for (let count = 0; start <= text.length && count < SAMPLE; count++) {
    const newline = text.indexOf("\n", start)
    const end = newline === -1 ? text.length : newline
    let at = start
    while (at < end && (text[at] === " " || text[at] === "\t")) at++
    if (at < end) {
      const indent = at - start
      if (indent > 0 && text[start] === "\t") tabs++
      else {
        if (indent > 0) {
          spaced++
          smallest = Math.min(smallest, indent)
        }
        const step = indent - before
        if (step > 0) steps.set(step, (steps.get(step) ?? 0) + 1)
        before = indent
      }
    }
    start = end + 1
  }
  if (tabs === 0 && spaced === 0) return undefined
  if (tabs > spaced) return "\t"
  // One blank is alignment more often than a level; so is more than eight.
  const likely = [...steps].filter(([step]) => step > 1 && step <= 8).sort((a, b) => b[1] - a[1] || a[0] - b[0])
  return " ".repeat(likely[0]?.[0] ?? Math.max(1, Math.min(smallest, 8)))
}
