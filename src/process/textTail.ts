/** The last part of a text that comes in pieces, however long the whole is. Pure. */
export class TextTail {
  private readonly max: number
  private kept = ""

  /** UTF-16 units. */
  constructor(max: number) {
    this.max = max
  }

  add(piece: string): void {
    this.kept = (this.kept + piece).slice(-this.max)
  }

  /** Without half a character at its beginning. */
  get text(): string {
    return this.kept.replace(/^[\uDC00-\uDFFF]/, "")
  }
}
