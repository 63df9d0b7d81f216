/** Runs the decoder over bytes cut in a given way. */
import type { LlmEvent } from "../../../src/domain/llm.ts"
import { AnswerDecoder, type Outcome } from "../../../src/llm/answerDecoder.ts"

export const declared: ReadonlySet<string> = new Set(["read", "grep", "ls", "calc", "write", "weather", "list_todos"])

export interface Decoded {
  readonly events: ReadonlyArray<LlmEvent>
  readonly outcome: Outcome
}

export const decode = (pieces: ReadonlyArray<Uint8Array>, names: ReadonlySet<string> = declared): Decoded => {
  const decoder = new AnswerDecoder({ declared: names, newId: (n) => `made_${n}` })
  const events: Array<LlmEvent> = []
  for (const piece of pieces) {
    decoder.push(piece)
    events.push(...decoder.take())
    if (decoder.isOver) break
  }
  const outcome = decoder.end()
  events.push(...decoder.take())
  return { events, outcome }
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export const decodeText = (text: string, names?: ReadonlySet<string>): Decoded => decode([bytesOf(text)], names)
