/**
 * Brace expansion, `{a,b}` and `{1..3}`, of words that hold no other expansion (field case C10): an option or a guarded name
 * can stand in parts (`-del{ete,}`, `{.env,a}`). Quoted braces stay what they are. Pure.
 */

const BASE = 0xf700
const ACTIVE = /[{},.*?[\]\\]/g
const MARKS = /[\uf700-\uf77f]/g

/** Words one word may become before it counts as unknown. */
const MOST = 128
/** Finding the end of each brace is quadratic in the worst case. */
const LONGEST = 2_000

/** A quoted character stands as a private one, so that it is not taken for an active one. */
const protect = (text: string): string =>
  text.replace(ACTIVE, (character) => String.fromCharCode(BASE + character.charCodeAt(0)))

const plainly = (marked: string): string =>
  marked.replace(MARKS, (mark) => String.fromCharCode(mark.charCodeAt(0) - BASE))

export interface Alternative {
  /** De-quoted. */
  readonly value: string
  /** Active glob characters in it as `ONE`/`RUN` of `words.ts` would be: the text with quoted ones protected. */
  readonly isGlob: boolean
}

/** The words that `source` becomes; undefined where that cannot be told: expansions inside, or too many. */
export const expandBraces = (source: string): ReadonlyArray<Alternative> | undefined => {
  if (source.length > LONGEST || /[$`]|[\uf700-\uf77f]|[<>]\(/.test(source)) return undefined
  const done: Array<string> = []
  const waiting = [withoutQuotes(source)]
  while (waiting.length > 0) {
    const one = waiting.pop() ?? ""
    const group = findGroup(one)
    if (group === "odd") return undefined
    if (group === undefined) done.push(one)
    else for (const part of group.parts.toReversed()) waiting.push(group.before + part + group.after)
    if (done.length + waiting.length > MOST) return undefined
  }
  return done.map((marked) => ({ value: plainly(marked), isGlob: /[*?]|\[[^\]]+\]/.test(marked) }))
}

const withoutQuotes = (source: string): string => {
  let marked = ""
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? ""
    if (character === "\\") {
      const next = source[++at] ?? ""
      if (next !== "\n") marked += protect(next)
    } else if (character === "'") {
      const end = source.indexOf("'", at + 1)
      marked += protect(source.slice(at + 1, end === -1 ? undefined : end))
      at = end === -1 ? source.length : end
    } else if (character === '"') {
      let inside = ""
      for (at++; at < source.length && source[at] !== '"'; at++) {
        // Without expansions, a backslash protects only these two and a line end.
        if (source[at] === "\\" && /["\\\n]/.test(source[at + 1] ?? "")) {
          at++
          if (source[at] === "\n") continue
        }
        inside += source[at] ?? ""
      }
      marked += protect(inside)
    } else marked += character
  }
  return marked
}

interface Group {
  readonly before: string
  readonly parts: ReadonlyArray<string>
  readonly after: string
}

/** `odd`: Bash drops braces around what is almost a sequence; that is not followed. */
const findGroup = (marked: string): Group | "odd" | undefined => {
  for (let open = marked.indexOf("{"); open !== -1; open = marked.indexOf("{", open + 1)) {
    const parts: Array<string> = []
    let depth = 0
    let from = open + 1
    for (let at = open; at < marked.length; at++) {
      const character = marked[at]
      if (character === "{") depth++
      else if (character === "," && depth === 1) {
        parts.push(marked.slice(from, at))
        from = at + 1
      } else if (character === "}" && --depth === 0) {
        parts.push(marked.slice(from, at))
        const [before, after] = [marked.slice(0, open), marked.slice(at + 1)]
        if (parts.length > 1) return { before, parts, after }
        const sequence = expandSequence(parts[0] ?? "")
        if (sequence !== undefined) return { before, parts: sequence, after }
        if (/\.[\uf72e.]|\uf72e\./.test(parts[0] ?? "")) return "odd"
        break
      }
    }
  }
  return undefined
}

const expandSequence = (body: string): ReadonlyArray<string> | undefined => {
  const [, first = "", last = "", by = "1"] =
    /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(body) ?? []
  const isNumber = /\d$/.test(first)
  if (first === "" || isNumber !== /\d$/.test(last)) return undefined
  const code = (text: string): number => (isNumber ? Number(text) : text.charCodeAt(0))
  const step = Math.max(1, Math.abs(Number(by)))
  const [from, to] = [code(first), code(last)]
  const count = Math.min(MOST + 1, Math.floor(Math.abs(to - from) / step) + 1)
  // A leading zero sets the width of all.
  const isPadded = isNumber && [first, last].some((text) => /^-?0\d/.test(text))
  const width = isPadded ? Math.max(first.length, last.length) : 0
  return Array.from({ length: count }, (_, index) => {
    const value = from + (to < from ? -1 : 1) * step * index
    if (!isNumber) return String.fromCharCode(value)
    return value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0")
  })
}
