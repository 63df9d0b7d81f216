/**
 * Puts a replacement into the indentation of the file (seed 003): its base level and its unit. Used only where the match
 * was loose, so text that was quoted exactly is never touched. Pure.
 */

const leading = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ""

const firstLine = (text: string): string => text.split("\n").find((line) => line.trim() !== "") ?? ""

/**
 * `matched` is what stands in the file, `old` what the model wrote for it, `text` its replacement.
 */
export const reindent = (matched: string, old: string, text: string, file: string): string => {
  const from = leading(firstLine(old))
  const to = leading(firstLine(matched))
  const theirUnit = unitOf(old) ?? unitOf(text)
  const fileUnit = unitOf(matched) ?? unitOf(file)
  return text
    .split("\n")
    .map((line) => {
      if (line.trim() === "") return line
      const indent = leading(line)
      const rest = line.slice(indent.length)
      // Deeper than the base: the base is replaced, what is beyond it changes its unit.
      if (indent.startsWith(from)) return to + convert(indent.slice(from.length), theirUnit, fileUnit) + rest
      return shallower(to, width(from, theirUnit) - width(indent, theirUnit), fileUnit) + rest
    })
    .join("\n")
}

/** `\t`, or the smallest run of blanks a line begins with; undefined where nothing is indented. */
const unitOf = (text: string): string | undefined => {
  let smallest: string | undefined
  const indents = new Set(text.split("\n").map((line) => (line.trim() === "" ? "" : leading(line))))
  const widths = [...indents].filter((indent) => indent !== "").sort((a, b) => a.length - b.length)
  for (const indent of widths) {
    if (indent.startsWith("\t")) return "\t"
    smallest ??= indent
  }
  if (smallest === undefined) return undefined
  // The step between two levels is the unit, where there are two.
  const lengths = widths.map((indent) => indent.length)
  let step = lengths[0] ?? 4
  for (const [index, length] of lengths.entries()) {
    const before = lengths[index - 1]
    if (before !== undefined && length > before) step = Math.min(step, length - before)
  }
  return " ".repeat(Math.max(1, Math.min(step, 8)))
}

/** Levels of an indentation. */
const width = (indent: string, unit: string | undefined): number => {
  const tabs = indent.split("\t").length - 1
  const blanks = indent.length - tabs
  return tabs + blanks / (unit === undefined || unit === "\t" ? 4 : unit.length)
}

const convert = (extra: string, theirs: string | undefined, files: string | undefined): string => {
  if (files === undefined || extra === "" || theirs === files) return extra
  const levels = width(extra, theirs)
  return Number.isInteger(levels) ? files.repeat(levels) : extra
}

const shallower = (base: string, levels: number, unit: string | undefined): string => {
  const size = unit === undefined ? 4 : unit.length
  return base.slice(0, Math.max(0, base.length - Math.round(levels) * size))
}
