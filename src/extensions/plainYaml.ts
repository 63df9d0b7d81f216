/**
 * Reads the plain part of YAML that nearly all front matter is written in: one-line texts, quoted texts, simple lists,
 * folded blocks. The YAML library takes 30 ms for its first document, which every start would pay; what is not plain goes
 * to it. Pure. Agrees with the library on everything it reads (property test).
 */

export interface PlainField {
  readonly value: unknown
  /** From 1, within the text given. */
  readonly line: number
}

/** Undefined: not plain, or wrong; ask the library. Keys of the result are as written. */
export const readPlainYaml = (yaml: string): ReadonlyMap<string, PlainField> | undefined => {
  const lines = yaml.split("\n")
  const fields = new Map<string, PlainField>()
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ""
    if (line === "" || line.startsWith("#")) {
      at++
      continue
    }
    const parts = /^([A-Za-z][\w-]*):(?: +(.*?))? *$/.exec(line)
    const key = parts?.[1]
    if (key === undefined || fields.has(key)) return undefined
    const first = parts?.[2] ?? ""
    const below = blockBelow(lines, at + 1)
    const value = readValue(first, below)
    if (value === undefined) return undefined
    fields.set(key, { value: value.is, line: at + 1 })
    at += 1 + below.length
  }
  return fields
}

/** The lines that belong to the key above: indented ones, and items of a list at its own level. */
const blockBelow = (lines: ReadonlyArray<string>, from: number): ReadonlyArray<string> => {
  let to = from
  while (to < lines.length && /^ +\S|^- /.test(lines[to] ?? "")) to++
  return lines.slice(from, to)
}

type Value = { readonly is: unknown } | undefined

const readValue = (first: string, below: ReadonlyArray<string>): Value => {
  if (/^[|>]-?$/.test(first)) return readBlock(first, below)
  if (first === "") return below.length === 0 ? undefined : (readList(below) ?? readMap(below))
  if (below.length === 0) return readScalar(first) ?? readFlowList(first)
  // A plain text that goes on below.
  const lines = [first, ...below.map((line) => line.trim())]
  if (!lines.every((line) => isPlainText(line) && /^[A-Za-z]/.test(line))) return undefined
  return { is: lines.join(" ") }
}

/** `>`, `>-`, `|`, `|-` over lines of one indentation without empty ones. */
const readBlock = (style: string, below: ReadonlyArray<string>): Value => {
  const indent = /^ +/.exec(below[0] ?? "")?.[0]
  if (indent === undefined) return undefined
  const texts = below.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : " "))
  if (!texts.every((text) => /^\S(?:.*\S)?$/.test(text) && !text.includes("\t"))) return undefined
  return { is: texts.join(style.startsWith(">") ? " " : "\n") + (style.endsWith("-") ? "" : "\n") }
}

const readList = (below: ReadonlyArray<string>): Value => {
  const indent = /^ */.exec(below[0] ?? "")?.[0] ?? ""
  const items: Array<unknown> = []
  for (const line of below) {
    if (!line.startsWith(`${indent}- `)) return undefined
    const item = readScalar(line.slice(indent.length + 2).trim())
    if (item === undefined) return undefined
    items.push(item.is)
  }
  return { is: items }
}

/** One-line values of one indentation, as in `metadata`. */
const readMap = (below: ReadonlyArray<string>): Value => {
  const indent = /^ +/.exec(below[0] ?? "")?.[0]
  if (indent === undefined) return undefined
  const map: Record<string, unknown> = {}
  for (const line of below) {
    const parts = /^([A-Za-z][\w-]*): +(.*?) *$/.exec(line.startsWith(indent) ? line.slice(indent.length) : "")
    const key = parts?.[1]
    const value = readScalar(parts?.[2] ?? "")
    if (key === undefined || value === undefined || Object.hasOwn(map, key)) return undefined
    map[key] = value.is
  }
  return { is: map }
}

/** `[a, "b c"]` */
const readFlowList = (source: string): Value => {
  const inner = /^\[(.*)\]$/.exec(source)?.[1]
  if (inner === undefined || /[[\]{}]/.test(inner)) return undefined
  if (inner.trim() === "") return { is: [] }
  const items: Array<unknown> = []
  for (const part of inner.split(",")) {
    const item = readScalar(part.trim())
    if (item === undefined) return undefined
    items.push(item.is)
  }
  return { is: items }
}

const readScalar = (source: string): Value => {
  const single = /^'([^'\\]*)'$/.exec(source)?.[1] ?? /^"([^"\\]*)"$/.exec(source)?.[1]
  if (single !== undefined) return { is: single }
  if (/^(?:true|false)$/.test(source)) return { is: source === "true" }
  if (/^(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/.test(source)) return { is: Number(source) }
  return isPlainText(source) && !/^(?:null|true|false|y|n|yes|no|on|off)$/i.test(source) ? { is: source } : undefined
}

/** Begins with a letter or digit that cannot begin a number, and holds nothing that means something to YAML. */
const isPlainText = (source: string): boolean =>
  /^[\p{L}][^\t]*$/u.test(source) && !/: |:$| #|^---|^\.\.\.|[[\]{}\u0000-\u001f\u007f-\u009f\ufeff]/.test(source)
