/**
 * The shape of the table of dangerous uses (spec 03: "a wide allow rule asks when such a flag is present"), and the few
 * reasons its rows share. Pure data and types: how words are read is in `read.ts`, the verdict in `../dangerousUse.ts`.
 */
import { type Text, text } from "../../../domain/text.ts"

/**
 * How a program reads its words. Lists are space-separated option names as typed (`"-C --file"`).
 * An option wrongly put in `takes` would hide the word after it, so only options that always take a value belong there.
 */
export interface Syntax {
  /** Options with a value: attached (`-ofile`, `--out=file`) or the next word. */
  readonly takes?: string
  /** Options whose value, if any, is attached (`sed -i.bak`); the rest of a short group is that value. */
  readonly attached?: string
  /**
   * Long options without value: those that are the beginning of a dangerous one (`--text` of `--textconv`), and those
   * often followed by an option that makes the use harmless.
   */
  readonly plain?: string
  /**
   * `gnu` (default): grouped short options, long ones may be abbreviated. `exact`: the same without abbreviations.
   * `single`: whole words after one dash (`find -exec`, `go -o`), two dashes mean the same, `--` ends nothing.
   */
  readonly style?: "gnu" | "exact" | "single"
  /** Options end at the first word that is none: the rest belongs to another program (`ssh host ls -o`). */
  readonly stops?: boolean
  /** A first word without dash is a group of short options, their values follow in order (`tar xf a.tar`). */
  readonly bundled?: boolean
}

/** One option as read. `value` is undefined when none belongs to it; `next` is the word after it, for abbreviations. */
export interface ReadOption {
  readonly name: string
  readonly value: string | undefined
  readonly next: string | undefined
  /** False when it may be the value of the option before it, or a word after `--`. */
  readonly sure: boolean
}

/** The words of one use, read by the program's syntax (those after the subcommand, when there is one). */
export interface Use {
  /** Words that are no options, in order; those after `--` included. */
  readonly words: ReadonlyArray<string>
  /** How many of `words` come before `--`; undefined without `--`. */
  readonly beforeDashes: number | undefined
  readonly options: ReadonlyArray<ReadOption>
  /** Is one of these options (space-separated, in full) surely present? */
  readonly has: (names: string) => boolean
  /** The values given to these options (abbreviations included), in order. */
  readonly values: (names: string) => ReadonlyArray<string>
}

export interface Row {
  /** Subcommands it speaks of; `*` is every subcommand. Without it: the whole use, or the options before a subcommand. */
  readonly sub?: string
  /** Fires when one of these options is present (and `value`, if given, accepts its value). */
  readonly flags?: string
  readonly value?: (value: string) => boolean
  /** Fires when it gives the word that makes the use dangerous. */
  readonly when?: (use: Use) => string | undefined
  /** Options that, alone, make the use harmless (`-V`). `--help` and `--version` alone always do. */
  readonly alone?: string
  readonly why: Text
}

export interface Program {
  readonly names: string
  /** How its words are read; for a program with subcommands, those before the subcommand. */
  readonly syntax?: Syntax
  /** Present when the first word is a subcommand: how the words after it are read (`*`: all the others). */
  readonly subs?: Readonly<Record<string, Syntax>>
  /** Harmless options before the subcommand; any other fires. Without it every one is harmless unless a row says more. */
  readonly before?: string
  /** Subcommands that are harmless unless a row says more; any other fires. Without it none fires by its name alone. */
  readonly known?: string
  /** Why the program alone, without subcommand, fires. */
  readonly bare?: Text
  readonly rows: ReadonlyArray<Row>
}

/** Splits a space-separated list of the table. */
export const list = (names: string | undefined): ReadonlyArray<string> =>
  names === undefined || names === "" ? [] : names.split(" ")

/** Row condition: the use itself is dangerous, whatever its words. */
export const always = (use: Use): string => use.words[0] ?? use.options[0]?.name ?? ""

/** Row condition: at least one word that is no option. */
export const anyWord = (use: Use): string | undefined => use.words[0]

/** Row condition: the first word is one of these (space-separated). */
export const firstWord = (names: string): ((use: Use) => string | undefined) => {
  const set = new Set(list(names))
  return (use) => (use.words[0] !== undefined && set.has(use.words[0]) ? use.words[0] : undefined)
}

/** Row condition: there is a first word and it is none of these. */
export const firstWordNot = (names: string): ((use: Use) => string | undefined) => {
  const set = new Set(list(names))
  return (use) => (use.words[0] === undefined || set.has(use.words[0]) ? undefined : use.words[0])
}

/** Row condition: `inner` fires and none of these options is present. */
export const without =
  (names: string, inner: (use: Use) => string | undefined): ((use: Use) => string | undefined) =>
  (use) =>
    use.has(names) ? undefined : inner(use)

/** The standard streams written as a file name. */
export const isStdout = (value: string): boolean => value === "-" || value === "/dev/stdout" || value === "/dev/null"

/** Value condition: a file, not a standard stream. */
export const isFile = (value: string): boolean => !isStdout(value)

export const runs = text("runs another program", "lance un autre programme")
export const runsCode = text("runs code of the project or of a package", "exécute du code du projet ou d'un paquet")
export const runsScript = text("runs the program it is given", "exécute le programme qu'on lui donne")
export const writes = text("writes a file", "écrit dans un fichier")
export const overwrites = text("changes files in place", "modifie des fichiers sur place")
export const unpacks = text("writes the files an archive names", "écrit les fichiers nommés par une archive")
export const deletes = text("deletes files", "supprime des fichiers")
export const destroys = text("can destroy work", "peut détruire du travail")
export const reads = text("reads a file named inside a script", "lit un fichier nommé dans un script")
export const loads = text("loads code or settings from a file", "charge du code ou des réglages d'un fichier")
export const configures = text("changes settings that run programs", "change des réglages qui lancent des programmes")
export const sends = text("sends data or files to a server", "envoie des données ou des fichiers à un serveur")
export const remote = text("acts on another machine", "agit sur une autre machine")
export const system = text("changes the system or its services", "modifie le système ou ses services")
export const access = text("changes who may use files", "change les droits sur des fichiers")
export const edits = text("opens an editor, which can run programs", "ouvre un éditeur, qui peut lancer des programmes")
export const unknownBefore = text(
  "an option before the subcommand that is not known to be harmless",
  "une option avant la sous-commande, pas connue comme inoffensive"
)
export const unknownSub = text(
  "a subcommand that is not known to be harmless",
  "une sous-commande pas connue comme inoffensive"
)
