/**
 * Lines of a session file, written and read (spec 04). Reading saves what can be saved of a damaged file: it never fails, and
 * says what it found. Pure: bytes in, entries out.
 */
import { Predicate } from "effect"
import { SESSION_VERSION, type SessionHeader } from "../domain/entry.ts"
import { text, type Text } from "../domain/text.ts"
import { MALFORMED, toEntry, type AnyEntry } from "./checkEntry.ts"
import { SessionTree } from "./SessionTree.ts"

type Fields = Readonly<Record<string, unknown>>

/** A half surrogate as JSON writes it. An escaped backslash before it is a false alarm that costs one walk. */
const HALF_SURROGATE = /\\u[dD][89a-fA-F]/

/** The value with every half surrogate replaced by U+FFFD. */
const wellFormed = (value: unknown): unknown => {
  if (Predicate.isString(value)) return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key.toWellFormed(), wellFormed(field)]))
}

/** The object as one line with its newline, and the object as a reader of that line will see it. */
export const encodeLine = <A extends object>(value: A): { readonly line: string; readonly value: A } => {
  const line = JSON.stringify(value)
  if (!HALF_SURROGATE.test(line)) return { line: `${line}\n`, value }
  // Only characters inside strings change, so it is the same type.
  const repaired = wellFormed(value) as A
  return { line: `${JSON.stringify(repaired)}\n`, value: repaired }
}

/** The entry's line; what could not be understood is written as it was found. */
export const encodeEntry = (entry: AnyEntry): { readonly line: string; readonly value: AnyEntry } => {
  if (entry.type !== MALFORMED || !("original" in entry)) return encodeLine(entry)
  const original = entry["original"]
  if (!Predicate.isObject(original)) return encodeLine(entry)
  return { line: encodeLine({ ...original, parentId: entry.parentId }).line, value: entry }
}

export interface LoadedSession {
  readonly header: SessionHeader
  readonly tree: SessionTree
  /** Written by a newer version: it may be read, not continued in place. */
  readonly isNewer: boolean
  /** Bytes up to the end of the last whole line. */
  readonly goodBytes: number
  /** The last whole line lacks its newline. */
  readonly lacksNewline: boolean
  /** What follows `goodBytes`: the beginning of a line that was never finished. */
  readonly torn: Uint8Array | undefined
  readonly warnings: ReadonlyArray<Text>
}

const parseObject = (line: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    if (!Predicate.isObject(value)) return undefined
    // An object that JSON.parse made has string keys only.
    const fields = value as Fields
    // The same: repairing changes strings and nothing else.
    return HALF_SURROGATE.test(line) ? (wellFormed(fields) as Fields) : fields
  } catch {
    return undefined
  }
}

