/**
 * Finds the answers in a recorded stream for `maia rules test --stream` (spec 05): the debug file of `MAIA_DEBUG_LLM`, or
 * the plain body of one response. Pure; the bodies are decoded by who knows the wire format.
 */

/** The bodies of the answers, in order; `text` itself where it is no debug file. */
export const recordedAnswers = (text: string): ReadonlyArray<string> => {
  const exchanges = text.split(REQUEST_LINE)
  if (exchanges.length === 1) return text.trim() === "" ? [] : [text]
  return exchanges.slice(1).flatMap((exchange) => {
    const response = RESPONSE_HEAD.exec(exchange)
    const body = response === null ? "" : exchange.slice(response.index + response[0].length)
    return body.trim() === "" ? [] : [body]
  })
}

const REQUEST_LINE = /^=== \d{4}-\d\d-\d\dT[^ \n]+ POST [^\n]*\n/m
/** The status, the headers and an empty line. */
const RESPONSE_HEAD = /^--- \d{3}\n(?:[^\n]+\n)*\n/m
