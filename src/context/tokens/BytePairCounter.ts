/**
 * Counts o200k_base tokens in linear time (spec 10, "Counting"). Text that looks like a special token is text (MAIA §13.1).
 * Pure, but keeps buffers between calls.
 */
import { pieceEnd } from "./pieces.ts"
import { extendHash, MAX_TOKEN_LENGTH, sliceHash, type Vocabulary } from "./Vocabulary.ts"

/**
 * A single run without a place to cut it, longer than this many UTF-16 units, is counted from samples of it: no text may
 * hold up the interface (field case D5). js-tiktoken does not finish on such runs.
 */
export const LONG_RUN = 32_768
const SAMPLES = 4
const SAMPLE_LENGTH = 2_048

/** Pieces up to this many bytes are merged by scanning for the best pair, which beats a heap there. */
const SHORT_PIECE = 48
const NO_RANK = 0x7fffffff
/** Makes one number of a rank and a position that sorts by rank, then by position. */
const POSITIONS = 2 ** 20

const CAPACITY = LONG_RUN * 3

export class BytePairCounter {
  private readonly vocabulary: Vocabulary
  /** UTF-8 of the piece at hand, and the hash of each prefix. */
  private bytes = new Uint8Array(1024)
  private hashes = new Int32Array(1025)
  /** By position of a part's first byte: where the next part begins, the one before, and the rank of the pair with the next. */
  private next = new Int32Array(1025)
  private previous = new Int32Array(1025)
  private ranks = new Int32Array(1025)
  private heap = new Float64Array(1025)
  private heapSize = 0

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary
  }

  /** Tokens of the whole text. */
  count(text: string): number {
    let tokens = 0
    for (let at = 0; at < text.length;) {
      const end = pieceEnd(text, at)
      tokens += this.piece(text, at, end)
      at = end
    }
    return tokens
  }

  /** Counts from `at` until `units` UTF-16 units or more are done: lets the caller yield in between. */
  countSome(text: string, at: number, units: number): { readonly tokens: number; readonly end: number } {
    const stop = Math.min(text.length, at + units)
    let tokens = 0
    let end = at
    while (end < stop) {
      const start = end
      end = pieceEnd(text, start)
      tokens += this.piece(text, start, end)
    }
    return { tokens, end }
  }

  private piece(text: string, start: number, end: number): number {
    return end - start > LONG_RUN ? this.sampled(text, start, end) : this.merged(text, start, end)
  }

  private sampled(text: string, start: number, end: number): number {
    const step = (end - start - SAMPLE_LENGTH) / (SAMPLES - 1)
    let tokens = 0
    for (let index = 0; index < SAMPLES; index++) {
      const from = start + Math.floor(step * index)
      tokens += this.merged(text, from, from + SAMPLE_LENGTH)
    }
    return Math.round((tokens * (end - start)) / (SAMPLES * SAMPLE_LENGTH))
  }

  private merged(text: string, start: number, end: number): number {
    const length = this.encode(text, start, end)
    if (length === 1) return 1
    if (length <= MAX_TOKEN_LENGTH && this.rankOf(0, length) !== NO_RANK) return 1
    return length <= SHORT_PIECE ? this.mergeShort(length) : this.mergeLong(length)
  }

  /** Writes the UTF-8 of the piece and the hashes of its prefixes; lone surrogates become U+FFFD. Returns its length. */
  private encode(text: string, start: number, end: number): number {
    if (this.bytes.length < (end - start) * 3) this.grow((end - start) * 3)
    const { bytes, hashes } = this
    let length = 0
    let hash = 0
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at)
      if (unit >= 0x80) {
        length = this.encodeWide(text, start, end)
        hash = 0
        for (let index = 0; index < length; index++) {
          hash = extendHash(hash, bytes[index] ?? 0)
          hashes[index + 1] = hash
        }
        return length
      }
      bytes[length++] = unit
      hash = extendHash(hash, unit)
      hashes[length] = hash
    }
    return length
  }

  private encodeWide(text: string, start: number, end: number): number {
    const { bytes } = this
    let length = 0
    for (let at = start; at < end; at++) {
      const code = text.codePointAt(at) ?? 0
      if (code < 0x80) {
        bytes[length++] = code
      } else if (code < 0x800) {
        bytes[length++] = 0xc0 | (code >> 6)
        bytes[length++] = 0x80 | (code & 0x3f)
      } else if (code < 0x10000 || at + 1 >= end) {
        const whole = code > 0xffff || (code >= 0xd800 && code <= 0xdfff) ? 0xfffd : code
        bytes[length++] = 0xe0 | (whole >> 12)
        bytes[length++] = 0x80 | ((whole >> 6) & 0x3f)
        bytes[length++] = 0x80 | (whole & 0x3f)
      } else {
        bytes[length++] = 0xf0 | (code >> 18)
        bytes[length++] = 0x80 | ((code >> 12) & 0x3f)
        bytes[length++] = 0x80 | ((code >> 6) & 0x3f)
        bytes[length++] = 0x80 | (code & 0x3f)
        at++
      }
    }
    return length
  }

  private grow(needed: number): void {
    const size = Math.min(CAPACITY, Math.max(needed, this.bytes.length * 2))
    this.bytes = new Uint8Array(size)
    this.hashes = new Int32Array(size + 1)
    this.next = new Int32Array(size + 1)
    this.previous = new Int32Array(size + 1)
    this.ranks = new Int32Array(size + 1)
    // Each merge adds at most two entries to the first `size` ones.
    this.heap = new Float64Array(size * 3)
  }

  private rankOf(start: number, end: number): number {
    const length = end - start
    if (length > MAX_TOKEN_LENGTH) return NO_RANK
    const { bytes, hashes, vocabulary } = this
    const rank =
      length === 2
        ? vocabulary.pairRank(bytes[start] ?? 0, bytes[start + 1] ?? 0)
        : vocabulary.rank(bytes, start, end, sliceHash(hashes[start] ?? 0, hashes[end] ?? 0, length))
    return rank < 0 ? NO_RANK : rank
  }

  private mergeShort(length: number): number {
    const { next, ranks } = this
    for (let at = 0; at < length; at++) {
      next[at] = at + 1
      ranks[at] = at + 2 <= length ? this.rankOf(at, at + 2) : NO_RANK
    }
    let parts = length
    for (;;) {
      let best = NO_RANK
      let left = -1
      let before = -1
      for (let at = 0, last = -1; at < length; last = at, at = next[at] ?? length) {
        const rank = ranks[at] ?? NO_RANK
        if (rank < best) {
          best = rank
          left = at
          before = last
        }
      }
      if (left < 0) return parts
      const right = next[left] ?? length
      const end = next[right] ?? length
      next[left] = end
      ranks[left] = end < length ? this.rankOf(left, next[end] ?? length) : NO_RANK
      if (before >= 0) ranks[before] = this.rankOf(before, end)
      parts--
    }
  }

  private mergeLong(length: number): number {
    const { next, previous, ranks } = this
    this.heapSize = 0
    for (let at = 0; at < length; at++) {
      next[at] = at + 1
      previous[at] = at - 1
      this.setRank(at, at + 2 <= length ? this.rankOf(at, at + 2) : NO_RANK)
    }
    let parts = length
    while (this.heapSize > 0) {
      const key = this.pop()
      const rank = Math.floor(key / POSITIONS)
      const left = key - rank * POSITIONS
      // Left over from before the pair changed.
      if (ranks[left] !== rank) continue
      const right = next[left] ?? length
      const end = next[right] ?? length
      ranks[right] = NO_RANK
      next[left] = end
      if (end < length) previous[end] = left
      this.setRank(left, end < length ? this.rankOf(left, next[end] ?? length) : NO_RANK)
      const before = previous[left] ?? -1
      if (before >= 0) this.setRank(before, this.rankOf(before, end))
      parts--
    }
    return parts
  }

  private setRank(at: number, rank: number): void {
    this.ranks[at] = rank
    if (rank !== NO_RANK) this.push(rank * POSITIONS + at)
  }

  private push(key: number): void {
    const { heap } = this
    let at = this.heapSize++
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent] ?? 0
      if (above <= key) break
      heap[at] = above
      at = parent
    }
    heap[at] = key
  }

  private pop(): number {
    const { heap } = this
    const top = heap[0] ?? 0
    const size = --this.heapSize
    const key = heap[size] ?? 0
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++
      const below = heap[child] ?? 0
      if (below >= key) break
      heap[at] = below
      at = child
    }
    heap[at] = key
    return top
  }
}
