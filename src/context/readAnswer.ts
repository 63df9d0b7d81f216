/** Reads a whole answer of a model where nobody watches it arrive: summaries and the question about the window. */
import { Effect, Stream } from "effect"
import type { LlmEvent } from "../domain/llm.ts"
import type { StopReason, Usage } from "../domain/message.ts"
import type { LlmError } from "../llm/errors.ts"

export interface WholeAnswer {
  /** Without reasoning. */
  readonly text: string
  readonly hasReasoning: boolean
  /** Calls it made, which nobody runs. */
  readonly calls: number
  readonly stop: StopReason
  readonly usage: Usage | undefined
}

export const readAnswer = (stream: Stream.Stream<LlmEvent, LlmError>): Effect.Effect<WholeAnswer, LlmError> =>
  Effect.suspend(() => {
    const reading = new Reading()
    return Effect.map(
      Stream.runForEachArray(stream, (events) => Effect.sync(() => events.forEach((event) => reading.take(event)))),
      () => reading.answer
    )
  })

class Reading {
  private texts: Array<string> = []
  private hasReasoning = false
  private calls = 0
  private stop: StopReason = "other"
  private usage: Usage | undefined

  get answer(): WholeAnswer {
    const { hasReasoning, calls, stop, usage } = this
    return { text: this.texts.join(""), hasReasoning, calls, stop, usage }
  }

  take(event: LlmEvent): void {
    switch (event.type) {
      case "text-delta":
        this.texts.push(event.text)
        return
      case "reasoning-delta":
        this.hasReasoning = true
        return
      case "tool-call-start":
        this.calls++
        return
      case "usage":
        this.usage = event.usage
        return
      case "finish":
        this.stop = event.reason
        return
      case "discard":
        this.texts = []
        this.hasReasoning = false
        this.calls = 0
        return
      default:
        return
    }
  }
}
