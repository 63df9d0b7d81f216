/**
 * What of a project's `.maia` needs trust, as one digest per part: `settings.json`, `tools/format`, `skills/review` (spec
 * 03). Pure: it is given what was found.
 */
import { createHash } from "node:crypto"
import { parseTree, type Node, type ParseError } from "jsonc-parser"

export interface FoundFile {
  /** Below `.maia`, with `/`. */
  readonly path: string
  /** `link`: only where the link leads; `other`: neither file nor folder, never opened. */
  readonly kind: "file" | "executable" | "link" | "other"
  /** Of a file its bytes, of a link its target as written. */
  readonly content: string | Uint8Array
}

/** Digest by part. */
export type Parts = ReadonlyMap<string, string>

/** Names right below `.maia` that are maia's own, or hold nothing that runs or allows. */
const OWN = new Set([
  ".sessions",
  ".checkpoints",
  ".gitignore",
  "config.json",
  "settings.local.json",
  "settings.json.new",
  ".DS_Store"
])

/** Whether this name right below `.maia` is left out. Everything else counts: new kinds of extensions need no new line here. */
export const isLeftOut = (name: string): boolean => OWN.has(name) || name.startsWith("settings.json.lock")

/** Settings of a project that only concern how maia works, and rules that can only stop something. */
const HARMLESS = new Set([
  "$schema",
  "model",
  "language",
  "maxIterations",
  "MaxOutputTokens",
  "models",
  "compaction",
  "branchSummary",
  "pruning",
  "checkpoints",
  // Where skills are looked for: each of them needs trust itself.
  "skills"
])
const HARMLESS_RULES = new Set(["permissions.ask", "permissions.deny", "ask", "deny"])

/**
 * Whether a settings text has nothing that needs trust. Every key counts, also one that comes twice; what cannot be read
 * needs trust.
 */
export const isHarmlessSettings = (source: string): boolean => {
  const errors: Array<ParseError> = []
  const root = parseTree(source.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true })
  if (errors.length > 0 || root?.type !== "object") return source.trim() === ""
  return members(root).every(([name, value]) => {
    if (name !== "permissions") return HARMLESS.has(name)
    return value?.type === "object" && members(value).every(([list]) => HARMLESS_RULES.has(list))
  })
}

const members = (node: Node): ReadonlyArray<readonly [name: string, value: Node | undefined]> =>
  (node.children ?? []).map((property) => [String(property.children?.[0]?.value), property.children?.[1]])

const SETTINGS = "settings.json"

/** Digests of everything that needs trust; the order of `files` does not matter. */
export const digestParts = (files: ReadonlyArray<FoundFile>): Parts => {
  const lines = new Map<string, Array<string>>()
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (file.path === SETTINGS && isHarmlessFile(file)) continue
    const part = partOf(file.path)
    const known = lines.get(part)
    const line = JSON.stringify([file.path, file.kind, sha256(file.content)])
    if (known === undefined) lines.set(part, [line])
    else known.push(line)
  }
  return new Map([...lines].map(([part, own]) => [part, sha256(own.join("\n"))]))
}

/** `tools/format`; of skills outside `.maia` `../.claude/skills/review`. */
const partOf = (path: string): string => {
  const names = path.split("/")
  const outside = names.findIndex((name) => name !== "..")
  return names.slice(0, outside === 0 ? 2 : outside + 3).join("/")
}

const isHarmlessFile = ({ kind, content }: FoundFile): boolean =>
  (kind === "file" || kind === "executable") &&
  isHarmlessSettings(typeof content === "string" ? content : new TextDecoder().decode(content))

/** Digest of one plain file as a part of its own; undefined where it is missing or needs no trust. */
export const digestFile = (path: string, content: string | undefined): string | undefined =>
  content === undefined ? undefined : digestParts([{ path, kind: "file", content }]).get(path)

const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex")

export interface PartState {
  readonly name: string
  /** Compared with what was trusted. */
  readonly state: "new" | "changed" | "known"
}

/** What became of each part since it was trusted. Parts that are gone ask for nothing. */
export const compareParts = (found: Parts, trusted: Parts | undefined): ReadonlyArray<PartState> =>
  [...found].map(([name, digest]) => {
    const before = trusted?.get(name)
    return { name, state: before === undefined ? "new" : before === digest ? "known" : "changed" }
  })
