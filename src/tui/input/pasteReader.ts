/** Reads a bracketed paste out of the terminal's input, wherever its reads are cut. */

export const PASTE_END = "\u001b[201~"

export class PasteReader {
  readonly #pieces: Array<string> = []
  /** What may be the first part of the end marker. */
  #held = ""

  /** Takes the input from `at`; answers where it goes on behind the end marker, or undefined where all belongs to the paste. */
  read(input: string, at: number): number | undefined {
    const held = this.#held.length
    const text = this.#held + input.slice(at)
    const end = text.indexOf(PASTE_END)
    if (end !== -1) {
      this.#pieces.push(text.slice(0, end))
      this.#held = ""
      return at + end + PASTE_END.length - held
    }
    const kept = heldAt(text)
    this.#pieces.push(text.slice(0, text.length - kept))
    this.#held = text.slice(text.length - kept)
    return undefined
  }

  text(): string {
    return cleanPaste(this.#pieces.join("") + this.#held)
  }
}

/** Length of the longest end of `text` that the end marker begins with. */
const heldAt = (text: string): number => {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(PASTE_END.slice(0, length))) return length
  }
  return 0
}

/** Line ends become `\n`, other control characters but tab go, half characters become U+FFFD. */
export const cleanPaste = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
    .toWellFormed()
