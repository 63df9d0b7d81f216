/**
 * Follows JSON text as it arrives, only far enough to know whether its top value is still open (spec 01: cut arguments).
 * Pure; each character is looked at once. It does not validate: `JSON.parse` does, once, at the end.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c

export class JsonScan {
  #depth = 0
  #inString = false
  #escaped = false
  #started = false
  #complete = false
  #overrun = false

  feed(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (code === BACKSLASH) this.#escaped = true
        else if (code === QUOTE) {
          this.#inString = false
          if (this.#depth === 0) this.#complete = true
        }
        continue
      }
      if (isBlank(code)) continue
      if (this.#complete) {
        this.#overrun = true
        return
      }
      this.#started = true
      if (code === QUOTE) this.#inString = true
      else if (code === 0x7b || code === 0x5b) this.#depth += 1
      else if (code === 0x7d || code === 0x5d) {
        this.#depth -= 1
        if (this.#depth <= 0) this.#complete = true
      }
    }
  }

  /**
   * `open`: a string, list or object is not closed; `complete`: the top value has ended; `overrun`: more than blanks
   * came after it; `scalar`: a bare word or number, whose end cannot be seen.
   */
  get state(): "empty" | "open" | "complete" | "overrun" | "scalar" {
    if (this.#overrun) return "overrun"
    if (this.#complete) return "complete"
    if (!this.#started) return "empty"
    return this.#depth > 0 || this.#inString ? "open" : "scalar"
  }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
