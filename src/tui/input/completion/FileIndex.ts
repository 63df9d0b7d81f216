/**
 * The paths of a project for `@` (spec 07 "Input"): files and the folders they are in, searched by a few letters. A key
 * in 100 000 paths takes some milliseconds, because a longer query is looked for only where the shorter one was.
 */
import { Best, LONGEST_QUERY, lowerCase, maskOf, score, targetOf, type Target } from "./fuzzy.ts"

export class FileIndex {
  readonly #targets: Array<Target> = []
  readonly #folders = new Set<string>()
  /** By the first letter of the last name. */
  readonly #byInitial = new Map<string, Array<Target>>()
  /** The last query, and the targets that held its letters. */
  #last: { readonly query: string; readonly found: ReadonlyArray<Target> } | undefined

  get size(): number {
    return this.#targets.length
  }

  /** Takes paths of files, relative and with `/`; in parts, so that a large project does not hold up the keys. */
  add(files: ReadonlyArray<string>): void {
    this.#last = undefined
    for (const file of files) {
      this.#addFolders(file)
      this.#addTarget(file)
    }
  }

  #addFolders(file: string): void {
    for (let slash = file.lastIndexOf("/"); slash > 0; slash = file.lastIndexOf("/", slash - 1)) {
      const folder = file.slice(0, slash + 1)
      if (this.#folders.has(folder)) return
      this.#folders.add(folder)
      this.#addTarget(folder)
    }
  }

  #addTarget(path: string): void {
    const target = targetOf(path)
    this.#targets.push(target)
    const initial = target.lower.charAt(target.base)
    const same = this.#byInitial.get(initial)
    if (same === undefined) this.#byInitial.set(initial, [target])
    else same.push(target)
  }

  /** `path` ends with `/`. */
  hasFolder(path: string): boolean {
    return this.#folders.has(path)
  }

  /** Best first; folders end with `/`. Without a query, or behind `/`, what is directly in the folder. */
  search(query: string, most: number): ReadonlyArray<Target> {
    const steps = this.searching(query, most)
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
    }
  }

  /** The same in steps of some milliseconds. */
  *searching(query: string, most: number): Steps<ReadonlyArray<Target>> {
    if (query === "" || (query.endsWith("/") && this.#folders.has(query))) return this.#children(query, most)
    const lower = lowerCase(query.slice(0, LONGEST_QUERY))
    const near = yield* this.#nearest(query, lower, most)
    if (near.length === most) return near
    const last = this.#last
    const among = last !== undefined && lower.startsWith(last.query) ? last.found : this.#targets
    const { best, found } = yield* rank(among, query, lower, most)
    this.#last = { query: lower, found }
    return best
  }

  /**
   * One or two letters fit most of 100 000 paths somewhere, and that helps nobody: names that begin with the one, or hold the
   * two, come first anyway.
   */
  *#nearest(query: string, lower: string, most: number): Steps<ReadonlyArray<Target>> {
    if (lower.length > 2 || lower.includes("/")) return []
    const among = lower.length === 1 ? (this.#byInitial.get(lower) ?? []) : this.#targets
    return (yield* rank(among, query, lower, most, (target) => target.lower.includes(lower, target.base))).best
  }

  /** By name, folders first. */
  #children(folder: string, most: number): ReadonlyArray<Target> {
    const inside = this.#targets.filter(
      ({ base, text }) => base === folder.length && text.length > folder.length && text.startsWith(folder)
    )
    return inside.sort((a, b) => Number(b.text.endsWith("/")) - Number(a.text.endsWith("/"))).slice(0, most)
  }
}

/** Work that may be left for a while at each `yield`. */
type Steps<A> = Generator<undefined, A, undefined>

/** Paths rated in one step. */
const IN_ONE_STEP = 10_000

function* rank(
  targets: ReadonlyArray<Target>,
  query: string,
  lower: string,
  most: number,
  isWanted: (target: Target) => boolean = () => true
): Steps<{ readonly best: ReadonlyArray<Target>; readonly found: ReadonlyArray<Target> }> {
  const mask = maskOf(lower)
  const best = new Best<Target>(most)
  const found: Array<Target> = []
  let rated = 0
  for (const target of targets) {
    if ((target.mask & mask) !== mask || !isWanted(target)) continue
    if (++rated % IN_ONE_STEP === 0) yield
    const points = score(target, query, lower)
    if (points === Number.NEGATIVE_INFINITY) continue
    found.push(target)
    best.add(target, points)
  }
  return { best: best.items, found }
}
