/**
 * Splits Markdown that streams in into blocks (spec 07): each finished paragraph, list, code block, table, heading or quote
 * is given once, when the line that ends it is complete; the rest is open. Pure and linear, and the same blocks come whatever
 * the pieces: only whole lines are looked at. The sources of all blocks and the open rest are the text, byte for byte; blank
 * lines belong to the block that follows them.
 */
import * as Line from "./lineKind.ts"

export type BlockKind = "paragraph" | "heading" | "list" | "code" | "table" | "quote" | "rule" | "blank"

export interface Block {
  /** What it looks like by its lines; what is drawn is decided by its source. `blank`: nothing to draw. */
  readonly kind: BlockKind
  /** As it came: blank lines before it, line ends of any kind. */
  readonly source: string
}

/** Where the splitter is; hand back the one of the last step. */
export interface Splitting {
  /** Whole lines of the open block. */
  readonly lines: string
  /** The line that is not complete. */
  readonly partial: string
  readonly inside: Inside
}

type Inside =
  | { readonly kind: "nothing" }
  | { readonly kind: "paragraph"; readonly only: string | undefined }
  | { readonly kind: "table" }
  | { readonly kind: "quote"; readonly lazy: boolean }
  | { readonly kind: "fence"; readonly fence: Line.Fence }
  /** Blank lines seen since are no part of the block unless it goes on. */
  | { readonly kind: "indented"; readonly blanks: string }
  | {
      readonly kind: "list"
      readonly blanks: string
      /** Content column of the list's last item at the outermost level. */
      readonly content: number
      /** A fence that is open inside an item. */
      readonly fence: Line.Fence | undefined
    }

export const startSplitting: Splitting = { lines: "", partial: "", inside: { kind: "nothing" } }

/** The open rest: what `lines` and `partial` hold. */
export const openText = (state: Splitting): string => {
  const { inside } = state
  const blanks = inside.kind === "list" || inside.kind === "indented" ? inside.blanks : ""
  return state.lines + blanks + state.partial
}

export interface Step {
  readonly state: Splitting
  readonly blocks: ReadonlyArray<Block>
}

/** Takes a piece of the stream. */
export const feed = (state: Splitting, delta: string): Step => {
  let end = delta.indexOf("\n")
  if (end === -1) return { state: { ...state, partial: state.partial + delta }, blocks: [] }
  const blocks: Array<Block> = []
  let { inside, lines } = state
  let start = 0
  let partial = state.partial
  for (; end !== -1; end = delta.indexOf("\n", start)) {
    const whole = partial + delta.slice(start, end + 1)
    partial = ""
    start = end + 1
    const next = takeLine(inside, lines, whole, blocks)
    inside = next.inside
    lines = next.lines
  }
  return { state: { inside, lines, partial: delta.slice(start) }, blocks }
}

/** The stream has ended: the last line is a line, and the open block is finished, closed or not. */
export const finish = (state: Splitting): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const last = state.partial === "" ? state : takeLine(state.inside, state.lines, state.partial, blocks)
  const rest = close(last.inside, last.lines, blocks)
  if (rest !== "") blocks.push({ kind: "blank", source: rest })
  return blocks
}

/** All blocks of a whole text. */
export const splitBlocks = (text: string): ReadonlyArray<Block> => {
  const { blocks, state } = feed(startSplitting, text)
  return [...blocks, ...finish(state)]
}

interface Open {
  readonly inside: Inside
  readonly lines: string
}

const NOTHING: Inside = { kind: "nothing" }

const KINDS: Readonly<Record<Inside["kind"], BlockKind>> = {
  nothing: "blank",
  paragraph: "paragraph",
  table: "table",
  quote: "quote",
  fence: "code",
  indented: "code",
  list: "list"
}

/** Ends the open block; gives the blank lines after it. */
const close = (inside: Inside, lines: string, blocks: Array<Block>): string => {
  if (inside.kind === "nothing") return lines
  blocks.push({ kind: KINDS[inside.kind], source: lines })
  return inside.kind === "list" || inside.kind === "indented" ? inside.blanks : ""
}

const takeLine = (inside: Inside, lines: string, whole: string, blocks: Array<Block>): Open => {
  const line = whole.replace(/\r?\n$/, "")
  const goesOn = goOn(inside, lines, line, whole, blocks)
  return goesOn ?? begin(close(inside, lines, blocks), line, whole, blocks)
}

