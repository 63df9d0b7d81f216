/**
 * Takes `<think>…</think>` out of an answer's text (spec 01, field case A31). Pure and incremental: tags may be cut
 * anywhere. Only a tag at the very start counts, so an answer that talks about the tag keeps it; a closing tag alone means
 * that the prompt template had opened it, so all that came before was reasoning. Only what may be the head of a tag is held back.
 */

export interface ThinkSink {
  readonly text: (text: string) => void
  readonly reasoning: (text: string) => void
  /** What was given as text so far turns out to be reasoning. */
  readonly textWasReasoning: (text: string) => void
}

const tags: ReadonlyArray<readonly [open: string, close: string]> = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["[THINK]", "[/THINK]"]
]
const [plainOpen, plainClose] = ["<think>", "</think>"]

/** Characters of answer after which a closing tag alone is taken literally. */
const STRAY_LIMIT = 256 * 1024

type State =
  | { readonly at: "start"; readonly dropBlanks: boolean }
  | { readonly at: "inside"; readonly close: string }
  | { readonly at: "text" }

export class ThinkFilter {
  readonly #sink: ThinkSink
  #state: State = { at: "start", dropBlanks: false }
  #held = ""
  /** Text given so far, for as long as a closing tag alone may still turn it into reasoning. */
  #given: string | undefined = ""
  #oddBackticks = false

  constructor(sink: ThinkSink) {
    this.#sink = sink
  }

  /** The server sends reasoning in a field of its own: closing tags in the text are only text. */
  serverSeparates(): void {
    this.#given = undefined
  }

  push(text: string): void {
    let rest: string | undefined = text
    while (rest !== undefined && rest !== "") rest = this.#step(rest)
  }

  /** Gives what was held back. True when a reasoning block was never closed. */
  end(): boolean {
    const held = this.#held
    const state = this.#state
    this.#held = ""
    if (state.at === "inside") {
      if (held !== "") this.#sink.reasoning(held)
      return true
    }
    if (held !== "" && !(state.at === "start" && state.dropBlanks && held.trim() === "")) this.#sink.text(held)
    return false
  }

  #step(text: string): string | undefined {
    // The hot case: nothing held, nothing to look for.
    if (this.#state.at === "text" && this.#given === undefined && this.#held === "") {
      this.#sink.text(text)
      return undefined
    }
    const buffer = this.#held + text
    this.#held = ""
    if (this.#state.at === "start") return this.#atStart(buffer, this.#state.dropBlanks)
    if (this.#state.at === "inside") return this.#inside(buffer, this.#state.close)
    return this.#inText(buffer)
  }

  #atStart(buffer: string, dropBlanks: boolean): string | undefined {
    const trimmed = buffer.trimStart()
    for (const [open, close] of tags) {
      if (trimmed.startsWith(open)) {
        this.#given = undefined
        this.#state = { at: "inside", close }
        return trimmed.slice(open.length)
      }
      if (open.startsWith(trimmed)) {
        this.#held = buffer
        return undefined
      }
    }
    this.#state = { at: "text" }
    return dropBlanks ? trimmed : buffer
  }

  #inside(buffer: string, close: string): string | undefined {
    const end = buffer.indexOf(close)
    if (end === -1) {
      const keep = headOf(buffer, close)
      if (keep < buffer.length) this.#sink.reasoning(buffer.slice(0, buffer.length - keep))
      this.#held = buffer.slice(buffer.length - keep)
      return undefined
    }
    if (end > 0) this.#sink.reasoning(buffer.slice(0, end))
    this.#state = { at: "start", dropBlanks: true }
    return buffer.slice(end + close.length)
  }

  #inText(buffer: string): string | undefined {
    if (this.#given === undefined) {
      this.#sink.text(buffer)
      return undefined
    }
    const close = buffer.indexOf(plainClose)
    const open = buffer.indexOf(plainOpen)
    const before = close === -1 ? buffer : buffer.slice(0, close)
    const quoted = this.#countBackticks(before)
    if ((open !== -1 && (close === -1 || open < close)) || (close !== -1 && quoted)) {
      // The answer talks about the tag.
      this.#given = undefined
      this.#sink.text(buffer)
      return undefined
    }
    if (close !== -1) {
      const given = this.#given + before
      this.#given = undefined
      this.#sink.textWasReasoning(given)
      this.#state = { at: "start", dropBlanks: true }
      return buffer.slice(close + plainClose.length)
    }
    const keep = Math.max(headOf(buffer, plainClose), headOf(buffer, plainOpen))
    const shown = buffer.slice(0, buffer.length - keep)
    this.#held = buffer.slice(buffer.length - keep)
    if (shown !== "") {
      this.#sink.text(shown)
      this.#given = this.#given.length > STRAY_LIMIT ? undefined : this.#given + shown
    }
    return undefined
  }

  #countBackticks(text: string): boolean {
    for (let at = text.indexOf("`"); at !== -1; at = text.indexOf("`", at + 1)) this.#oddBackticks = !this.#oddBackticks
    return this.#oddBackticks
  }
}

/** Length of the longest end of `text` that is a head of `tag`, the whole tag excepted. */
const headOf = (text: string, tag: string): number => {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length
  }
  return 0
}
