/**
 * Moving through what was sent before (spec 07 "Input"): ↑ and ↓ with the unfinished draft kept, by beginning, and Ctrl+R.
 * Pure; the file is `historyFile.ts`.
 */
import { expand, type Content } from "./content.ts"

export interface HistoryState {
  /** Oldest first. */
  readonly entries: ReadonlyArray<Content>
  /** The entry that is shown; undefined: the draft. */
  readonly at: number | undefined
  /** What was being written when the first entry was shown. */
  readonly draft: Content | undefined
  /** Entries are looked for by this beginning. */
  readonly prefix: string
}

export const EMPTY_HISTORY: HistoryState = { entries: [], at: undefined, draft: undefined, prefix: "" }

/** Entries kept in memory. */
export const MOST_ENTRIES = 2_000

/** An entry, or the draft again, and the place reached. */
export interface Recalled {
  readonly history: HistoryState
  readonly content: Content
}

/** The entry before the one shown that begins with `prefix`; undefined where there is none. */
export const older = (history: HistoryState, shown: Content, prefix = history.prefix): Recalled | undefined => {
  const draft = history.at === undefined ? shown : history.draft
  for (let at = (history.at ?? history.entries.length) - 1; at >= 0; at--) {
    const content = history.entries[at]
    if (content === undefined || !fits(content, prefix, shown)) continue
    return { history: { ...history, at, draft, prefix }, content }
  }
  return undefined
}

/** The entry after the one shown, at last the draft. */
export const newer = (history: HistoryState, shown: Content, prefix = history.prefix): Recalled | undefined => {
  if (history.at === undefined) return undefined
  for (let at = history.at + 1; at < history.entries.length; at++) {
    const content = history.entries[at]
    if (content !== undefined && fits(content, prefix, shown)) return { history: { ...history, at, prefix }, content }
  }
  return { history: leave(history), content: history.draft ?? { text: "", marks: [] } }
}

/** A search by beginning does not stop at what is already shown. */
const fits = (content: Content, prefix: string, shown: Content): boolean =>
  prefix === "" || (content.text.startsWith(prefix) && content.text !== shown.text)

export const leave = (history: HistoryState): HistoryState => ({
  ...history,
  at: undefined,
  draft: undefined,
  prefix: ""
})

/** What was sent joins the entries, but not twice in a row. */
export const remember = (history: HistoryState, content: Content): HistoryState => {
  const last = history.entries.at(-1)
  const isKept = last === undefined || expand(last) !== expand(content)
  return { ...leave(history), entries: isKept ? [...history.entries, content].slice(-MOST_ENTRIES) : history.entries }
}

/** A leading space, as typed, keeps a message out of history, as in shells. */
export const isRemembered = (typed: string): boolean => typed.trim() !== "" && !typed.startsWith(" ")

/** Entries of earlier sessions come in front of those of this one; each text is kept at its last place only. */
export const withEntries = (history: HistoryState, entries: ReadonlyArray<Content>): HistoryState => {
  const all = new Map<string, Content>()
  for (const content of [...entries, ...history.entries]) {
    const text = expand(content)
    all.delete(text)
    all.set(text, content)
  }
  return { ...leave(history), entries: [...all.values()].slice(-MOST_ENTRIES) }
}

export interface Found {
  readonly at: number
  /** Offset of the text found in the entry. */
  readonly offset: number
}

/** The newest entry before `from` that holds `query`; capitals count only where the query has some. */
export const findOlder = ({ entries }: HistoryState, query: string, from = entries.length): Found | undefined => {
  for (let at = from - 1; at >= 0; at--) {
    const offset = place(entries[at], query)
    if (offset !== -1) return { at, offset }
  }
  return undefined
}

/** The oldest entry after `from`. */
export const findNewer = ({ entries }: HistoryState, query: string, from: number): Found | undefined => {
  for (let at = from + 1; at < entries.length; at++) {
    const offset = place(entries[at], query)
    if (offset !== -1) return { at, offset }
  }
  return undefined
}

const place = (content: Content | undefined, query: string): number => {
  if (content === undefined || query === "") return -1
  if (query !== query.toLowerCase()) return content.text.indexOf(query)
  const lower = content.text.toLowerCase()
  const offset = lower.indexOf(query)
  // Lower case of a few letters is longer than they are.
  return offset === -1 || lower.length === content.text.length ? offset : 0
}
