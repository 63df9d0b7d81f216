/** What tests look at in a finished run with `-o stream-json`. */
import { ofType, type Finished } from "../../e2e/support.ts"

export const textOf = (finished: Finished): string =>
  ofType(finished, "text")
    .map((line) => String(line["delta"]))
    .join("")

/** A request to read a file, with the examples a very small model needs, and no more than one call. */
export const READ_NOTES: ReadonlyArray<string> = [
  "run",
  "--prompt=Read the file notes.txt",
  "--output=stream-json",
  "--system-append=examples.md",
  "--max-iterations=1",
  "--allow=Read(**)"
]
