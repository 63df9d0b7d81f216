/**
 * Looks through a sed script for what leaves the text: `e` (runs a command), `w` (writes a file), `r` (reads one).
 * Pure and linear. What it cannot read as sed counts as dangerous.
 */

export type SedDanger = "e" | "w" | "r" | "unreadable"

/**
 * The first such command of the script, undefined when there is none. A delimiter inside `[...]` ends the expression in
 * some versions of sed and not in others: both readings are tried.
 */
export const sedDanger = (script: string): SedDanger | undefined => {
  if (!script.includes("[")) return scan(script, true)
  const one = scan(script, true)
  const other = scan(script, false)
  // A reading that fails is not how this sed reads the script, unless both fail.
  if (one === "unreadable") return other
  return one ?? (other === "unreadable" ? undefined : other)
}

const scan = (script: string, brackets: boolean): SedDanger | undefined => {
  let at = 0
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(script)?.[0] ?? ""
    at += found.length
    return found
  }
  /** Skips to after the next `delimiter`; false when there is none. */
  const skipTo = (delimiter: string, regex: boolean): boolean => {
    while (at < script.length) {
      const char = script.charAt(at++)
      if (char === delimiter) return true
      if (char === "\\") at++
      else if (char === "[" && regex && brackets) {
        if (script.charAt(at) === "^") at++
        if (script.charAt(at) === "]") at++
        while (at < script.length && script.charAt(at) !== "]") {
          const open = script.charAt(at + 1)
          if (script.charAt(at) === "[" && (open === ":" || open === "." || open === "=")) {
            const close = script.indexOf(`${open}]`, at + 2)
            if (close === -1) return false
            at = close + 2
          } else at++
        }
        at++
      }
    }
    return false
  }
  const address = (): boolean => {
    const char = script.charAt(at)
    if (char === "/" || char === "\\") {
      const delimiter = char === "/" ? char : script.charAt(at + 1)
      at += char === "/" ? 1 : 2
      if (!skipTo(delimiter, true)) return false
      skip(/[IM]*/y)
      return true
    }
    skip(/\$|[+~]?\d+(?:~\d+)?/y)
    return true
  }
  const toStream = (): boolean => /^\s*\/dev\/std(?:out|err)$/.test(skip(/[^\n]*/y))

  while (at < script.length) {
    skip(/[\s;]*/y)
    if (at >= script.length) return undefined
    if (!address()) return "unreadable"
    skip(/\s*/y)
    if (script.charAt(at) === ",") {
      at++
      skip(/\s*/y)
      if (!address()) return "unreadable"
    }
    skip(/[\s!]*/y)
    const command = script.charAt(at++)
    if (command === "e") return "e"
    if (command === "r" || command === "R") return "r"
    if (command === "w" || command === "W") {
      if (!toStream()) return "w"
    } else if (command === "s" || command === "y") {
      const delimiter = script.charAt(at++)
      if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return "unreadable"
      if (!skipTo(delimiter, command === "s") || !skipTo(delimiter, false)) return "unreadable"
      const flags = command === "s" ? skip(/[gpiImMe\d]*/y) : ""
      if (flags.includes("e")) return "e"
      if (command === "s" && script.charAt(at) === "w") {
        at++
        if (!toStream()) return "w"
      }
    } else if (command === "a" || command === "i" || command === "c") skip(/(?:[^\\\n]|\\[^]?)*/y)
    else if (command === "#") skip(/[^\n]*/y)
    else if (command === ":" || command === "b" || command === "t" || command === "T" || command === "v") {
      skip(/[ \t]*[^\s;}]*/y)
    } else if (/^[lLqQ]$/.test(command)) skip(/[ \t]*\d*/y)
    else if (!/^[{}=dDgGhHnNpPxzF]$/.test(command)) return "unreadable"
  }
  return undefined
}
