/**
 * Small changes to regular expressions in Rust's syntax: line ends of either kind, and the Unicode meaning of classes for an
 * engine that knows ASCII only. Pure.
 */

/** Each token outside a bracketed class, or inside one, may be replaced; `undefined` keeps it. */
const mapTokens = (
  pattern: string,
  replace: (token: string, inClass: boolean) => string | undefined
): { readonly pattern: string; readonly changed: boolean } => {
  let result = ""
  let changed = false
  let inClass = false
  for (let at = 0; at < pattern.length;) {
    // `\x{…}` and `\p{…}` need no care: what follows the two characters has no class or escape in it.
    const token = pattern.slice(at, pattern[at] === "\\" ? at + 2 : at + 1)
    const next = replace(token, inClass)
    changed ||= next !== undefined
    result += next ?? token
    if (token === "[" && !inClass) {
      inClass = true
      // A bracket that comes first is a member.
      const first = /^\^?\]/.exec(pattern.slice(at + 1, at + 3))?.[0] ?? ""
      result += first
      at += first.length
    } else if (token === "[" && pattern[at + 1] === ":") {
      const end = pattern.indexOf(":]", at)
      if (end !== -1) {
        result += pattern.slice(at + 1, end + 2)
        at = end + 1
      }
    } else if (token === "]") inClass = false
    at += token.length
  }
  return { pattern: result, changed }
}

/** Line ends of the expression match `\r\n` too; `spansLines` says that it has some. */
export const anyLineEnd = (pattern: string): { readonly pattern: string; readonly spansLines: boolean } => {
  const mapped = mapTokens(pattern, (token, inClass) =>
    !inClass && (token === "\\n" || token === "\n") ? "(?:\\r?\\n)" : undefined
  )
  return { pattern: mapped.pattern, spansLines: mapped.changed }
}

const CLASSES: Readonly<Record<string, readonly [members: string, others: string | undefined]>> = {
  "\\d": ["\\p{Nd}", "\\P{Nd}"],
  "\\w": ["\\p{L}\\p{M}\\p{Nd}\\p{Pc}", undefined],
  "\\s": ["\\s\\x{b}\\x{85}\\p{Z}", undefined]
}

/** `\w`, `\d` and `\s` as Rust means them, for an engine whose own know ASCII only. */
export const unicodeClasses = (pattern: string): string =>
  mapTokens(pattern, (token, inClass) => {
    const [members, others] = CLASSES[token.toLowerCase()] ?? []
    if (members === undefined || token.length !== 2) return undefined
    if (token === token.toLowerCase()) return inClass ? members : `[${members}]`
    return inClass ? others : `[^${members}]`
  }).pattern
