/**
 * What a language server answers, as far as maia reads it (LSP 3.17): checked, because it comes from another program. Pure.
 */
import { Option, Schema } from "effect"

const { Array: List, Finite, Literals, NullOr, String: Str, Struct, Union, Unknown, optionalKey, suspend } = Schema

/** From 0; characters are UTF-16 units. */
export const Position = Struct({ line: Finite, character: Finite })
export type Position = typeof Position.Type
export const Range = Struct({ start: Position, end: Position })
export type Range = typeof Range.Type

const Location = Struct({ uri: Str, range: Range })
const LocationLink = Struct({ targetUri: Str, targetSelectionRange: Range })

export interface Place {
  readonly uri: string
  readonly range: Range
}

export const Diagnostic = Struct({
  range: Range,
  message: Str,
  /** 1 error, 2 warning, 3 information, 4 hint. */
  severity: optionalKey(Finite),
  code: optionalKey(Union([Str, Finite])),
  source: optionalKey(Str)
})
export type Diagnostic = typeof Diagnostic.Type

export const PublishedParams = Struct({ uri: Str, version: optionalKey(NullOr(Finite)), diagnostics: List(Unknown) })

export interface DocumentSymbol {
  readonly name: string
  readonly kind: number
  readonly selectionRange: Range
  readonly children?: ReadonlyArray<DocumentSymbol>
}
const DocumentSymbol: Schema.Codec<DocumentSymbol> = Struct({
  name: Str,
  kind: Finite,
  selectionRange: Range,
  children: optionalKey(List(suspend((): Schema.Codec<DocumentSymbol> => DocumentSymbol)))
})

export const SymbolInformation = Struct({
  name: Str,
  kind: Finite,
  containerName: optionalKey(NullOr(Str)),
  location: Struct({ uri: Str, range: optionalKey(Range) })
})
export type SymbolInformation = typeof SymbolInformation.Type

const Marked = Union([
  Str,
  Struct({ value: Str, language: optionalKey(Str), kind: optionalKey(Literals(["plaintext", "markdown"])) })
])
const Hover = Struct({ contents: Union([Marked, List(Marked)]) })

const items = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]

/** What does not fit is left out. */
const decodeAll = <A>(schema: Schema.Codec<A, unknown>, value: unknown): ReadonlyArray<A> => {
  const decode = Schema.decodeUnknownOption(schema)
  return items(value).flatMap((item) => Option.toArray(decode(item)))
}

/** Of `textDocument/definition` and `textDocument/references`. */
export const placesOf = (value: unknown): ReadonlyArray<Place> =>
  items(value).flatMap((item): ReadonlyArray<Place> => {
    const location = Schema.decodeUnknownOption(Location)(item)
    if (Option.isSome(location)) return [location.value]
    const link = Schema.decodeUnknownOption(LocationLink)(item)
    return Option.isSome(link) ? [{ uri: link.value.targetUri, range: link.value.targetSelectionRange }] : []
  })

export const diagnosticsOf = (value: unknown): ReadonlyArray<Diagnostic> => decodeAll(Diagnostic, value)

export const documentSymbolsOf = (value: unknown): ReadonlyArray<DocumentSymbol> => decodeAll(DocumentSymbol, value)

export const symbolInformationOf = (value: unknown): ReadonlyArray<SymbolInformation> =>
  decodeAll(SymbolInformation, value)

/** Empty where there is nothing to show. */
export const hoverText = (value: unknown): string => {
  const hover = Schema.decodeUnknownOption(Hover)(value)
  if (Option.isNone(hover)) return ""
  const parts: ReadonlyArray<typeof Marked.Type> = Array.isArray(hover.value.contents)
    ? hover.value.contents
    : [hover.value.contents]
  return parts
    .map((part) => (typeof part === "string" ? part : part.value))
    .join("\n\n")
    .trim()
}
