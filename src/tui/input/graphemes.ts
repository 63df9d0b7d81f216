/**
 * Where graphemes begin and end in an input's text (field case G1). Looks only at the text around, so that a key costs the
 * same in a large text as in a small one. A token is a grapheme of its own. Pure.
 */
import { isSimple } from "./characterClass.ts"
import type { Content } from "./content.ts"

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** UTF-16 units looked back over for a sure beginning. */
const LOOK_BACK = 4_096
/** Units segmented at once when looking forward. */
const LOOK_AHEAD = 64

/** The end of the grapheme that begins at `at`; `at` must be a boundary. */
export const nextBoundary = (content: Content, at: number): number => {
  const { text } = content
  const end = sectionEnd(content, at)
  if (at + 1 >= end) return Math.min(at + 1, text.length)
  if (isSimple(text.charCodeAt(at)) && isSimple(text.charCodeAt(at + 1))) return at + 1
  for (let size = LOOK_AHEAD; ; size *= 2) {
    const stop = Math.min(at + size, end)
    const first = firstLength(text.slice(at, stop))
    if (at + first < stop || stop === end) return at + first
  }
}

/** The beginning of the grapheme that ends at `at`; `at` must be a boundary. */
export const previousBoundary = (content: Content, at: number): number => {
  if (at <= 1) return 0
  const start = sectionStart(content, at - 1)
  if (start === at - 1) return start
  const { text } = content
  if (isSimple(text.charCodeAt(at - 1)) && isSimple(text.charCodeAt(at - 2))) return at - 1
  const from = sureBoundary(text, start, at - 1)
  let last = from
  for (const { index } of segmenter.segment(text.slice(from, at))) last = from + index
  return last
}

/** The first boundary at or after `at`. */
export const boundaryFrom = (content: Content, at: number): number => {
  const { text } = content
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length)
  if (isSimple(text.charCodeAt(at)) && isSimple(text.charCodeAt(at - 1))) return at
  const start = sectionStart(content, at)
  if (start === at) return at
  let boundary = sureBoundary(text, start, at)
  while (boundary < at) boundary = nextBoundary(content, boundary)
  return boundary
}

/** Graphemes of a text without tokens, from `from` to `to`; these must be boundaries. */
export function* graphemes(
  text: string,
  from: number,
  to: number
): Generator<{ readonly at: number; readonly text: string }> {
  for (const { index, segment } of segmenter.segment(text.slice(from, to))) yield { at: from + index, text: segment }
}

const firstLength = (text: string): number => {
  for (const { segment } of segmenter.segment(text)) return segment.length
  return 0
}

/** A boundary at or before `at` that needs no look further back; not before `floor`. */
const sureBoundary = (text: string, floor: number, at: number): number => {
  const lowest = Math.max(floor, at - LOOK_BACK)
  for (let place = at; place > lowest; place--) {
    if (isSimple(text.charCodeAt(place)) && isSimple(text.charCodeAt(place - 1))) return place
  }
  return lowest
}

/** Sections are what tokens part: a token, or the text between two. The end of the one that holds `at`. */
const sectionEnd = ({ text, marks }: Content, at: number): number => {
  for (const mark of marks) {
    if (mark.at === at) return at + 1
    if (mark.at > at) return mark.at
  }
  return text.length
}

const sectionStart = ({ marks }: Content, at: number): number => {
  let start = 0
  for (const mark of marks) {
    if (mark.at === at) return at
    if (mark.at > at) break
    start = mark.at + 1
  }
  return start
}
