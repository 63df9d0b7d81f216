/**
 * Server-sent events by the grammar of the HTML standard, from bytes (spec 01). Pure and incremental: a line, a line end
 * or a character may be cut anywhere between two pushes, and the time is linear in the bytes however they are cut.
 *
 * Beyond the standard, because servers do it: an event that the end of the stream cuts off is still given, a field named
 * `error` is an event of that type (llama.cpp), and a line that is bare JSON is data.
 */

/** `event` is `message` unless the server named it. */
export type OnSseEvent = (event: string, data: string) => void

const BRACE = 0x7b
const COLON = 0x3a
const SPACE = 0x20

export class SseDecoder {
  readonly #onEvent: OnSseEvent
  /** One instance for the whole stream: it keeps the head of a cut character, and drops a leading byte order mark. */
  readonly #utf8 = new TextDecoder()
  /** Line not ended yet; only ever appended to, never searched again. */
  #partial = ""
  /** The last push ended with a carriage return: a line feed at the start of the next belongs to it. */
  #skipLineFeed = false
  #event = "message"
  #data: string | undefined

  constructor(onEvent: OnSseEvent) {
    this.#onEvent = onEvent
  }

  push(bytes: Uint8Array): void {
    this.#pushText(this.#utf8.decode(bytes, { stream: true }))
  }

  /** The end of the stream: a character cut there becomes one U+FFFD, an event cut there is given. */
  end(): void {
    this.#pushText(this.#utf8.decode())
    if (this.#partial !== "") {
      const line = this.#partial
      this.#partial = ""
      this.#line(line)
    }
    this.#dispatch()
  }

  #pushText(text: string): void {
    let start = 0
    if (this.#skipLineFeed && text.length > 0) {
      this.#skipLineFeed = false
      if (text.startsWith("\n")) start = 1
    }
    let carriageReturn = text.indexOf("\r", start)
    for (;;) {
      const lineFeed = text.indexOf("\n", start)
      const end = carriageReturn !== -1 && (lineFeed === -1 || carriageReturn < lineFeed) ? carriageReturn : lineFeed
      if (end === -1) break
      const line = text.slice(start, end)
      start = end + 1
      if (end === carriageReturn) {
        if (start === text.length) this.#skipLineFeed = true
        else if (lineFeed === start) start += 1
        carriageReturn = text.indexOf("\r", start)
      }
      if (this.#partial === "") this.#line(line)
      else {
        const whole = this.#partial + line
        this.#partial = ""
        this.#line(whole)
      }
    }
    if (start < text.length) this.#partial += start === 0 ? text : text.slice(start)
  }

  #line(line: string): void {
    if (line === "") return this.#dispatch()
    const first = line.charCodeAt(0)
    if (first === COLON) return
    // The common case, without allocating a field name.
    if (line.startsWith("data:")) return this.#append(value(line, 5))
    if (first === BRACE) return this.#append(line)
    const colon = line.indexOf(":")
    const field = colon === -1 ? line : line.slice(0, colon)
    const rest = colon === -1 ? "" : value(line, colon + 1)
    if (field === "event") this.#event = rest === "" ? "message" : rest
    else if (field === "data") this.#append(rest)
    else if (field === "error") {
      this.#event = "error"
      this.#append(rest)
    }
  }

  #append(data: string): void {
    this.#data = this.#data === undefined ? data : `${this.#data}\n${data}`
  }

  #dispatch(): void {
    const data = this.#data
    const event = this.#event
    this.#data = undefined
    this.#event = "message"
    if (data !== undefined) this.#onEvent(event, data)
  }
}

/** The value of a field: one space after the colon is not part of it, more are. */
const value = (line: string, start: number): string => line.slice(line.charCodeAt(start) === SPACE ? start + 1 : start)
