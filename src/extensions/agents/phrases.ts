/** What is said of sub-agents: to people in both languages, to the main agent's model in English (MAIA §20.4). Pure. */
import { text, type Text } from "../../domain/text.ts"
import type { ShellExit } from "../../process/runningCommand.ts"

export const asker = (agent: string): Text => text(`sub-agent ${agent}`, `sous-agent ${agent}`)

export const progress = (toolCalls: number, current: string): Text => {
  const more = toolCalls === 1 ? "" : "s"
  return text(`${toolCalls} call${more} · ${current}`, `${toolCalls} appel${more} · ${current}`)
}

export const finished = (agent: string, seconds: number, toolCalls: number, trace: string | undefined): Text => {
  const kept = trace === undefined ? "" : ` (${trace})`
  return text(
    `Sub-agent "${agent}" finished in ${seconds} s, ${toolCalls} tool call${toolCalls === 1 ? "" : "s"}${kept}.`,
    `Sous-agent « ${agent} » terminé en ${seconds} s (${toolCalls} appel${toolCalls > 1 ? "s" : ""} d'outil)${kept}.`
  )
}

export const failed = (agent: string, why: Text): Text =>
  text(`Sub-agent "${agent}" failed: ${why.en}`, `Échec du sous-agent « ${agent} » : ${why.fr}`)

export const warned = (agent: string, warning: Text): Text =>
  text(`[sub-agent ${agent}] ${warning.en}`, `[sous-agent ${agent}] ${warning.fr}`)

export const refused = (agent: string, rules: ReadonlyArray<string>): Text =>
  text(
    `[sub-agent ${agent}] Refused, because no one could be asked. Rules that would allow it: ${rules.join(", ")}`,
    `[sous-agent ${agent}] Refusé, faute de pouvoir demander. Règles qui l'autoriseraient : ${rules.join(", ")}`
  )

/** Of a process that ended without a result. */
export const endedEarly = (exit: ShellExit, errors: string): Text => {
  const [en, fr] =
    exit.kind === "exited"
      ? [`with exit code ${exit.code}`, `avec le code ${exit.code}`]
      : [`by ${exit.signal}`, `par ${exit.signal}`]
  const said = errors.trim()
  const tail = said === "" ? text("", "") : text(` Its last words: ${said}`, ` Ses derniers mots : ${said}`)
  return text(
    `its process was ended ${en} before it had a result.${tail.en}`,
    `son processus s'est terminé ${fr} sans résultat.${tail.fr}`
  )
}

export const notStarted = (why: string): Text =>
  text(`its process cannot be started: ${why}`, `son processus ne peut pas être lancé : ${why}`)

export const talksRubbish = (errors: string): Text => {
  const said = errors.trim()
  return text(
    `its process wrote what is no message and was stopped.${said === "" ? "" : ` Its last words: ${said}`}`,
    `son processus a écrit autre chose que des messages et a été arrêté.${said === "" ? "" : ` Ses derniers mots : ${said}`}`
  )
}

export const tookTooLong = (minutes: number): Text =>
  text(`it was stopped after ${minutes} minutes.`, `il a été arrêté après ${minutes} minutes.`)

export const interrupted: Text = text("it was interrupted.", "il a été interrompu.")

/** Result of the call, for the main agent's model. */
export const summary = (agent: string, body: string, notes: ReadonlyArray<string>): string =>
  [`Summary of sub-agent ${agent}:`, "", body, ...notes.map((note) => `[note: ${note}]`)].join("\n")

export const failureForModel = (agent: string, why: Text, sofar: string): string =>
  [
    `[sub-agent ${agent} failed: ${why.en}]`,
    ...(sofar === "" ? [] : [`What it had so far:\n${sofar}`]),
    "Do the task yourself, or start it again with a smaller task."
  ].join("\n")

export const LIMIT_NOTE = "it used up its steps; what is missing can be given as another task, or with more effort"
export const STUCK_NOTE = "it was stopped because it repeated the same calls"
export const refusedNote = (rules: ReadonlyArray<string>): string =>
  `some of its calls were refused because no one could be asked; rules that would allow them: ${rules.join(", ")}`
