/**
 * Builtins of the shell whose arguments are more than words: they set variables, evaluate subscripts (even quoted ones) or
 * change what later words mean (spec 03, field case C2). Pure.
 */
import { assignment, says, type Concern } from "./concerns.ts"
import type { ShellWord } from "./words.ts"

/** Names whose assignment changes nothing about what a command may do (spec 03). */
const HARMLESS_NAMES = /^(?:CI|NO_COLOR|FORCE_COLOR|LANG|LC_[A-Z]+|TZ|TERM)$/

export const isHarmlessName = (name: string): boolean => HARMLESS_NAMES.test(name)

/**
 * A variable of a loop or of `read`: one word in lower case is no variable that the shell or a program looks at.
 * `http_proxy` and its like have an underscore or end in `proxy`.
 */
export const isOrdinaryName = (name: string): boolean => /^[a-z][a-z0-9]*$/.test(name) && name !== "histchars"

/** What a builtin makes uncertain; undefined for other programs and harmless uses. `name` is without its folder. */
export const builtinConcern = (name: string, words: ReadonlyArray<ShellWord>): Concern | undefined => {
  const values = words.slice(1).map(({ value }) => value)
  switch (name) {
    case "printf":
      return values.some((value) => value.startsWith("-v")) ? assignment("-v") : undefined
    case "test":
    case "[":
      return testsVariable(words.slice(1)) ? says.evaluation : undefined
    case "read":
      return readsInto(values, words) ? says.evaluation : undefined
    case "unset":
    case "wait":
      return words.slice(1).some(({ isLiteral, value }) => !isLiteral || /[[`$]/.test(value))
        ? says.evaluation
        : undefined
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      return declares(words.slice(1))
    case "let":
    case "getopts":
    case "mapfile":
    case "readarray":
      return says.evaluation
    case "alias":
    case "bind":
    case "complete":
    case "compgen":
    case "enable":
    case "fc":
      return says.shellChange
    case "hash":
      return values.some((value) => /^-[a-z]*p/.test(value)) ? says.shellChange : undefined
    case "shopt":
      return values.some((value) => /^-[a-z]*[su]/.test(value)) ? says.shellChange : undefined
    case "set":
      return setsOption(values) ? says.shellChange : undefined
    case "popd":
    case "dirs":
      return name === "popd" || values.length > 0 ? says.folder : undefined
    default:
      return undefined
  }
}

const declares = (words: ReadonlyArray<ShellWord>): Concern | undefined => {
  for (const { isLiteral, value } of words) {
    if (value.startsWith("-") || value.startsWith("+")) continue
    if (!isLiteral && !value.includes("=")) return says.evaluation
    const name = /^([A-Za-z_]\w*)(?:\+?=|$)/.exec(value)?.[1]
    if (name === undefined) return says.evaluation
    if (value.includes("=") && !isHarmlessName(name)) return assignment(name)
  }
  return undefined
}

/** `-v name[…]` and `-R` evaluate the subscript; a plain name is harmless. What is expanded may turn into `-v`. */
const testsVariable = (words: ReadonlyArray<ShellWord>): boolean =>
  words.some(({ value }, index) => {
    if (value !== "-v" && value !== "-R") return false
    const operand = words[index + 1]
    return operand !== undefined && (!operand.isLiteral || !/^\w*\]?$/.test(operand.value))
  }) ||
  (words.some(({ isLiteral }) => !isLiteral) && words.some(({ value }) => /\[[\s\S]*[$`]/.test(value)))

const VALUED = new Set(["-d", "-i", "-n", "-N", "-p", "-t", "-u"])

/** True unless every variable is an ordinary one. */
const readsInto = (values: ReadonlyArray<string>, words: ReadonlyArray<ShellWord>): boolean => {
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? ""
    if (value === "-a") return !isOrdinaryName(values[at + 1] ?? "")
    if (VALUED.has(value)) at++
    else if (/^-[erst]+$/.test(value)) continue
    else if (/^-[a-zA-Z]*[dinNptu]$/.test(value)) at++
    else if (value.startsWith("-")) continue
    else if (words[at + 1]?.isLiteral !== true || !isOrdinaryName(value)) return true
  }
  return false
}

/** Options that make a script stricter or talk more change nothing. */
const setsOption = (values: ReadonlyArray<string>): boolean =>
  values.length > 0 &&
  !(
    values.every((value) => /^[-+][eux]*o?$/.test(value) || /^(?:pipefail|errexit|nounset|xtrace)$/.test(value)) &&
    values[0] !== "--"
  )
