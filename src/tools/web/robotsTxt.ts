/**
 * `robots.txt` (RFC 9309). Pure: what a file says about a path. Linear in file and path.
 */

export interface RobotsRule {
  readonly allow: boolean
  readonly pattern: string
}

/** Bytes of a file that are read; the RFC asks for at least 500 KiB. */
export const ROBOTS_MAX_BYTES = 512 * 1024

/**
 * Rules for `agent`: those of every group that names it, else those of `*`. Names are compared without case; a longer
 * name in the file than ours is another agent.
 */
export const parseRobots = (source: string, agent: string): ReadonlyArray<RobotsRule> => {
  const own: Array<RobotsRule> = []
  const everyone: Array<RobotsRule> = []
  let named = false
  let targets: Array<Array<RobotsRule>> = []
  let inAgents = false
  for (const line of source.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    const bare = line.slice(0, indexOr(line.indexOf("#"), line.length))
    const colon = bare.indexOf(":")
    if (colon === -1) continue
    const key = bare.slice(0, colon).trim().toLowerCase()
    const value = bare.slice(colon + 1).trim()
    if (key === "user-agent") {
      if (!inAgents) targets = []
      inAgents = true
      if (value === "*") targets.push(everyone)
      else if (product(value) === agent) {
        named = true
        targets.push(own)
      }
    } else if (key === "allow" || key === "disallow") {
      inAgents = false
      if (value !== "") for (const target of targets) target.push({ allow: key === "allow", pattern: normalise(value) })
    }
  }
  return named ? own : everyone
}

/** The longest pattern that matches decides, `Allow` wins a tie, no match allows. `path` has its query. */
export const robotsAllow = (rules: ReadonlyArray<RobotsRule>, path: string): boolean => {
  const target = normalise(path)
  if (target === "/robots.txt") return true
  let best: RobotsRule | undefined
  for (const rule of rules) {
    const longer = best === undefined || rule.pattern.length > best.pattern.length
    const tie = best !== undefined && rule.pattern.length === best.pattern.length && rule.allow
    if ((longer || tie) && matches(rule.pattern, target)) best = rule
  }
  return best?.allow ?? true
}

const product = (value: string): string => (/^[a-z_-]+/i.exec(value)?.[0] ?? "").toLowerCase()

const indexOr = (index: number, otherwise: number): number => (index === -1 ? otherwise : index)

/** One spelling for what may be percent-encoded or not: unreserved characters bare, the rest encoded, hex in upper case. */
const normalise = (path: string): string => {
  const bare = path.replace(/%([0-9a-f]{2})/gi, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : whole.toUpperCase()
  })
  return bare.replace(/[^\x21-\x7e]+/g, (run) => encodeURI(run.toWellFormed()))
}

/** `*` stands for any run of characters, a `$` at the end for the end. Each piece is searched once, from left to right. */
const matches = (pattern: string, path: string): boolean => {
  const anchored = pattern.endsWith("$")
  const [first = "", ...rest] = (anchored ? pattern.slice(0, -1) : pattern).split("*")
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = rest.pop()
  if (last === undefined) return !anchored || at === path.length
  for (const piece of rest) {
    const found = path.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return anchored ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1
}
