/** Answers of a language server as text for the model: places as `path:line:column`, from 1. Pure. */
import type { Diagnostic, DocumentSymbol, Position } from "./protocol.ts"

/** Problems shown of one file. */
export const MAX_DIAGNOSTICS = 20
const MAX_MESSAGE = 500
const MAX_SYMBOLS = 200

export const at = ({ character, line }: Position): string => `${line + 1}:${character + 1}`

const SEVERITIES: Readonly<Record<number, string>> = { 1: "error", 2: "warning", 3: "information", 4: "hint" }

/** Errors and warnings; the rest is taste. The most serious first, then in order of lines. */
export const seriousOnes = (diagnostics: ReadonlyArray<Diagnostic>): ReadonlyArray<Diagnostic> =>
  diagnostics
    .filter(({ severity = 1 }) => severity <= 2)
    .toSorted((a, b) => (a.severity ?? 1) - (b.severity ?? 1) || a.range.start.line - b.range.start.line)

export const diagnosticLines = (diagnostics: ReadonlyArray<Diagnostic>): string => {
  const shown = diagnostics.slice(0, MAX_DIAGNOSTICS).map(({ code, message, range, severity = 1, source }) => {
    const said = oneLine(message).slice(0, MAX_MESSAGE)
    const from = [source, code].filter((part) => part !== undefined).join(" ")
    return `${at(range.start)} ${SEVERITIES[severity] ?? "problem"}: ${said}${from === "" ? "" : ` [${from}]`}`
  })
  const more = diagnostics.length - shown.length
  return [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n").toWellFormed()
}

/** Kinds of symbols by number (LSP `SymbolKind`). */
const KINDS =
  "file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
    " "
  )

export const kindOf = (kind: number): string => KINDS[kind - 1] ?? "symbol"

export const symbolTree = (symbols: ReadonlyArray<DocumentSymbol>): string => {
  const lines: Array<string> = []
  const add = (list: ReadonlyArray<DocumentSymbol>, depth: number): void => {
    for (const { children, kind, name, selectionRange } of list) {
      lines.push(`${"  ".repeat(depth)}${kindOf(kind)} ${oneLine(name)} ${at(selectionRange.start)}`)
      if (children !== undefined && depth < 10) add(children, depth + 1)
    }
  }
  add(symbols, 0)
  return limited(lines, MAX_SYMBOLS)
}

const MAX_HOVER = 4_000

export const hoverTextLimit = (text: string): string =>
  text.length <= MAX_HOVER ? text : `${text.slice(0, MAX_HOVER)}\n…`.toWellFormed()

export const limited = (lines: ReadonlyArray<string>, most: number): string =>
  (lines.length <= most ? lines : [...lines.slice(0, most), `… and ${lines.length - most} more`]).join("\n")

export const oneLine = (value: string): string => value.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()

/** Where a word stands: on the line given, else where it comes first. Undefined: nowhere. */
export const findSymbol = (content: string, symbol: string, line: number | undefined): Position | undefined => {
  const lines = content.split("\n")
  const wanted = line === undefined ? lines.keys() : [line - 1].values()
  for (const index of wanted) {
    const character = wholeWord(lines[index] ?? "", symbol)
    if (character !== -1) return { line: index, character }
  }
  return undefined
}

const wholeWord = (line: string, symbol: string): number => {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_$]/u.test(character)
  let first = -1
  for (let found = line.indexOf(symbol); found !== -1; found = line.indexOf(symbol, found + 1)) {
    if (!isWord(line[found - 1]) && !isWord(line[found + symbol.length])) return found
    if (first === -1) first = found
  }
  return first
}
