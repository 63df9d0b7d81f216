/** The sample folder in which the demonstration works: a small program with a mistake, and its test. Data and one writer. */
import { Effect, FileSystem, Path } from "effect"

export const BROKEN_LINE = "    sum=$price"
export const FIXED_LINE = "    sum=$((sum + price))"

export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  "total.sh": `# Adds up the prices it is given.
total() {
  local sum=0 price
  for price in "$@"; do
${BROKEN_LINE}
  done
  echo "$sum"
}
`,
  "test.sh": `source ./total.sh
result=$(total 3 4 5)
if [ "$result" = 12 ]; then echo "ok: total 3 4 5 is 12"; else echo "failed: total 3 4 5 is $result, not 12"; exit 1; fi
`,
  "README.md": "# Sample\n\nA small program with a mistake in it, for `maia demo`.\n"
}

/** Rules that let the demonstration do its job in the sample folder, and nothing else. */
export const DEMO_RULES: ReadonlyArray<string> = ["Read(**)", "Grep(**)", "Edit(total.sh)", "Bash(bash test.sh)"]

export const DEMO_PROMPT = "total.sh gives wrong totals. Find the mistake, correct it and run the test."

/** Makes the folder below the system's temporary folder and gives its path. */
export const makeSampleFolder = Effect.fn("Demo.makeSampleFolder")(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectory({ prefix: "maia-demo-" })
  yield* Effect.forEach(Object.entries(SAMPLE_FILES), ([name, content]) =>
    fs.writeFileString(path.join(folder, name), content)
  )
  return folder
})
