/**
 * Reads the JSON text of a call's arguments while it arrives and tells each text in it decoded, with the key it stands
 * under (spec 05: a trigger on code matches code). Pure and linear; it forgives what a model gets wrong (raw line breaks,
 * unknown escapes), because the tool's own reader does too.
 */

/** What is told, in order: a text opens, comes in pieces, closes. */
export interface ArgumentListener {
  /** `key` is like `path`, `edits[].new`, or empty for a bare text. */
  readonly open: (key: string) => void
  readonly piece: (decoded: string) => void
  readonly close: () => void
}

/** Longest key that is kept, in UTF-16 units. */
const LONGEST_KEY = 200

interface Container {
  readonly list: boolean
  /** The key that this container's texts stand under, as far as known. */
  readonly prefix: string
  key: string
  expectsKey: boolean
}

type Inside = "structure" | "key" | "text"

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }

export class ArgumentReader {
  private readonly listener: ArgumentListener
  private readonly containers: Array<Container> = []
  private inside: Inside = "structure"
  private key = ""
  /** Undefined: no escape is open; else what came after the backslash. */
  private escape: string | undefined

  constructor(listener: ArgumentListener) {
    this.listener = listener
  }

  feed(json: string): void {
    let i = 0
    while (i < json.length) {
      if (this.inside === "structure") this.structure(json[i++] ?? "")
      else if (this.escape !== undefined) this.continueEscape(json[i++] ?? "")
      else i = this.run(json, i)
    }
  }

  /** Plain characters up to the next quote or backslash, in one piece. */
  private run(json: string, from: number): number {
    let to = from
    for (; to < json.length; to++) {
      const code = json.charCodeAt(to)
      if (code === 0x22 || code === 0x5c) break
    }
    if (to > from) this.emit(json.slice(from, to))
    if (to === json.length) return to
    if (json.charCodeAt(to) === 0x5c) this.escape = ""
    else this.closeText()
    return to + 1
  }

  private emit(decoded: string): void {
    if (this.inside === "text") this.listener.piece(decoded)
    else if (this.key.length < LONGEST_KEY) this.key += decoded
  }

  private continueEscape(character: string): void {
    const before = this.escape ?? ""
    if (before === "") {
      if (character === "u") this.escape = "u"
      else {
        this.escape = undefined
        this.emit(ESCAPES[character] ?? character)
      }
      return
    }
    const digits = before + character
    if (!/^u[0-9a-fA-F]+$/.test(digits)) {
      // Not four digits: shown as written, and the character is read again as what it is.
      this.escape = undefined
      this.emit(before)
      this.run(character, 0)
    } else if (digits.length < 5) this.escape = digits
    else {
      this.escape = undefined
      this.emit(String.fromCharCode(Number.parseInt(digits.slice(1), 16)))
    }
  }

  private closeText(): void {
    const container = this.containers.at(-1)
    if (this.inside === "text") this.listener.close()
    else if (container !== undefined) {
      container.key = this.key
      container.expectsKey = false
    }
    this.inside = "structure"
  }

  private structure(character: string): void {
    const container = this.containers.at(-1)
    switch (character) {
      case '"':
        if (container?.expectsKey === true) {
          this.inside = "key"
          this.key = ""
        } else {
          this.inside = "text"
          this.listener.open(this.place())
        }
        break
      case "{":
      case "[": {
        const prefix = this.place().slice(0, LONGEST_KEY)
        const list = character === "["
        this.containers.push({ list, prefix: list ? `${prefix}[]` : prefix, key: "", expectsKey: !list })
        break
      }
      case "}":
      case "]":
        this.containers.pop()
        break
      case ",":
        if (container !== undefined && !container.list) container.expectsKey = true
        break
      default:
        break
    }
  }

  private place(): string {
    const container = this.containers.at(-1)
    if (container === undefined) return ""
    if (container.list) return container.prefix
    return container.prefix === "" ? container.key : `${container.prefix}.${container.key}`
  }
}
