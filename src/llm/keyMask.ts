/** Takes the API key out of text that comes in pieces (spec 01: never in the debug file). Pure. */

export class KeyMask {
  readonly #key: string
  readonly #utf8 = new TextDecoder()
  #held = ""

  /** An empty key masks nothing. */
  constructor(key: string) {
    this.#key = key
  }

  /** Keeps back what may be the head of a key that the next piece completes. */
  push(bytes: Uint8Array): string {
    const text = this.#masked(this.#held + this.#utf8.decode(bytes, { stream: true }))
    const keep = this.#key === "" ? 0 : headLength(text, this.#key)
    this.#held = text.slice(text.length - keep)
    return text.slice(0, text.length - keep)
  }

  end(): string {
    const text = this.#masked(this.#held + this.#utf8.decode())
    this.#held = ""
    return text
  }

  #masked(text: string): string {
    return maskKey(text, this.#key)
  }
}

export const maskKey = (text: string, key: string): string => (key === "" ? text : text.replaceAll(key, "***"))

const headLength = (text: string, key: string): number => {
  for (let length = Math.min(key.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(key.slice(0, length))) return length
  }
  return 0
}
