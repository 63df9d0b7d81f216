/**
 * Takes a conversation in parts that fit a request, oldest first (spec 04, "Compaction"). A single message larger than a part
 * is cut into several. Pure.
 */
import { cut } from "../../domain/text.ts"

export interface Segment {
  readonly text: string
  readonly tokens: number
}

/** Tokens between two segments. */
const JOIN = 1

export interface Part {
  readonly text: string
  /** How many segments are done. */
  readonly taken: number
  /** The end of the next segment, where its beginning is in this part. */
  readonly rest: string | undefined
}

/** As much of the segments from `from` on as `budget` tokens hold; always something. */
export const takePart = (
  segments: ReadonlyArray<Segment>,
  from: number,
  budget: number,
  count: (text: string) => number
): Part => {
  const texts: Array<string> = []
  let left = budget
  let index = from
  for (; index < segments.length; index++) {
    const segment = segments[index]
    if (segment === undefined || segment.tokens + JOIN > left) break
    texts.push(segment.text)
    left -= segment.tokens + JOIN
  }
  const first = segments[index]
  if (texts.length > 0 || first === undefined) {
    return { text: texts.join("\n\n"), taken: index - from, rest: undefined }
  }
  const beginning = shorten(first, budget, count)
  return { text: beginning, taken: 0, rest: first.text.slice(beginning.length) }
}

/** The beginning of a segment that fits; at least one character. */
const shorten = ({ text, tokens }: Segment, budget: number, count: (text: string) => number): string => {
  let length = Math.floor((text.length * budget) / Math.max(1, tokens))
  for (;;) {
    const beginning = cut(text, Math.max(2, length))
    if (length <= 2 || count(beginning) <= budget) return beginning
    length = Math.floor(length * 0.8)
  }
}
