/**
 * Entry of the thread for rules with `engine: js`: one text and one rule's expressions in, the end of the first match out.
 * Alone in its thread so that an expression that takes for ever can be given up (`JsRunner.ts`). The build names this file
 * as an entry point.
 */
import { jsExpression } from "./engine/jsExpression.ts"

export interface JsRequest {
  readonly expressions: ReadonlyArray<string>
  readonly text: string
  /** Where a match may begin. */
  readonly from: number
  /** Ends up to here are old; ends after `until` cannot be judged yet. */
  readonly after: number
  readonly until: number
}

/** End of the first match in the text, or null. */
export type JsAnswer = number | null

const firstEnd = ({ expressions, text, from, after, until }: JsRequest): JsAnswer => {
  let first: JsAnswer = null
  for (const expression of expressions) {
    const compiled = jsExpression(expression)
    compiled.lastIndex = from
    for (let match = compiled.exec(text); match !== null; match = compiled.exec(text)) {
      const end = match.index + match[0].length
      if (end > after && end <= until) {
        first = first === null ? end : Math.min(first, end)
        break
      }
      if (match.index >= until) break
      if (match[0] === "") compiled.lastIndex++
    }
  }
  return first
}

addEventListener("message", (event: MessageEvent<JsRequest>) => {
  postMessage(firstEnd(event.data))
})
