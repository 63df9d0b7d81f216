/**
 * Decodes the terminal's raw input into events, however its reads are cut (spec 07 "Input"). A sequence that has not ended
 * waits; the caller calls `flush` when nothing came for about 50 ms, and again as long as `pending` says so.
 */
import { consoleEvent, csiEvent, ss3Event } from "./csiKeys.ts"
import { scanEscape, type Scan } from "./escapeSequences.ts"
import { key, typed, type InputEvent, type KeyEvent } from "./inputEvent.ts"
import { PasteReader } from "./pasteReader.ts"

/** Characters of a report that are kept. */
const LONGEST_REPORT = 4_096
/** Calls of `flush` after which the rest of a sequence is given up: half a second. */
const SEQUENCE_PATIENCE = 10
/** The same for the end of a paste, which slow lines bring in parts: two seconds. */
const PASTE_PATIENCE = 40

const ESC = "\u001b"

export class KeyDecoder {
  readonly #utf8 = new TextDecoder()
  /** Begins a sequence that has not ended, or is half of a character. */
  #rest = ""
  #paste: PasteReader | undefined
  /** What is kept of a report that is longer than that. */
  #longReport: string | undefined
  #silence = 0

  /** Something waits for more input or for `flush`. */
  get pending(): boolean {
    return this.#rest !== "" || this.#paste !== undefined || this.#longReport !== undefined
  }

  feed(chunk: string | Uint8Array): ReadonlyArray<InputEvent> {
    this.#silence = 0
    const input = this.#rest + (typeof chunk === "string" ? chunk : this.#utf8.decode(chunk, { stream: true }))
    this.#rest = ""
    const events: Array<InputEvent> = []
    let at = 0
    while (at < input.length) {
      const next = this.#step(input, at, events)
      if (next === undefined) {
        this.#hold(input.slice(at))
        break
      }
      at = next
    }
    return events
  }

  /** No more came: ESC is the key of that name. */
  flush(): ReadonlyArray<InputEvent> {
    this.#silence++
    if (this.#paste !== undefined) return this.#silence < PASTE_PATIENCE ? [] : this.#endPaste()
    const keys = keysOf(this.#rest)
    if (keys !== undefined || this.#silence >= SEQUENCE_PATIENCE) {
      this.#rest = ""
      this.#longReport = undefined
    }
    return keys ?? []
  }

  /** Decodes what is at `at`; answers where the input goes on, undefined where more must come. */
  #step(input: string, at: number, events: Array<InputEvent>): number | undefined {
    if (this.#paste !== undefined) {
      const end = this.#paste.read(input, at)
      if (end !== undefined) events.push(...this.#endPaste())
      return end ?? input.length
    }
    const first = input[at]
    if (first !== ESC) return plain(input, at, events)
    return input[at + 1] === ESC ? this.#doubleEscape(input, at, events) : this.#escape(input, at, events)
  }

  #escape(input: string, at: number, events: Array<InputEvent>): number | undefined {
    const scan = scanEscape(input, at)
    if (scan.kind === "incomplete") return undefined
    if (scan.kind === "none") {
      const keys: Array<InputEvent> = []
      const end = plain(input, at + 1, keys)
      for (const event of keys) events.push(withAlt(event))
      return end
    }
    if (scan.kind === "csi" && scan.final === "~" && scan.parameters === "200") this.#paste = new PasteReader()
    else events.push(...eventsOf(scan, this.#sequence(input, at, scan.end)))
    if (scan.kind === "string" || scan.kind === "cancelled") this.#longReport = undefined
    return scan.end
  }

  /** Some terminals write Alt as an ESC in front of the key's own sequence; else the first ESC is a key of its own. */
  #doubleEscape(input: string, at: number, events: Array<InputEvent>): number | undefined {
    const third = input[at + 2]
    if (third === undefined) return undefined
    const scan = third === "[" || third === "O" ? scanEscape(input, at + 1) : undefined
    if (scan?.kind === "incomplete") return undefined
    const [event] = scan === undefined ? [] : eventsOf(scan, "")
    if (scan === undefined || event?.type !== "key" || scan.kind === "none" || scan.kind === "cancelled") {
      events.push(key("escape"))
      return at + 1
    }
    events.push(withAlt(event))
    return scan.end
  }

  #sequence(input: string, at: number, end: number): string {
    return ((this.#longReport ?? "") + input.slice(at, end)).slice(0, LONGEST_REPORT)
  }

  /** Keeps what has not ended; of a long report only its head and what its end may begin with. */
  #hold(rest: string): void {
    const isReport = /^\u001b[\]PX^_]/.test(rest)
    if (!isReport || rest.length <= 2 * LONGEST_REPORT) {
      this.#rest = rest
      return
    }
    this.#longReport ??= rest.slice(0, LONGEST_REPORT)
    this.#rest = rest.slice(0, 2) + (rest.endsWith(ESC) ? ESC : "")
  }

  #endPaste(): ReadonlyArray<InputEvent> {
    const text = this.#paste?.text() ?? ""
    this.#paste = undefined
    return [{ type: "paste", text }]
  }
}

