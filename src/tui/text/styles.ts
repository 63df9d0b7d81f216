/**
 * The styles (`ESC[…m`) that are in force at a place of a text: so that a line which is cut closes what it opened, and one
 * that is carried on opens it again. Knows the codes that `theme.ts` and `safeAnsi` write. Pure.
 */

/** Parameters of style sequences between the texts they style: `split` gives texts and parameters in turn. */
export const STYLE = /\u001b\[([0-9;:]{0,64})m/

export interface Styles {
  /** Takes the parameters of one sequence, `1;38;5;9`. */
  readonly apply: (parameters: string) => void
  /** Sequences that bring the styles in force about, and those that end them; empty without styles. */
  readonly open: () => string
  readonly close: () => string
}

/** What each code is ended by. */
const ENDS: Readonly<Record<string, string>> = { 1: "22", 2: "22", 3: "23", 4: "24", 7: "27", 9: "29" }

export const makeStyles = (): Styles => {
  /** By what it replaces: a colour by the colour before it, anything else by itself. */
  const active = new Map<string, { readonly code: string; readonly end: string }>()
  return {
    apply: (parameters) => {
      for (const code of codesOf(parameters)) {
        const first = code.split(";", 1)[0] ?? ""
        const end = /^(?:3[0-8]|9[0-7])$/.test(first) ? "39" : /^(?:4[0-8]|10[0-7])$/.test(first) ? "49" : ENDS[first]
        if (first === "0") active.clear()
        else if (end === undefined) {
          for (const [key, style] of active) if (style.end === first) active.delete(key)
        } else active.set(end === "39" || end === "49" ? end : first, { code, end })
      }
    },
    open: () => (active.size === 0 ? "" : sequence([...active.values()].map(({ code }) => code))),
    close: () => (active.size === 0 ? "" : sequence([...new Set([...active.values()].map(({ end }) => end))].reverse()))
  }
}

const sequence = (codes: ReadonlyArray<string>): string => `\u001b[${codes.join(";")}m`

/** Codes one by one; a colour of 256 or of 16 million keeps its numbers. */
export const codesOf = (parameters: string): ReadonlyArray<string> => {
  const given = parameters.split(";").map((code) => (code === "" ? "0" : code.replace(/^0+(?=\d)/, "")))
  const codes: Array<string> = []
  for (let at = 0; at < given.length; at++) {
    const code = given[at] ?? "0"
    const length = !/^[345]8$/.test(code) ? 1 : given[at + 1] === "5" ? 3 : given[at + 1] === "2" ? 5 : given.length
    codes.push(given.slice(at, at + length).join(";"))
    at += length - 1
  }
  return codes
}
