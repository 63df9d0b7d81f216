/** Dangerous uses of the programs that read, filter and show text. */
import { awkDanger } from "./awkProgram.ts"
import { sedDanger } from "./sedScript.ts"
import {
  always,
  edits,
  isFile,
  isStdout,
  loads,
  overwrites,
  type Program,
  reads,
  runs,
  sends,
  type Use,
  writes
} from "./table.ts"

/** The script of sed: every `-e`, else the first word; behind `-l`, which takes a value in some versions, one of two. */
const sedScripts = (use: Use): ReadonlyArray<string> => {
  const given = use.values("-e --expression")
  if (given.length > 0) return [given.join("\n")]
  const lengths = use.options.some(
    ({ name, value }) => value === undefined && (name === "-l" || name.startsWith("--l"))
  )
  return use.words.slice(0, lengths ? 2 : 1)
}

const sedUse =
  (dangers: ReadonlyArray<string>) =>
  (use: Use): string | undefined => {
    // The program itself refuses them.
    if (use.has("--sandbox")) return undefined
    const found = sedScripts(use).map(sedDanger)
    // A length is no script that can be read.
    const known = found.length > 1 && found[0] === "unreadable" ? found.slice(1) : found
    return known.find((danger) => danger !== undefined && dangers.includes(danger))
  }

const awkUse = (use: Use): string | undefined => {
  const given = use.values("-e --source")
  // After a long option that may take a value, the program may be any word.
  const unclear = use.options.some(({ name, next }) => name.startsWith("--") && next !== undefined)
  for (const program of given.length > 0 ? [given.join("\n")] : unclear ? use.words : use.words.slice(0, 1)) {
    const danger = awkDanger(program)
    if (danger !== undefined) return danger
  }
  return undefined
}

/** The output file of the programs that take it as second word (`uniq in out`). */
const secondWord = (use: Use): string | undefined => use.words.slice(1, 2).find(isFile)

/** What `less` may do first without running anything: search, go to a line, follow. */
const lessStart = /^\+{1,2}(?:[/?][^\p{Cc}]*|\d*[gGpF%]?)$/u

