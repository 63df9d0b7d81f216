/**
 * Reads some lines of a UTF-8 file of any size without holding more than what is shown (spec 02, Read). Platform access
 * through Effect's `FileSystem` only.
 */
import { Effect, FileSystem } from "effect"
import { LineCollector, type LineRange, type SomeLines } from "./LineCollector.ts"

/** Bytes read at a time: few where little is wanted, more when there is a way to go. */
const FIRST_BLOCK = 64 * 1024
const BLOCK = 1024 * 1024

export interface FileLines extends SomeLines {
  /** Bytes that are no UTF-8 were seen. */
  readonly damaged: boolean
}

/** Stops as soon as the range is full. */
export const readLines = Effect.fnUntraced(function* (path: string, range: LineRange) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.open(path, { flag: "r" })
  const collector = new LineCollector(range)
  const decoder = new BlockDecoder()
  for (let size = FIRST_BLOCK; ; size = BLOCK) {
    const block = yield* file.readAlloc(size)
    if (block._tag === "None") {
      collector.take(decoder.end())
      return { ...collector.end(), damaged: decoder.damaged } satisfies FileLines
    }
    if (collector.take(decoder.decode(block.value))) {
      return { ...collector.stopped(), damaged: decoder.damaged } satisfies FileLines
    }
  }
}, Effect.scoped)

/** The same of a text that is at hand. */
export const linesOf = (text: string, range: LineRange): FileLines => {
  const collector = new LineCollector(range)
  return { ...(collector.take(text) ? collector.stopped() : collector.end()), damaged: false }
}

/** Decodes UTF-8 that comes in blocks, and knows whether it was UTF-8. A character cut by a block's end waits for the next. */
class BlockDecoder {
  damaged = false
  readonly #strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  readonly #lenient = new TextDecoder("utf-8", { ignoreBOM: true })
  #rest = new Uint8Array()
  #begun = false

  decode(block: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? block : concat(this.#rest, block)
    const end = wholeCharacters(bytes)
    this.#rest = bytes.slice(end)
    return this.#text(bytes.subarray(0, end))
  }

  end(): string {
    return this.#text(this.#rest)
  }

  #text(bytes: Uint8Array): string {
    const text = this.#decoded(bytes)
    const bare = this.#begun ? text : text.replace(/^\uFEFF/, "")
    if (bytes.length > 0) this.#begun = true
    return bare
  }

  #decoded(bytes: Uint8Array): string {
    if (this.damaged) return this.#lenient.decode(bytes)
    try {
      return this.#strict.decode(bytes)
    } catch {
      this.damaged = true
      return this.#lenient.decode(bytes)
    }
  }
}

const concat = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** Bytes up to a character that is not complete: at most three are left. */
const wholeCharacters = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needed > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
