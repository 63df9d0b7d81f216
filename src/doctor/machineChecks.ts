/** Judges the machine: terminal, sandbox, search engine, the folder's trust, the settings themselves (spec 06). Pure. */
import type { Config } from "../config/Config.ts"
import { text, type Text } from "../domain/text.ts"
import type { TrustReport } from "../permissions/trust/FolderTrust.ts"
import { trustWarning } from "../permissions/trust/trustText.ts"
import type { TerminalFacts } from "../process/terminalFacts.ts"
import { failure, ok, skipped, warning, worst, type Finding } from "./report.ts"

type Environment = Readonly<Record<string, string | undefined>>

export const judgeSettings = (config: Config["Service"]): Finding => {
  const files = new Set<string>()
  for (const origin of config.origins.values()) {
    if (origin.from === "file") files.add(origin.file)
    if (origin.from === "environment") files.add(origin.name)
  }
  const sources = [...files]
  const details = { sources, launchFolder: config.launchFolder }
  const [first] = config.warnings
  if (first !== undefined) {
    const more = config.warnings.length === 1 ? "" : ` (+${config.warnings.length - 1})`
    return warning(text(first.en + more, first.fr + more), { advice: readConfig, details })
  }
  if (sources.length === 0) {
    return warning(text("nothing is set", "rien n'est défini"), { advice: runInit, details })
  }
  return ok(text(`from ${sources.join(", ")}`, `lus dans ${sources.join(", ")}`), { details })
}

export const badSettings = (problems: ReadonlyArray<Text>): Finding =>
  failure(text(problems.map(({ en }) => en).join(" "), problems.map(({ fr }) => fr).join(" ")), {
    advice: text(
      "Correct this first: nothing else can be examined.",
      "Corrigez d'abord ceci : rien d'autre ne peut être examiné."
    )
  })

/** Below this an interface with a transcript and an input line has no room. */
const LEAST = { columns: 60, rows: 15 }

export const judgeTerminal = (facts: TerminalFacts, env: Environment): Finding => {
  const colours = coloursOf(env)
  const unicode = isUnicode(env)
  const details = { ...facts, colours, unicode, term: env["TERM"] ?? null }
  if (!facts.isTerminal) {
    return skipped(text("The output is not a terminal.", "La sortie n'est pas un terminal."), { details })
  }
  const size = `${facts.columns ?? "?"}×${facts.rows ?? "?"}`
  const isSmall = (facts.columns ?? 80) < LEAST.columns || (facts.rows ?? 24) < LEAST.rows
  return worst(
    ok(text(`${size}, ${colourText(colours).en}, Unicode`, `${size}, ${colourText(colours).fr}, Unicode`), { details }),
    unicode ? undefined : warning(noUnicode, { advice: setLocale, details }),
    isSmall ? warning(text(`small: ${size}`, `petit : ${size}`), { advice: enlarge, details }) : undefined,
    env["TERM"] === "dumb" ? warning(dumb, { advice: useTerminal, details }) : undefined,
    facts.isInputTerminal ? undefined : warning(noInput, { advice: useTerminal, details })
  )
}

type Colours = "none" | "16" | "256" | "16 million"

const coloursOf = (env: Environment): Colours => {
  if ((env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb") return "none"
  if (/truecolor|24bit/i.test(env["COLORTERM"] ?? "") || (env["WT_SESSION"] ?? "") !== "") return "16 million"
  return /256/.test(env["TERM"] ?? "") ? "256" : "16"
}

const colourText = (colours: Colours): Text =>
  colours === "none"
    ? text("no colours", "sans couleurs")
    : text(`${colours} colours`, `${colours === "16 million" ? "16 millions de" : colours} couleurs`)

const isUnicode = (env: Environment): boolean =>
  /utf-?8/i.test(env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "") || (env["WT_SESSION"] ?? "") !== ""

/** `missing`: why there is no sandbox on this machine. */
export const judgeSandbox = (wanted: "off" | "auto" | "required", missing: Text | undefined): Finding => {
  const details = { setting: wanted, available: missing === undefined }
  if (missing === undefined) {
    return wanted === "off"
      ? ok(text("available, and switched off", "disponible, et désactivé"), { advice: switchOn, details })
      : ok(text(`in use ("sandbox": "${wanted}")`, `utilisé ("sandbox": "${wanted}")`), { details })
  }
  const message = text(`none: ${missing.en}`, `aucun : ${missing.fr}`)
  if (wanted === "required") return failure(message, { advice: makeSandbox, details })
  return wanted === "auto" ? warning(message, { advice: makeSandbox, details }) : ok(message, { details })
}

export const judgeSearch = (ripgrep: string | undefined): Finding =>
  ripgrep === undefined
    ? warning(text("ripgrep is missing: searches are slower", "ripgrep est absent : les recherches sont plus lentes"), {
        advice: installRipgrep
      })
    : ok(text("ripgrep", "ripgrep"), { details: { program: ripgrep } })

export const judgeTrust = (report: TrustReport): Finding => {
  const details = { folder: report.folder, status: report.status }
  const open = trustWarning(report)
  if (open !== undefined) return warning(open, { details })
  return report.status === "trusted"
    ? ok(text("its .maia is trusted", "son .maia est considéré comme fiable"), { details })
    : ok(text("nothing in it needs trust", "rien n'y demande confiance"), { details })
}

const readConfig = text(
  '"maia config" shows each value and its place.',
  "« maia config » montre chaque valeur et sa provenance."
)
const runInit = text('Run "maia init".', "Lancez « maia init ».")
const noUnicode = text("The locale is not UTF-8", "La locale n'est pas en UTF-8")
const setLocale = text(
  "Set LANG to a UTF-8 locale, for example C.UTF-8.",
  "Réglez LANG sur une locale UTF-8, par exemple C.UTF-8."
)
const enlarge = text(
  `Enlarge the window to at least ${LEAST.columns}×${LEAST.rows}.`,
  `Agrandissez la fenêtre à au moins ${LEAST.columns}×${LEAST.rows}.`
)
const dumb = text(
  "The terminal says that it can do nothing (TERM=dumb)",
  "Le terminal dit ne rien savoir faire (TERM=dumb)"
)
const noInput = text("The input is not a terminal", "L'entrée n'est pas un terminal")
const useTerminal = text(
  'Use a terminal, or "maia run" in scripts.',
  "Utilisez un terminal, ou « maia run » dans un script."
)
const switchOn = text(
  'Set "sandbox": "auto" in ~/.maia/settings.json to run commands in it.',
  'Réglez "sandbox": "auto" dans ~/.maia/settings.json pour y exécuter les commandes.'
)
const makeSandbox = text(
  "Make it available as said, or run maia inside a container of its own.",
  "Rendez-le disponible comme indiqué, ou lancez maia dans un conteneur à lui."
)
const installRipgrep = text("Install ripgrep (rg).", "Installez ripgrep (rg).")
