/**
 * Where a rule looks (spec 05): reads `text`, `thinking`, `tool`, `tool:Edit` and `tool:Edit(*.ts)`, and matches a path
 * with a file pattern. Pure.
 */
import type { RuleScope } from "./rule.ts"

export const DEFAULT_SCOPES: ReadonlyArray<RuleScope> = [{ kind: "text" }, { kind: "tool" }]

/** Undefined where it is none of the forms. */
export const parseScope = (written: string): RuleScope | undefined => {
  const scope = written.trim()
  if (scope === "text" || scope === "thinking" || scope === "tool") return { kind: scope }
  const parts = /^tool:([\w.-]+|\*)(?:\(([^()]+)\))?$/.exec(scope)
  if (parts === null) return undefined
  const [, tool, files] = parts
  return {
    kind: "tool",
    ...(tool === undefined || tool === "*" ? {} : { tool }),
    ...(files === undefined || files === "*" || files === "**" ? {} : { files: files.trim() })
  }
}

export const formatScope = (scope: RuleScope): string => {
  if (scope.kind !== "tool") return scope.kind
  const files = scope.files === undefined ? "" : `(${scope.files})`
  return scope.tool === undefined && files === "" ? "tool" : `tool:${scope.tool ?? "*"}${files}`
}

/** Longest path that is matched, in UTF-16 units. */
export const LONGEST_PATH = 4096
/** Most alternatives that braces may stand for. */
const MOST_ALTERNATIVES = 100

/**
 * Whether `path` is one of `pattern`'s files. A pattern without a slash is about the file's name, in any folder; else about
 * the path from the launch folder. `*` stays within a name, `**` does not, `?` is one character, `{a,b}` is either.
 */
export const matchesFiles = (pattern: string, path: string, launchFolder: string): boolean => {
  const wanted = pattern.replace(/^\.?\//, "")
  const relative = fromFolder(path.replaceAll("\\", "/"), launchFolder.replaceAll("\\", "/"))
  const subject = wanted.includes("/") || pattern.startsWith("/") ? relative : (relative.split("/").at(-1) ?? "")
  return alternatives(wanted).some((alternative) => matchesGlob(alternative, subject))
}

const fromFolder = (path: string, folder: string): string => {
  const base = folder.endsWith("/") ? folder : `${folder}/`
  return (path.startsWith(base) ? path.slice(base.length) : path).replace(/^(?:\.\/)+/, "")
}

const alternatives = (pattern: string): ReadonlyArray<string> => {
  const braces = /\{([^{}]*)\}/.exec(pattern)
  if (braces === null) return [pattern]
  const [whole, inside = ""] = braces
  const before = pattern.slice(0, braces.index)
  const after = pattern.slice(braces.index + whole.length)
  const all: Array<string> = []
  for (const choice of inside.split(",")) {
    all.push(...alternatives(before + choice + after))
    if (all.length >= MOST_ALTERNATIVES) break
  }
  return all
}

/** Position by position, so that no pattern is slow: at most its length times the text's. */
const matchesGlob = (pattern: string, text: string): boolean => {
  const tokens = pattern.match(/\*\*\/|\*\*|\*|[\s\S]/g) ?? []
  let reached: ReadonlyArray<boolean> = [true, ...Array.from({ length: text.length }, () => false)]
  for (const token of tokens) {
    const after = Array.from({ length: text.length + 1 }, () => false)
    let open = false
    for (let at = 0; at <= text.length; at++) {
      const here = reached[at] === true
      if (token === "**/") {
        open ||= here
        after[at] = here || (open && at > 0 && text[at - 1] === "/")
      } else if (token === "**") {
        open ||= here
        after[at] = open
      } else if (token === "*") {
        open = here || (open && text[at - 1] !== "/")
        after[at] = open
      } else if (at < text.length && here && (token === "?" ? text[at] !== "/" : token === text[at])) {
        after[at + 1] = true
      }
    }
    reached = after
  }
  return reached[text.length] === true
}
