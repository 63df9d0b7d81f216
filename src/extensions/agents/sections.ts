/**
 * Finds the three sections of an `AGENT.md` by their Markdown titles (MAIA §20.1): any level, case and accents ignored;
 * titles inside code blocks are no titles. Pure.
 */

export type SectionName = "instructions" | "missions" | "output"

/** As they are asked for where one is missing. */
export const SECTION_TITLES: Readonly<Record<SectionName, string>> = {
  instructions: "Instructions system",
  missions: "Missions",
  output: "Output"
}

export interface Sections {
  /** Text below the title, trimmed; absent where there is no such title. */
  readonly found: Partial<Readonly<Record<SectionName, string>>>
  /** Titles that came a second time, with their line (from 1); what stands below them does not count. */
  readonly repeated: ReadonlyArray<{ readonly name: SectionName; readonly line: number }>
}

export const findSections = (body: string): Sections => {
  const lines = body.split("\n")
  const found: Partial<Record<SectionName, string>> = {}
  const repeated: Array<{ name: SectionName; line: number }> = []
  let open: { readonly name: SectionName; readonly level: number; readonly from: number } | undefined
  const close = (to: number): void => {
    if (open !== undefined && found[open.name] === undefined)
      found[open.name] = lines.slice(open.from, to).join("\n").trim()
    open = undefined
  }
  for (const { at, level, title } of titles(lines)) {
    const name = sectionOf(title)
    const startsSection = name !== undefined && (open === undefined || name !== open.name || level <= open.level)
    if (!startsSection) {
      if (open !== undefined && level <= open.level) close(at)
      continue
    }
    close(at)
    if (found[name] !== undefined) repeated.push({ name, line: at + 1 })
    open = { name, level, from: at + 1 }
  }
  close(lines.length)
  return { found, repeated }
}

interface Title {
  /** Index of its line. */
  readonly at: number
  readonly level: number
  readonly title: string
}

function* titles(lines: ReadonlyArray<string>): Generator<Title> {
  let fence: string | undefined
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line)
    const [, ticks = "", behind = ""] = mark ?? []
    if (fence !== undefined) {
      if (ticks.startsWith(fence) && behind.trim() === "") fence = undefined
      continue
    }
    if (mark !== null && !(ticks.startsWith("`") && behind.includes("`"))) {
      fence = ticks
      continue
    }
    const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(line)
    if (heading !== null) yield { at, level: (heading[1] ?? "").length, title: heading[2] ?? "" }
  }
}

const sectionOf = (title: string): SectionName | undefined => {
  const plain = title
    .normalize("NFD")
    .replaceAll(/[\p{M}*_`]/gu, "")
    .replace(/\s*:\s*$/, "")
    .trim()
    .replaceAll(/\s+/g, " ")
    .toLowerCase()
  if (plain === "instructions system" || plain === "instructions systeme") return "instructions"
  return plain === "missions" || plain === "output" ? plain : undefined
}
