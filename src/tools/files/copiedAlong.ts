/**
 * What models copy along with a text (spec 02, Edit; fixed point 6): Read's line numbers and HTML escapes. Tried only where
 * the strict passes failed. Pure.
 */
import type { EditRequest } from "./applyEdits.ts"

/** The edit without them, most likely form first; empty where it has none. */
export const withoutCopied = (edit: EditRequest): ReadonlyArray<EditRequest> => {
  const tried: Array<EditRequest> = []
  const old = withoutLineNumbers(edit.old)
  // Lines that were added have no number: each line of "new" is looked at for itself.
  const plain = old === undefined ? undefined : { ...edit, old, new: edit.new.replaceAll(PREFIX, "") }
  if (plain !== undefined) tried.push(plain)
  for (const base of plain === undefined ? [edit] : [edit, plain]) {
    const unescaped = withoutHtmlEscapes(base.old)
    if (unescaped !== base.old) tried.push({ ...base, old: unescaped, new: withoutHtmlEscapes(base.new) })
  }
  return tried
}

/** `     1⇥`, and the forms models make of it. */
const PREFIX = /^ *\d+(?:\t|→|\| ?|: )/gm
const NUMBERED = /^ *(\d+)(?:\t|→|\| ?|: |$)/

/** Undefined unless the lines are numbered one after the other. */
const withoutLineNumbers = (text: string): string | undefined => {
  const lines = text.replace(/\n+$/, "").split("\n")
  let before: number | undefined
  for (const line of lines) {
    const number = Number(NUMBERED.exec(line)?.[1] ?? Number.NaN)
    if (Number.isNaN(number) || (before !== undefined && number !== before + 1)) return undefined
    before = number
  }
  return lines.some((line) => line.search(PREFIX) === 0)
    ? lines.map((line) => line.replace(NUMBERED, "")).join("\n") + text.slice(lines.join("\n").length)
    : undefined
}

const ESCAPES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", apos: "'" }

const withoutHtmlEscapes = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|#39|apos);/g, (whole, name: string) => ESCAPES[name] ?? whole)