/** How every line of ours begins, header or entry. */
const LINE_START = /\{"(?:id|type)":"/g

/** The whole line at the end of a damaged one (a write that was glued behind a torn one). */
const parseGlued = (line: string): Fields | undefined => {
  let tries = 0
  for (const match of line.matchAll(LINE_START)) {
    if (match.index === 0) continue
    if (++tries > 8) return undefined
    const fields = parseObject(line.slice(match.index))
    if (fields !== undefined && Predicate.isString(fields["type"]) && Predicate.isString(fields["id"])) return fields
  }
  return undefined
}

const toHeader = (fields: Fields): SessionHeader | undefined => {
  const { type, id, time, cwd, version } = fields
  if (type !== "header" || !Predicate.isString(id)) return undefined
  return {
    // Fields that this version does not know stay with it.
    ...fields,
    type,
    version: typeof version === "number" ? version : SESSION_VERSION,
    id,
    time: Predicate.isString(time) ? time : "",
    cwd: Predicate.isString(cwd) ? cwd : ""
  }
}

/** Reads lines one after the other into a tree. */
class Reader {
  header: SessionHeader | undefined
  tree: SessionTree | undefined
  skipped = 0
  nuls = 0
  glued = 0
  duplicates = 0
  malformed = 0
  orphans = 0
  private readonly renamed = new Map<string, string>()
  private lastTime = ""

  private readonly fallback: SessionHeader

  constructor(fallback: SessionHeader) {
    this.fallback = fallback
  }

  /** `true` when something of the line was kept. */
  line(line: string): boolean {
    if (!line.includes("\u0000")) return this.piece(line)
    this.nuls++
    let kept = false
    for (const piece of line.split(/\u0000+/)) if (piece.trim() !== "") kept = this.piece(piece) || kept
    return kept
  }

  private piece(line: string): boolean {
    const fields = parseObject(line)
    if (fields !== undefined && this.object(fields)) return true
    const glued = fields === undefined ? parseGlued(line) : undefined
    if (glued !== undefined && this.object(glued)) {
      this.glued++
      return true
    }
    return false
  }

  private object(fields: Fields): boolean {
    const { id, type, time } = fields
    if (!Predicate.isString(type) || !Predicate.isString(id) || id === "") return false
    if (this.tree === undefined) {
      const header = toHeader(fields)
      this.header = header ?? this.fallback
      this.tree = new SessionTree(this.header)
      if (header !== undefined) return true
    } else if (type === "header") return false
    if (Predicate.isString(time)) this.lastTime = time
    const parentId = this.parentOf(this.tree, fields["parentId"])
    const entry = toEntry(fields, { id, parentId, time: this.lastTime, type })
    if (entry.type === MALFORMED) this.malformed++
    const twin = this.tree.get(id)
    if (twin === undefined) {
      this.tree.add(entry)
      return true
    }
    this.duplicates++
    // The same line twice is a write that was tried again.
    if (JSON.stringify(twin) === JSON.stringify(entry)) return true
    let free = 2
    while (this.tree.has(`${id}~${free}`)) free++
    this.renamed.set(id, `${id}~${free}`)
    this.tree.add({ ...entry, id: `${id}~${free}` })
    return true
  }

  /** Children of a lost entry follow the line before them. */
  private parentOf(tree: SessionTree, parentId: unknown): string {
    if (parentId === tree.rootId) return parentId
    if (Predicate.isString(parentId)) {
      const known = this.renamed.get(parentId) ?? parentId
      if (tree.has(known)) return known
    }
    this.orphans++
    return tree.parentForNext
  }
}

const describe = (reader: Reader): ReadonlyArray<Text> => {
  const warnings: Array<Text> = []
  const lost = reader.skipped + reader.malformed
  if (lost > 0) {
    warnings.push(
      text(
        `${lost} line(s) of the session could not be read and were skipped.`,
        `${lost} ligne(s) de la session illisible(s), ignorée(s).`
      )
    )
  }
  if (reader.nuls > 0 || reader.glued > 0) {
    warnings.push(
      text(
        "The session file was damaged; what could be read was saved.",
        "Le fichier de session était abîmé ; ce qui se lisait a été sauvé."
      )
    )
  }
  if (reader.orphans > 0 && lost === 0 && reader.nuls === 0 && reader.glued === 0) {
    warnings.push(
      text(
        `${reader.orphans} line(s) of the session followed one that is missing; they were attached to the line before.`,
        `${reader.orphans} ligne(s) de la session suivaient une ligne absente ; elles sont rattachées à la précédente.`
      )
    )
  }
  return warnings
}

const NEWLINE = 10

/**
 * Reads a session file. `fallback` stands in for a header that is missing. An unfinished last line is not counted as damage
 * here: whoever owns the file sets it aside and says so.
 */
export const decodeSession = (bytes: Uint8Array, fallback: SessionHeader): LoadedSession => {
  const decoder = new TextDecoder()
  const reader = new Reader(fallback)
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let goodBytes = start
  let lacksNewline = false
  let torn: Uint8Array | undefined
  while (start < bytes.length) {
    const found = bytes.indexOf(NEWLINE, start)
    const end = found < 0 ? bytes.length : found
    const line = decoder.decode(bytes.subarray(start, end))
    const kept = line.trim() === "" || reader.line(line)
    if (found < 0 && !kept) {
      torn = bytes.slice(start)
      break
    }
    if (!kept) reader.skipped++
    lacksNewline = found < 0
    start = end + 1
    goodBytes = Math.min(start, bytes.length)
  }
  const header = reader.header ?? fallback
  const tree = reader.tree ?? new SessionTree(header)
  if (reader.header === undefined && bytes.length > 0) {
    // Not one line of it is a session's: all is set aside, and the file begins anew.
    torn = bytes
    goodBytes = 0
  }
  return {
    header,
    tree,
    isNewer: header.version > SESSION_VERSION,
    goodBytes,
    lacksNewline,
    torn,
    warnings: describe(reader)
  }
}
