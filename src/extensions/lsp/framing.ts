/**
 * The base protocol of language servers: JSON behind a `Content-Length` header. Lines that a server prints among its messages
 * are skipped. Pure; linear in what comes.
 */

/** Bytes of one message; a larger one is read over. */
const MAX_MESSAGE = 64 * 1024 * 1024
/** Bytes without a header that are looked through before they are dropped. */
const MAX_NOISE = 64 * 1024

const encoder = new TextEncoder()

export const encodeMessage = (message: unknown): Uint8Array => {
  const body = encoder.encode(JSON.stringify(message))
  const head = encoder.encode(`Content-Length: ${body.length}\r\n\r\n`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

export class MessageReader {
  private chunks: Array<Uint8Array> = []
  private held = 0
  /** Bytes of the body that is awaited. */
  private awaited: number | undefined

  /** The messages that are whole with these bytes; what is no JSON is left out. */
  push(bytes: Uint8Array): ReadonlyArray<unknown> {
    this.chunks.push(bytes)
    this.held += bytes.length
    const messages: Array<unknown> = []
    for (;;) {
      if (this.awaited === undefined && !this.findHeader()) return messages
      if (this.awaited === undefined || this.held < this.awaited) {
        if (this.awaited !== undefined && this.awaited > MAX_MESSAGE) this.skip()
        return messages
      }
      const body = this.take(this.awaited)
      this.awaited = undefined
      const message = parse(body)
      if (message !== undefined) messages.push(message)
    }
  }

  private findHeader(): boolean {
    const all = this.joined()
    const head = all.subarray(0, MAX_NOISE).toString("latin1")
    const found = /Content-Length:[ \t]*(\d+)[^\r\n]*\r\n(?:[\w-]+:[^\r\n]*\r\n)*\r\n/i.exec(head)
    if (found === null) {
      if (this.held > MAX_NOISE) this.take(this.held - MAX_NOISE / 2)
      return false
    }
    this.take(found.index + found[0].length)
    this.awaited = Number(found[1])
    return true
  }

  /** Drops what has come of a message that is too large. */
  private skip(): void {
    this.awaited = (this.awaited ?? 0) - this.held
    this.take(this.held)
  }

  private joined(): Buffer {
    const all = Buffer.concat(this.chunks)
    this.chunks = [all]
    return all
  }

  private take(length: number): Buffer {
    const all = this.joined()
    this.chunks = [all.subarray(length)]
    this.held -= length
    return all.subarray(0, length)
  }
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch {
    return undefined
  }
}