/** The open block with the line, or undefined where the line is none of its own. */
const goOn = (inside: Inside, lines: string, line: string, whole: string, blocks: Array<Block>): Open | undefined => {
  switch (inside.kind) {
    case "nothing":
      return undefined
    case "fence":
      if (!(Line.closesFence(line, inside.fence) && Line.indentOf(line) < 4)) return { inside, lines: lines + whole }
      blocks.push({ kind: "code", source: lines + whole })
      return { inside: NOTHING, lines: "" }
    case "paragraph":
      if (Line.isUnderline(line)) {
        blocks.push({ kind: "heading", source: lines + whole })
        return { inside: NOTHING, lines: "" }
      }
      if (inside.only !== undefined && Line.isTableDelimiter(line, inside.only)) {
        return { inside: { kind: "table" }, lines: lines + whole }
      }
      return endsParagraph(line) ? undefined : { inside: { kind: "paragraph", only: undefined }, lines: lines + whole }
    case "table":
      return endsParagraph(line) ? undefined : { inside, lines: lines + whole }
    case "quote":
      if (Line.isQuote(line)) return { inside: { kind: "quote", lazy: isLazy(line) }, lines: lines + whole }
      return inside.lazy && !endsParagraph(line) ? { inside, lines: lines + whole } : undefined
    case "indented":
      if (Line.isBlank(line)) return { inside: { ...inside, blanks: inside.blanks + whole }, lines }
      if (Line.indentOf(line) < 4) return undefined
      return { inside: { ...inside, blanks: "" }, lines: lines + inside.blanks + whole }
    case "list":
      return inList(inside, lines, line, whole)
  }
}

type InsideList = Extract<Inside, { kind: "list" }>

const inList = (inside: InsideList, lines: string, line: string, whole: string): Open | undefined => {
  if (Line.isBlank(line)) return { inside: { ...inside, blanks: inside.blanks + whole }, lines }
  const more = (next: Partial<InsideList>): Open => ({
    inside: { ...inside, blanks: "", ...next },
    lines: lines + inside.blanks + whole
  })
  const indent = Line.indentOf(line)
  const { fence } = inside
  // Models indent code in a list carelessly: only its closing fence ends it (see `mendFences.ts`).
  if (fence !== undefined) return more(Line.closesFence(line, fence) ? { fence: undefined } : {})
  if (indent >= inside.content) {
    return more({ fence: fenceOf(line) })
  }
  const marker = Line.isRule(line) ? undefined : Line.listMarker(line)
  if (marker !== undefined && indent < 4) return more(itemOf(marker, line))
  // A paragraph of the item may go on without its indentation.
  const lazy = inside.blanks === "" && !endsParagraph(line)
  return lazy ? more({}) : undefined
}

const itemOf = (marker: Line.ListMarker, line: string): Pick<InsideList, "content" | "fence"> => ({
  content: marker.content,
  fence: fenceOf(line)
})

/** The fence a line opens, itself or as the first line of an item. */
const fenceOf = (line: string): Line.Fence | undefined =>
  Line.fenceOpen(line.replace(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/, ""))

const endsParagraph = (line: string): boolean =>
  Line.isBlank(line) ||
  (Line.indentOf(line) < 4 &&
    (Line.fenceOpen(line) !== undefined ||
      Line.isHeading(line) ||
      Line.isRule(line) ||
      Line.isQuote(line) ||
      Line.listMarker(line)?.interrupts === true))

/** Whether text may follow without its `>`: not after an empty line of the quote, nor after code. */
const isLazy = (line: string): boolean => {
  const content = line.replace(/^ {0,3}> ?/, "")
  return !endsParagraph(content) && Line.indentOf(content) < 4
}

/** A line that begins a block, after the blank lines `before`. */
const begin = (before: string, line: string, whole: string, blocks: Array<Block>): Open => {
  const lines = before + whole
  if (Line.isBlank(line)) return { inside: NOTHING, lines }
  if (Line.indentOf(line) >= 4) return { inside: { kind: "indented", blanks: "" }, lines }
  const fence = Line.fenceOpen(line)
  if (fence !== undefined) return { inside: { kind: "fence", fence }, lines }
  const single = Line.isHeading(line) ? "heading" : Line.isRule(line) ? "rule" : undefined
  if (single !== undefined) {
    blocks.push({ kind: single, source: lines })
    return { inside: NOTHING, lines: "" }
  }
  if (Line.isQuote(line)) return { inside: { kind: "quote", lazy: isLazy(line) }, lines }
  const marker = Line.listMarker(line)
  if (marker !== undefined) return { inside: { kind: "list", blanks: "", ...itemOf(marker, line) }, lines }
  return { inside: { kind: "paragraph", only: line }, lines }
}