/** One key of one or two characters that begin no sequence. */
const plain = (input: string, at: number, events: Array<InputEvent>): number | undefined => {
  const code = input.charCodeAt(at)
  if (code < 0x20 || code === 0x7f) {
    events.push(controlKey(code))
    return at + 1
  }
  if (code >= 0x80 && code < 0xa0) return at + 1
  if (code < 0xd800 || code > 0xdfff) {
    events.push(typed(String.fromCharCode(code)))
    return at + 1
  }
  if (code <= 0xdbff && at + 1 === input.length) return undefined
  const pair = String.fromCodePoint(input.codePointAt(at) ?? code)
  events.push(typed(pair.toWellFormed()))
  return at + pair.length
}

const controlKey = (code: number): KeyEvent => {
  if (code === 0x09) return key("tab")
  if (code === 0x0d) return key("enter")
  if (code === 0x7f) return key("backspace")
  if (code === 0) return key("space", { ctrl: true })
  // Ctrl+A is 1, and Ctrl with `\ ] ^ _` follows Ctrl+Z and ESC.
  return key(String.fromCharCode(code + 0x40).toLowerCase(), { ctrl: true })
}

const withAlt = (event: InputEvent): InputEvent => {
  if (event.type !== "key") return event
  const { text: _, ...rest } = event
  return { ...rest, alt: true }
}

const eventsOf = (scan: Scan, sequence: string): ReadonlyArray<InputEvent> => {
  switch (scan.kind) {
    case "csi":
      return known(
        scan.parameters === "201" && scan.final === "~" ? null : csiEvent(scan.parameters, scan.final),
        sequence
      )
    case "ss3":
      return known(ss3Event(scan.parameters, scan.final), sequence)
    case "console":
      return known(consoleEvent(scan.final), sequence)
    case "mouse":
    case "string":
      return [{ type: "report", sequence }]
    default:
      return []
  }
}

const known = (event: InputEvent | null | undefined, sequence: string): ReadonlyArray<InputEvent> => {
  if (event === undefined) return [{ type: "report", sequence }]
  return event === null ? [] : [event]
}

/** The keys that a rest means once nothing more comes; undefined: none, it is part of a longer sequence. */
const keysOf = (rest: string): ReadonlyArray<InputEvent> | undefined => {
  if (rest === ESC) return [key("escape")]
  if (rest === ESC + ESC) return [key("escape"), key("escape")]
  if (/^\u001b\u001b?[[O\]PX^_]$/.test(rest)) {
    const alt = withAlt(typed(rest.slice(-1)))
    return rest.length === 2 ? [alt] : [key("escape"), alt]
  }
  const rxvt = /^\u001b\[(\d+)\$$/.exec(rest)
  return rxvt === null ? undefined : known(csiEvent(rxvt[1] ?? "", "$"), rest)
}
