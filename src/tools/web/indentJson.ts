/**
 * JSON text laid out with two spaces, without touching a value: long numbers and the order of keys stay as they were,
 * which `JSON.parse` and `JSON.stringify` would not keep. Pure, linear.
 */

/** Characters from which on the text is left alone, so that the interface is not held up. */
const MAX_LENGTH = 1_000_000

/** The text itself where it is not JSON, or long. */
export const indentJson = (source: string): string => {
  if (source.length > MAX_LENGTH) return source
  try {
    JSON.parse(source)
  } catch {
    return source
  }
  const out: Array<string> = []
  let depth = 0
  const line = () => {
    out.push("\n", "  ".repeat(Math.min(depth, MAX_INDENT)))
  }
  const tokens = source.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]
    if (token === "{" || token === "[") {
      out.push(token)
      if (next === "}" || next === "]") continue
      depth++
      line()
    } else if (token === "}" || token === "]") {
      const before = tokens[index - 1]
      if (before !== "{" && before !== "[") {
        depth--
        line()
      }
      out.push(token)
    } else if (token === ",") {
      out.push(token)
      line()
    } else out.push(token === ":" ? ": " : token)
  }
  return out.join("")
}

/** Levels shown by indentation: 100 000 open brackets must not become gigabytes of spaces. */
const MAX_INDENT = 40
