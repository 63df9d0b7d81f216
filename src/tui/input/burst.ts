/**
 * A paste on terminals that do not mark it (field case G2): a read full of typed characters with line ends between them was
 * not typed. It waits until nothing more comes, so that all its reads become one paste and its last line end sends nothing.
 */
import type { InputEvent } from "./inputEvent.ts"

/** Keys of one read below which a line end between them may be quick typing: `a⏎b`. CRLF is no key and always counts. */
const FEWEST = 10

export class BurstCollector {
  #text: string | undefined

  /** A paste waits for `flush`. */
  get pending(): boolean {
    return this.#text !== undefined
  }

  /** Takes the events of one read. */
  feed(events: ReadonlyArray<InputEvent>): ReadonlyArray<InputEvent> {
    if (events.length === 0) return events
    const text = events.length < 3 && this.#text === undefined ? undefined : textOf(events)
    if (this.#text !== undefined && text !== undefined) {
      this.#text += text
      return []
    }
    if (text === undefined || !isPaste(text)) return [...this.flush(), ...events]
    this.#text = text
    return []
  }

  flush(): ReadonlyArray<InputEvent> {
    const text = this.#text
    this.#text = undefined
    return text === undefined ? [] : [{ type: "paste", text: text.replace(/\r\n?/g, "\n") }]
  }
}

/** Undefined where one of the events is more than a character, a tab or a line end. */
const textOf = (events: ReadonlyArray<InputEvent>): string | undefined => {
  const pieces: Array<string> = []
  for (const event of events) {
    if (event.type !== "key" || event.alt) return undefined
    const piece = event.ctrl ? (event.name === "j" ? "\n" : undefined) : (event.text ?? CONTROLS[event.name])
    if (piece === undefined) return undefined
    pieces.push(piece)
  }
  return pieces.join("")
}

const CONTROLS: Readonly<Record<string, string>> = { enter: "\r", tab: "\t" }

const isPaste = (text: string): boolean =>
  text.includes("\r\n") || (text.length >= FEWEST && /[\r\n][^\r\n]/.test(text))
