/**
 * The o200k_base vocabulary in memory: the packed file and an open hash table over it, about 7 MB, built in some 20 ms. Pure.
 */

/** Multiplier of the polynomial hash, by which the hash of any slice follows from the hashes of two prefixes. */
const BASE = 0x01000193
/** No token is longer, in bytes. */
export const MAX_TOKEN_LENGTH = 128
const SLOTS = 1 << 19

/** `powers[n]` is `BASE ** n` modulo 2^32. */
const powers = new Int32Array(MAX_TOKEN_LENGTH + 1)
powers[0] = 1
for (let n = 1; n <= MAX_TOKEN_LENGTH; n++) powers[n] = Math.imul(powers[n - 1] ?? 0, BASE)

/** Extends the hash of a prefix by one byte. */
export const extendHash = (hash: number, byte: number): number => (Math.imul(hash, BASE) + byte + 1) | 0

/** Hash of the `length` bytes between two prefixes; `length` must not pass `MAX_TOKEN_LENGTH`. */
export const sliceHash = (before: number, after: number, length: number): number =>
  (after - Math.imul(before, powers[length] ?? 0)) | 0

const slotOf = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  mixed ^= mixed >>> 13
  return ((mixed ^ (mixed >>> 17)) & (SLOTS - 1)) << 1
}

const nextSlot = (slot: number): number => (slot + 2) & (2 * SLOTS - 1)

export class Vocabulary {
  private readonly packed: Uint8Array
  /** Where a token's bytes begin in `packed`, by rank. */
  private readonly starts: Uint32Array
  /** Two numbers a slot, so that a look-up meets one cache line: rank + 1 (0 is an empty slot) and the token's hash. */
  private readonly slots = new Int32Array(SLOTS * 2)
  /** Rank + 1 of each token of two bytes: every merge begins with these. */
  private readonly pairs = new Int32Array(0x10000)

  /** `packed` is what `scripts/packVocabulary.ts` wrote. */
  constructor(packed: Uint8Array) {
    this.packed = packed
    let count = 0
    for (let at = 0; at < packed.length; at += 1 + (packed[at] ?? 0)) count++
    this.starts = new Uint32Array(count)
    let at = 0
    for (let rank = 0; rank < count; rank++) {
      const length = packed[at] ?? 0
      const start = at + 1
      at = start + length
      this.starts[rank] = start
      if (length === 0) continue
      let hash = 0
      for (let index = start; index < at; index++) hash = extendHash(hash, packed[index] ?? 0)
      if (length === 2) this.pairs[((packed[start] ?? 0) << 8) | (packed[start + 1] ?? 0)] = rank + 1
      let slot = slotOf(hash)
      while (this.slots[slot] !== 0) slot = nextSlot(slot)
      this.slots[slot] = rank + 1
      this.slots[slot + 1] = hash
    }
  }

  /** Rank of a token of two bytes; -1 where there is none. */
  pairRank(first: number, second: number): number {
    return (this.pairs[(first << 8) | second] ?? 0) - 1
  }

  /** Rank of the token made of these bytes, whose hash is given; -1 where there is none. */
  rank(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { packed, slots, starts } = this
    const length = end - start
    let slot = slotOf(hash)
    for (;;) {
      const rank = (slots[slot] ?? 0) - 1
      if (rank < 0) return -1
      if (slots[slot + 1] === hash) {
        const from = starts[rank] ?? 0
        if (packed[from - 1] === length) {
          let at = 0
          while (at < length && packed[from + at] === bytes[start + at]) at++
          if (at === length) return rank
        }
      }
      slot = nextSlot(slot)
    }
  }
}