export const text = (): ReadonlyArray<Program> => [
  {
    names: "sed gsed",
    syntax: { takes: "-e --expression -f --file --line-length", attached: "-i -I" },
    rows: [
      { flags: "-i -I --in-place", why: overwrites },
      { flags: "-f --file", why: loads },
      { when: sedUse(["e", "unreadable"]), why: runs },
      { when: sedUse(["w"]), why: writes },
      { when: sedUse(["r"]), why: reads }
    ]
  },
  {
    names: "awk gawk mawk nawk original-awk",
    syntax: {
      takes: "-F -v -f -e -i -l -E -W --field-separator --assign --file --source --include --load --exec",
      attached: "-o -p -d -D -L",
      stops: true
    },
    rows: [
      { flags: "-f --file -E --exec", why: loads },
      { flags: "-i --include -l --load", why: loads },
      { flags: "-o --pretty-print -d --dump-variables -p --profile", why: writes },
      { flags: "-D --debug", why: runs },
      { flags: "-W", value: (value) => !/^v(?:ersion)?$/.test(value), why: loads },
      { when: awkUse, why: runs }
    ]
  },
  {
    names: "sort gsort",
    syntax: {
      takes:
        "-o -k -t -S -T --output --key --field-separator --buffer-size --temporary-directory --compress-program --parallel " +
        "--batch-size --files0-from --random-source"
    },
    rows: [
      { flags: "--compress-program", why: runs },
      { flags: "-o --output", value: isFile, why: writes },
      { flags: "--files0-from", why: reads }
    ]
  },
  { names: "uniq guniq", syntax: { takes: "-f -s -w" }, rows: [{ when: secondWord, why: writes }] },
  {
    names: "tee gtee sponge",
    rows: [{ when: (use) => use.words.find((word) => !isStdout(word)), why: writes }]
  },
  {
    names: "less more most pg",
    syntax: {
      takes:
        "-b -h -j -k -o -O -p -P -t -T -x -y -z -D --log-file --LOG-FILE --lesskey-file --lesskey-src --lesskey-content"
    },
    rows: [
      { flags: "-o -O --log-file --LOG-FILE", why: writes },
      { flags: "-k --lesskey-file --lesskey-src --lesskey-content", why: loads },
      { flags: "-t --tag -T --tag-file", why: reads },
      { when: (use) => use.words.find((word) => word.startsWith("+") && !lessStart.test(word)), why: runs }
    ]
  },
  {
    names: "man",
    syntax: { takes: "-P -C -L -m -M -S -s -p", attached: "-H -T -X -Z" },
    rows: [
      { flags: "-H --html -P --pager", why: runs },
      { flags: "-p --preprocessor -X --gxditview -T --troff-device -t --troff -Z --ditroff", why: runs },
      { flags: "-C --config-file -M --manpath -l --local-file", why: loads }
    ]
  },
  {
    names: "diff gdiff",
    syntax: { takes: "-F -I -L -U -C -W -x -X -S -D" },
    rows: [{ flags: "-l --paginate", why: runs }]
  },
  { names: "diff3 sdiff", syntax: { takes: "-o" }, rows: [{ flags: "-o --output --diff-program", why: runs }] },
  {
    names: "patch",
    syntax: { takes: "-p -i -d -D -F -r -o -B -z -V -Y -g -x", plain: "--silent --quiet --verbose --forward" },
    rows: [{ when: (use) => (use.has("--dry-run") ? undefined : always(use)), alone: "-v", why: overwrites }]
  },
  {
    names: "iconv",
    syntax: { takes: "-f -t -o --output" },
    rows: [{ flags: "-o --output", value: isFile, why: writes }]
  },
  {
    names: "shuf gshuf",
    syntax: { takes: "-e -i -n -o" },
    rows: [{ flags: "-o --output", value: isFile, why: writes }]
  },
  { names: "lp lpr enscript a2ps", rows: [{ when: always, why: sends }] },
  {
    names: "csplit split gsplit",
    rows: [
      { flags: "--filter", why: runs },
      { when: always, why: writes }
    ]
  },
  { names: "xxd", syntax: { takes: "-c -g -l -o -s -n" }, rows: [{ when: secondWord, why: writes }] },
  { names: "base64 base32 uuencode", syntax: { takes: "-i -o -w -b" }, rows: [{ flags: "-o --output", why: writes }] },
  {
    names: "yq",
    syntax: { takes: "-s --split-exp -p -o -I --indent --input-format --output-format --from-file" },
    rows: [
      { flags: "-i --inplace --in-place", why: overwrites },
      { flags: "-s --split-exp", why: writes },
      { flags: "--from-file", why: loads },
      { flags: "--security-enable-system-operator", why: runs },
      { when: (use) => use.words.find((word) => /\bload(?:_\w+)?\s*\(/.test(word)), why: reads }
    ]
  },
  {
    names: "jq gojq jaq",
    syntax: { style: "exact", takes: "-L -f --from-file --indent" },
    rows: [
      { flags: "-f --from-file -L --library-path", why: loads },
      { flags: "-i --in-place", why: overwrites },
      {
        when: (use) => use.words.find((word) => /\b(?:import|include)\s*"/.test(word)),
        why: loads
      }
    ]
  },
  // `syscmd`, `!command`: their own language runs programs.
  { names: "m4 gm4 dc", rows: [{ when: always, alone: "-V", why: runs }] },
  {
    names: "pandoc",
    rows: [
      { flags: "-F --filter -L --lua-filter --pdf-engine --defaults -d --extract-media", why: runs },
      { flags: "-o --output", value: isFile, why: writes }
    ]
  },
  {
    names: "tex latex pdflatex xelatex lualatex latexmk pdftex luatex",
    syntax: { style: "single" },
    rows: [{ when: always, alone: "-version -v", why: runs }]
  },
  {
    names: "exiftool",
    syntax: { style: "single" },
    rows: [
      { flags: "-config -if -p -api -execute -@", why: loads },
      { when: (use) => use.options.find(({ value }) => value !== undefined)?.name, why: overwrites }
    ]
  },
  {
    names: "bat batcat",
    syntax: { style: "exact", takes: "-l -H -m -r --pager --style --theme --language --line-range --diff-context" },
    rows: [{ flags: "--pager", why: runs }]
  },
  {
    names: "ed ex vi vim nvim view emacs nano pico micro helix hx joe mg code subl",
    rows: [{ when: always, alone: "-v -V -h", why: edits }]
  }
]
