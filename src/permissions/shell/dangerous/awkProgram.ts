/**
 * Looks through an awk program for what leaves the text: `system`, pipes, output to files, `getline`, loaded code.
 * Pure and linear. Where `/` may be a division or a regular expression, every suspicious word after it counts.
 */

const suspicious = /system|getline|\||>|@/g

/** The word or sign of the program that runs, writes or reads something; undefined when there is none. */
export const awkDanger = (program: string): string | undefined => {
  if (program.search(suspicious) === -1) return undefined
  const token =
    /(\s*\n|;)|[ \t\r]+|\\\r?\n|#[^\n]*|("(?:[^"\\]|\\[^])*")|([A-Za-z_]\w*)|(\d[\w.]*|\.\d\w*)|(\|\||>=|\+\+|--|>>|[^])/gy
  // What came before decides whether `/` divides: a value, something unclear, or nothing.
  let before: "value" | "unclear" | "start" = "start"
  let depth = 0
  let printDepth: number | undefined
  let at = 0
  const anyAfter = (): string | undefined => program.slice(at).match(suspicious)?.[0]

  while (at < program.length) {
    token.lastIndex = at
    const found = token.exec(program)
    if (found === null) return anyAfter()
    const [whole, end, string, name, number, sign] = found
    if (sign === "/") {
      if (before === "unclear") return anyAfter()
      if (before === "start") {
        const close = /\/((?:[^/\\\n]|\\[^\n])*)\//y
        close.lastIndex = at
        const regex = close.exec(program)
        // A slash inside brackets ends the expression in some versions of awk only.
        if (regex === null) return anyAfter()
        const line = program.indexOf("\n", close.lastIndex)
        const rest = program.slice(close.lastIndex, line === -1 ? undefined : line)
        if (regex[1]?.includes("[") === true && rest.includes("/")) return anyAfter()
        at = close.lastIndex
        before = "value"
        continue
      }
      before = "start"
    } else if (end !== undefined) {
      before = "start"
      printDepth = undefined
    } else if (string !== undefined || number !== undefined) {
      // `1system("id")` is a number, then a call.
      if (number !== undefined && number.search(/[a-z]{2}/i) !== -1) return anyAfter()
      before = "value"
    } else if (name !== undefined) {
      if (name === "system" || name === "getline") return name
      if (name === "print" || name === "printf") printDepth = depth
      if (/^(?:print|printf|return|in|else|do|case|exit)$/.test(name)) before = "start"
      else before = name === "length" || name === "func" || name === "function" ? "unclear" : "value"
    } else if (sign !== undefined) {
      if (sign === "|" || sign === "@" || sign === ">>") return sign
      if (sign === ">" && printDepth !== undefined && depth <= printDepth) return sign
      if (sign === '"') return anyAfter()
      if (sign === "(" || sign === "[") depth++
      else if (sign === ")" || sign === "]") depth--
      else if (sign === "}") printDepth = undefined
      if (sign === "]") before = "value"
      else before = sign === ")" || sign === "++" || sign === "--" || sign === "$" ? "unclear" : "start"
    }
    at += whole.length
  }
  return undefined
}
