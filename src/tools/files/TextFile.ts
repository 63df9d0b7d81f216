/**
 * A text file as the edit engine sees it (spec 02, Edit): byte order mark and carriage returns hidden, and put back so that
 * no byte outside an edit changes. Pure.
 */

export interface TextFile {
  /** With `\n` only, without a byte order mark. */
  readonly text: string
  readonly bom: boolean
  /** Offsets in `text` of the line ends that are `\r\n` in the file, ascending. */
  readonly crlf: ReadonlyArray<number>
}

const BOM = "\uFEFF"

/** Undefined where the bytes are not UTF-8. */
export const decodeTextFile = (bytes: Uint8Array): TextFile | undefined => {
  let source: string
  try {
    source = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
  const bom = source.startsWith(BOM)
  return { ...hideCarriageReturns(bom ? source.slice(1) : source), bom }
}

const hideCarriageReturns = (source: string): { readonly text: string; readonly crlf: ReadonlyArray<number> } => {
  if (!source.includes("\r\n")) return { text: source, crlf: [] }
  const crlf: Array<number> = []
  const pieces: Array<string> = []
  let from = 0
  let removed = 0
  for (let at = source.indexOf("\r\n"); at !== -1; at = source.indexOf("\r\n", at + 2)) {
    pieces.push(source.slice(from, at))
    crlf.push(at - removed)
    removed++
    from = at + 1
  }
  pieces.push(source.slice(from))
  return { text: pieces.join(""), crlf }
}

/** A stretch of `TextFile.text` and what takes its place (with `\n` only). */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The file with the replacements made; they must not overlap and be in ascending order. */
export const applyReplacements = (file: TextFile, replacements: ReadonlyArray<Replacement>): TextFile => {
  const pieces: Array<string> = []
  const crlf: Array<number> = []
  let from = 0
  let length = 0
  let next = 0
  const keep = (end: number): void => {
    for (let at = file.crlf[next]; at !== undefined && at < end; at = file.crlf[++next]) crlf.push(at - from + length)
    pieces.push(file.text.slice(from, end))
    length += end - from
    from = end
  }
  for (const { start, end, text } of replacements) {
    keep(start)
    const carriageReturns = usesCrlf(file, start, end)
    for (let at = file.crlf[next]; at !== undefined && at < end; at = file.crlf[next]) next++
    if (carriageReturns) {
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) crlf.push(at + length)
    }
    pieces.push(text)
    length += text.length
    from = end
  }
  keep(file.text.length)
  return { text: pieces.join(""), bom: file.bom, crlf }
}

/** Line end of new lines in a stretch: most of its own, else that of the line it stands in, else most of the file's. */
const usesCrlf = (file: TextFile, start: number, end: number): boolean => {
  if (file.crlf.length === 0) return false
  const own = countNewlines(file.text, start, end)
  if (own > 0) return countBetween(file.crlf, start, end) * 2 > own
  const lineEnd = file.text.indexOf("\n", end)
  if (lineEnd !== -1) return countBetween(file.crlf, lineEnd, lineEnd + 1) === 1
  return file.crlf.length * 2 > countNewlines(file.text, 0, file.text.length)
}

const countNewlines = (text: string, start: number, end: number): number => {
  let count = 0
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++
  return count
}

/** How many of the ascending numbers lie in [start, end). */
const countBetween = (sorted: ReadonlyArray<number>, start: number, end: number): number =>
  lowerBound(sorted, end) - lowerBound(sorted, start)

const lowerBound = (sorted: ReadonlyArray<number>, value: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The text with its carriage returns and byte order mark back. */
export const encodeTextFile = (file: TextFile): string => {
  if (file.crlf.length === 0) return file.bom ? BOM + file.text : file.text
  const pieces: Array<string> = file.bom ? [BOM] : []
  let from = 0
  for (const at of file.crlf) {
    pieces.push(file.text.slice(from, at), "\r")
    from = at
  }
  pieces.push(file.text.slice(from))
  return pieces.join("")
}

/** New content for a file that is replaced whole: line ends of the old one where it used one kind. */
export const withLineEndsOf = (old: TextFile, content: string): TextFile => {
  const { text } = hideCarriageReturns(content.startsWith(BOM) ? content.slice(1) : content)
  const newlines = countNewlines(old.text, 0, old.text.length)
  const allCrlf = newlines > 0 && old.crlf.length * 2 > newlines
  if (!allCrlf)
    return newlines > 0 ? { text, bom: old.bom, crlf: [] } : { ...hideCarriageReturns(content), bom: old.bom }
  const crlf: Array<number> = []
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) crlf.push(at)
  return { text, bom: old.bom, crlf }
}
