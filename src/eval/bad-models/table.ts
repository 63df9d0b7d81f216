/** The matrix of bad models as tables: for the terminal, and for the README between its marks. Pure. */
import type { Rails } from "../../config/rails.ts"
import { grid } from "../report.ts"
import {
  count,
  decisiveRails,
  requestsOf,
  savingRails,
  VARIANTS,
  type Ending,
  type Row,
  type Variant
} from "./matrix.ts"

const ENDINGS: ReadonlyArray<Ending> = ["solved", "told", "wrong", "endless"]

const WORDS: Readonly<Record<"en" | "fr", Readonly<Record<Ending, string>>>> = {
  en: { solved: "solved", told: "one clear line", wrong: "wrong", endless: "endless" },
  fr: { solved: "résolu", told: "une ligne claire", wrong: "faux", endless: "sans fin" }
}

/** Every variant: how many models ended how; then each model with, without, and the rails that it needs. */
export const badModelTables = (rows: ReadonlyArray<Row>, language: "en" | "fr"): string => {
  const fr = language === "fr"
  const words = WORDS[language]
  const names = (variant: Variant): string => {
    if (variant === "all") return fr ? "tous les garde-fous" : "all rails"
    if (variant === "none") return fr ? "aucun" : "none"
    return `${fr ? "sans" : "without"} ${variant}`
  }
  const sums = VARIANTS.map((variant) => [
    names(variant),
    ...ENDINGS.map((ending) => String(count(rows, variant, ending))),
    String(requestsOf(rows, variant))
  ])
  const models = rows.map((row) => [
    row.model.about[language],
    wordOf(row, "all", words),
    wordOf(row, "none", words),
    railsOf(row, (name) => name, fr ? "moins de requêtes" : "fewer requests")
  ])
  return [
    grid([["", ...ENDINGS.map((ending) => words[ending]), fr ? "requêtes" : "requests"], ...sums]),
    leftGrid([fr ? ["défaut", "avec", "sans", "nécessaire"] : ["failure", "with", "without", "needed"], ...models])
  ].join("\n")
}

const wordOf = ({ endings }: Row, variant: Variant, words: Readonly<Record<Ending, string>>): string => {
  const ending = endings[variant]
  return ending === undefined ? "-" : words[ending]
}

const leftGrid = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`
    )
    .join("")
}

/** The README's section, in English, without its marks. */
export const readmeTable = (rows: ReadonlyArray<Row>): string => {
  const words = WORDS.en
  const sum = (variant: Variant): string =>
    ENDINGS.map((ending) => `${count(rows, variant, ending)} ${words[ending]}`).join(", ")
  const lines = rows.map(
    (row) =>
      `| ${cell(row.model.about.en)} | ${wordOf(row, "all", words)} | ${wordOf(row, "none", words)} | ${railsOf(row, (name) => `\`${name}\``, "fewer requests")} |`
  )
  return [
    `With all rails: ${sum("all")}. Without any: ${sum("none")}.`,
    "",
    "| what the model does wrong | with rails | without | rail it takes |",
    "| --- | --- | --- | --- |",
    ...lines,
    ""
  ].join("\n")
}

/** The rails that decide, then those that only spare requests. */
const railsOf = (row: Row, shown: (name: keyof Rails) => string, fewer: string): string =>
  [...decisiveRails(row).map(shown), ...savingRails(row).map((name) => `${shown(name)} (${fewer})`)].join(", ")

/** Tags and bars are text in a Markdown table. */
const cell = (words: string): string => words.replaceAll(/<[^>]*>/g, "`$&`").replaceAll("|", "\\|")

const BEGIN = "<!-- rails: written by scripts/railsTable.ts -->"
const END = "<!-- rails: end -->"

/** The README with its section replaced; undefined where it has no marks. */
export const withTable = (readme: string, table: string): string | undefined => {
  const begin = readme.indexOf(BEGIN)
  const end = readme.indexOf(END)
  if (begin === -1 || end < begin) return undefined
  return `${readme.slice(0, begin + BEGIN.length)}\n${table}${readme.slice(end)}`
}
