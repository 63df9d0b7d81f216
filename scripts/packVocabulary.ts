/**
 * Packs the o200k_base vocabulary of js-tiktoken (a development dependency) into the file that `src/context/tokens` loads:
 * one byte of length and the token's bytes, in rank order. `bun scripts/packVocabulary.ts` writes it.
 *
 * The packed file (1.6 MB) is checked in, so that a checkout runs, tests and builds without a step before; a test packs again
 * and compares every byte.
 */
import ranks from "js-tiktoken/ranks/o200k_base"

export const VOCABULARY_FILE = new URL("../src/context/tokens/o200k_base.bin", import.meta.url)

/** A rank that no token has is written as length 0. */
export const packVocabulary = (): Uint8Array<ArrayBuffer> => {
  const tokens: Array<Uint8Array> = []
  for (const line of ranks.bpe_ranks.split("\n")) {
    if (line === "") continue
    const [, first, ...encoded] = line.split(" ")
    const offset = Number(first)
    for (const [index, token] of encoded.entries()) tokens[offset + index] = Uint8Array.fromBase64(token)
  }
  const size = tokens.reduce((sum, token) => sum + 1 + token.length, 0)
  const packed = new Uint8Array(size + holes(tokens))
  let at = 0
  for (let rank = 0; rank < tokens.length; rank++) {
    const token = tokens[rank] ?? new Uint8Array(0)
    if (token.length > 255) throw new Error(`Token ${rank} is longer than its length byte can say`)
    packed[at++] = token.length
    packed.set(token, at)
    at += token.length
  }
  return packed
}

const holes = (tokens: ReadonlyArray<unknown>): number => {
  let count = 0
  for (let rank = 0; rank < tokens.length; rank++) if (!(rank in tokens)) count++
  return count
}

if (import.meta.main) {
  const packed = packVocabulary()
  await Bun.write(VOCABULARY_FILE, packed)
  console.log(`${VOCABULARY_FILE.pathname}: ${packed.length} bytes`)
}
