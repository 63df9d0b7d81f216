/**
 * Gathers the reasoning of one answer from the fields servers use (spec 01, field case A29), once, and in a form that can be
 * sent back: text in the field it came in, signed or opaque blocks byte for byte. Pure.
 */
import type { Reasoning } from "../domain/message.ts"
import { arrayOf, fieldsOf, isFields, stringOf, type Fields } from "./wire.ts"

type TextField = Reasoning["field"]

export class ReasoningCollector {
  #text = ""
  #field: TextField | undefined
  readonly #blocks: Array<Fields> = []
  readonly #details: Array<Fields> = []

  /** Takes the reasoning out of a delta (or a whole message); returns the text to show. */
  add(delta: Fields): string {
    const blocks = arrayOf(delta["thinking_blocks"]).filter(isFields)
    const details = arrayOf(delta["reasoning_details"]).filter(isFields)
    for (const block of blocks) appendBlock(this.#blocks, block)
    for (const detail of details) appendDetail(this.#details, detail)
    // Several fields of one delta say the same thing: the first one that has text counts.
    const found = firstText([
      ["reasoning_content", reasoningText(delta["reasoning_content"])],
      ["reasoning", reasoningText(delta["reasoning"])],
      ["reasoning", reasoningText(delta["thinking"])],
      ["thinking_blocks", blocks.map((block) => stringOf(block["thinking"])).join("")],
      ["reasoning_details", details.map((detail) => stringOf(detail["text"]) || stringOf(detail["summary"])).join("")]
    ])
    if (found === undefined) return ""
    return this.addText(found[1], found[0])
  }

  addText(text: string, field: TextField): string {
    this.#field ??= field
    this.#text += text
    return text
  }

  /** Undefined when the answer had none. */
  get result(): Reasoning | undefined {
    const field =
      this.#field ??
      (this.#blocks.length > 0 ? "thinking_blocks" : this.#details.length > 0 ? "reasoning_details" : undefined)
    if (field === undefined) return undefined
    return {
      text: this.#text,
      field,
      ...(this.#blocks.length === 0 ? {} : { blocks: this.#blocks }),
      ...(this.#details.length === 0 ? {} : { details: this.#details })
    }
  }

  get isEmpty(): boolean {
    return this.result === undefined
  }
}

const firstText = (candidates: ReadonlyArray<readonly [TextField, string]>): readonly [TextField, string] | undefined =>
  candidates.find(([, text]) => text !== "")

/** A string, or an object or list of parts that hold one. */
const reasoningText = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return value.map(reasoningText).join("")
  const fields = fieldsOf(value)
  return stringOf(fields["text"]) || stringOf(fields["content"])
}

/** Pieces of a thinking block go into one block until its signature comes; blocks of other types stand alone. */
const appendBlock = (blocks: Array<Fields>, piece: Fields): void => {
  const last = blocks.at(-1)
  const open = last !== undefined && last["type"] === "thinking" && stringOf(last["signature"]) === ""
  if (!open || piece["type"] !== "thinking") {
    if (Object.keys(piece).length > 0) blocks.push(piece)
    return
  }
  blocks[blocks.length - 1] = mergePiece(last, piece, "thinking")
}

/** Neighbouring pieces of one text or summary are one detail; all else stands alone. */
const appendDetail = (details: Array<Fields>, piece: Fields): void => {
  const last = details.at(-1)
  const key =
    piece["type"] === "reasoning.text" ? "text" : piece["type"] === "reasoning.summary" ? "summary" : undefined
  const same =
    last !== undefined &&
    key !== undefined &&
    last["type"] === piece["type"] &&
    last["index"] === piece["index"] &&
    stringOf(last["signature"]) === ""
  if (same) details[details.length - 1] = mergePiece(last, piece, key)
  else details.push(piece)
}

const mergePiece = (last: Fields, piece: Fields, textKey: string): Fields => {
  const given = Object.entries(piece).filter(([, value]) => value !== null && value !== undefined && value !== "")
  return { ...last, ...Object.fromEntries(given), [textKey]: stringOf(last[textKey]) + stringOf(piece[textKey]) }
}
