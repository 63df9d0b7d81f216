/** What an examination gives: one finding for each thing looked at, with what to do about it (spec 06). Pure. */
import { text, type Text } from "../domain/text.ts"

export type Status = "ok" | "warning" | "failure" | "skipped"

export interface Finding {
  readonly status: Status
  /** What was found, one sentence. */
  readonly message: Text
  /** What to do about it, one sentence. */
  readonly advice?: Text
  /** Numbers and names behind the message, for `--json`. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Everything that is looked at, in the order it is told. */
export const CHECKS = {
  settings: text("settings", "réglages"),
  server: text("server", "serveur"),
  models: text("model list", "liste des modèles"),
  key: text("API key", "clé d'API"),
  answer: text("streamed answer", "réponse en flux"),
  reasoning: text("reasoning", "raisonnement"),
  window: text("context size", "taille du contexte"),
  "output-limit": text("output limit", "limite de sortie"),
  tools: text("tool call", "appel d'outil"),
  images: text("image input", "images"),
  cache: text("cache reuse", "réemploi du cache"),
  terminal: text("terminal", "terminal"),
  sandbox: text("sandbox", "bac à sable"),
  search: text("search engine", "moteur de recherche"),
  trust: text("folder trust", "confiance du dossier")
} as const satisfies Record<string, Text>

export type CheckName = keyof typeof CHECKS

export interface CheckResult extends Finding {
  readonly check: CheckName
  /** Time the check took; 0 where it was read off another one. */
  readonly seconds: number
}

type More = Omit<Finding, "status" | "message">

export const ok = (message: Text, more: More = {}): Finding => ({ status: "ok", message, ...more })
export const warning = (message: Text, more: More = {}): Finding => ({ status: "warning", message, ...more })
export const failure = (message: Text, more: More = {}): Finding => ({ status: "failure", message, ...more })
export const skipped = (message: Text, more: More = {}): Finding => ({ status: "skipped", message, ...more })

export const named = (check: CheckName, finding: Finding, seconds = 0): CheckResult => ({ check, ...finding, seconds })

const RANK: Readonly<Record<Status, number>> = { failure: 3, warning: 2, ok: 1, skipped: 0 }

/** The first of the worst findings. */
export const worst = (first: Finding, ...others: ReadonlyArray<Finding | undefined>): Finding =>
  others.reduce<Finding>(
    (found, next) => (next !== undefined && RANK[next.status] > RANK[found.status] ? next : found),
    first
  )
