/** Wording both engines share. Pure. */
import { LONGEST_LINE } from "./query.ts"

export const cutLine = (line: string): string =>
  line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE).replace(/[\uD800-\uDBFF]$/, "")}…`

/** The repair text for an expression that does not compile. */
export const wrongPattern = (reason: string): string =>
  `The search failed: ${reason.slice(0, 400).toWellFormed()}. Correct the pattern: regular expression syntax, without look-around and back-references. To search for the text itself put a backslash before each of . * + ? ( ) [ ] { } | ^ $ \\.`

/** What is added to an answer that is not all there is; `limited` says how to get more. */
export const searchNotice = (ended: "all" | "limit" | "time", limited: string): ReadonlyArray<string> =>
  ended === "all"
    ? []
    : [ended === "time" ? "[the search was stopped after 20 s: use a narrower path or glob]" : `[${limited}]`]
