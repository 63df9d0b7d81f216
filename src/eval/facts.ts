/** What a turn shows of how a model worked, read off its events: calls, errors, loops, repairs, tokens. Pure state. */
import type { AgentEvent, TurnReason } from "../domain/agent-event.ts"
import type { Text } from "../domain/text.ts"
import type { Usage } from "../domain/message.ts"

export interface Facts {
  readonly reason: TurnReason | "none"
  readonly iterations: number
  /** Tool calls that were made. */
  readonly calls: number
  /** Results that were failures. */
  readonly errors: number
  /** Results that told the model of a loop. */
  readonly loops: number
  /** Arguments that were put right. */
  readonly repairs: number
  /** Edits whose text was found only by looking away from white space or copied line numbers. */
  readonly softEdits: number
  /** Times the conversation was compacted. */
  readonly compactions: number
  /** Warnings by code. */
  readonly warnings: Readonly<Record<string, number>>
  /** The line that told of the end, where it was not a good one. */
  readonly error: { readonly code: string; readonly message: Text } | undefined
  readonly usage: Usage
  readonly answer: string
}

const LOOP = /\[LOOP_DETECTED/
const SOFT_EDIT = /matched ignoring whitespace|matched after line numbers/
const NOTE = /^\[note: /gm

export class FactCollector {
  #reason: Facts["reason"] = "none"
  #iterations = 0
  #calls = 0
  #errors = 0
  #loops = 0
  #repairs = 0
  #softEdits = 0
  #compactions = 0
  readonly #warnings: Record<string, number> = {}
  #error: Facts["error"]
  #usage: Usage = { inputTokens: 0, outputTokens: 0 }
  #answer = ""

  take(event: AgentEvent): void {
    switch (event.type) {
      case "iteration":
        this.#iterations = event.n
        return
      case "tool-requested":
        this.#calls += 1
        return
      case "tool-finished":
        return this.#result(event.result.text, event.result.isError)
      case "compaction":
        if (event.phase === "finished") this.#compactions += 1
        return
      case "warning":
        this.#warnings[event.code] = (this.#warnings[event.code] ?? 0) + 1
        return
      case "error":
        this.#error = { code: event.code, message: event.message }
        return
      case "finished":
        this.#reason = event.reason
        this.#usage = event.usage
        this.#answer = event.text
        return
      default:
        return
    }
  }

  get facts(): Facts {
    return {
      reason: this.#reason,
      iterations: this.#iterations,
      calls: this.#calls,
      errors: this.#errors,
      loops: this.#loops,
      repairs: this.#repairs,
      softEdits: this.#softEdits,
      compactions: this.#compactions,
      warnings: { ...this.#warnings },
      error: this.#error,
      usage: this.#usage,
      answer: this.#answer
    }
  }

  #result(text: string, isError: boolean): void {
    if (isError) this.#errors += 1
    if (LOOP.test(text)) this.#loops += 1
    if (SOFT_EDIT.test(text)) this.#softEdits += 1
    this.#repairs += text.match(NOTE)?.length ?? 0
  }
}
