/**
 * Decides while an answer arrives whether the whole of it is one or several tool calls written as text (spec 06). Strict: a
 * word before, between or after the blocks, a tool that is not declared or a key that no call has, and it is text. Pure;
 * linear in the text.
 */
import type { StopReason } from "../../domain/message.ts"
import { Arriving, Cursor, END, isSpace, MORE, oneOf, type Parsing, type Place } from "./Cursor.ts"
import type { DeclaredTools } from "./DeclaredTools.ts"
import type { TextCallFormat } from "./format.ts"
import type { FoundCall } from "./foundCall.ts"
import { jsonFormats } from "./jsonFormats.ts"
import { tokenFormats } from "./tokenFormats.ts"
import { xmlFormats } from "./xmlFormats.ts"

/** All that are known, tried at each block in this order. */
export const textCallFormats: ReadonlyArray<TextCallFormat> = [...tokenFormats, ...xmlFormats, ...jsonFormats]

const STARTS = new Set(textCallFormats.flatMap(({ starts }) => [...starts]))

/** Marks of the end of an answer that servers leave in its text. */
const ENDINGS = [
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "</s>",
  "<|end|>",
  "<|endoftext|>",
  "<end_of_turn>",
  "<｜end▁of▁sentence｜>"
]

/** More calls than any answer has: a model that cannot stop. */
const MOST_CALLS = 64

interface Candidate {
  readonly format: TextCallFormat
  readonly cursor: Cursor
  readonly parsing: Parsing<ReadonlyArray<FoundCall> | undefined>
}

export class TextCallRecogniser {
  private readonly tools: DeclaredTools
  private readonly source = new Arriving()
  private readonly calls: Array<FoundCall> = []
  /** The formats the block at hand may still be; undefined between blocks. */
  private candidates: ReadonlyArray<Candidate> | undefined
  private place: Place = { piece: 0, offset: 0 }
  private hasOnlyMarked = true
  private hasFailed = false

  constructor(tools: DeclaredTools) {
    this.tools = tools
  }

  /** False from the first character on that makes the answer text. */
  push(text: string): boolean {
    if (this.hasFailed || text === "") return !this.hasFailed
    this.source.pieces.push(text)
    return this.advance()
  }

  /** All that was held. */
  get text(): string {
    return this.source.pieces.join("")
  }

  /** The answer is over: its calls, or undefined where it is text. */
  end(reason: StopReason): ReadonlyArray<FoundCall> | undefined {
    this.source.hasEnded = true
    if (!this.advance() || this.candidates !== undefined || this.calls.length === 0) return undefined
    if (reason === "max_tokens" || reason === "context_window") return this.calls
    // Not cut, and yet without an end: a marked call was meant as one, anything else is text.
    if (!this.hasOnlyMarked && this.calls.some(({ problem }) => problem !== undefined)) return undefined
    return this.calls.map(unclosed)
  }

  private advance(): boolean {
    for (;;) {
      if (this.candidates === undefined) {
        const next = this.begin()
        if (next !== "block") return next === "wait"
      }
      const step = this.step()
      if (step !== "next") return step === "wait"
    }
  }

  /** Between blocks: what begins here? */
  private begin(): "block" | "wait" | "failed" {
    const cursor = new Cursor(this.source, this.place)
    while (isSpace(cursor.peek())) cursor.next()
    this.place = cursor.place
    const code = cursor.peek()
    if (code === MORE || code === END) return "wait"
    const first = String.fromCharCode(code)
    const { place } = this
    const formats =
      this.calls.length >= MOST_CALLS ? [] : textCallFormats.filter(({ starts }) => starts.includes(first))
    this.candidates = (this.calls.length === 0 ? formats : [...formats, ending]).map((format) => {
      const own = new Cursor(this.source, place)
      return { format, cursor: own, parsing: format.parse(own, this.tools) }
    })
    return "block"
  }

  /** Lets each candidate read on; the first that is whole is the block. */
  private step(): "next" | "wait" | "failed" {
    const left: Array<Candidate> = []
    for (const candidate of this.candidates ?? []) {
      const read = candidate.parsing.next()
      if (read.done !== true) left.push(candidate)
      else if (read.value !== undefined) {
        this.calls.push(...read.value)
        if (!candidate.format.isMarked) this.hasOnlyMarked = false
        this.place = candidate.cursor.place
        this.candidates = undefined
        return "next"
      }
    }
    this.candidates = left
    if (left.length > 0) return "wait"
    this.hasFailed = true
    return "failed"
  }
}

/** Whether an answer that begins so can be a call at all. */
export const mayBeginCall = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (!isSpace(text.charCodeAt(i))) return STARTS.has(text[i] ?? "")
  return true
}

const ending: TextCallFormat = {
  name: "end of answer",
  starts: "<",
  isMarked: true,
  *parse(cursor): Parsing<ReadonlyArray<FoundCall> | undefined> {
    return (yield* oneOf(cursor, ENDINGS)) === undefined ? undefined : []
  }
}

const unclosed = (call: FoundCall): FoundCall =>
  call.problem?.kind !== "cut"
    ? call
    : {
        ...call,
        problem: { ...call.problem, kind: "malformed", detail: "The call is not closed; nothing was run." }
      }
