/**
 * What `--output text` writes to stderr while it works: a few plain lines, nothing that moves a cursor. Pure.
 */
import type { AgentEvent } from "../../domain/agent-event.ts"

type Language = "en" | "fr"

/** Lines for an event, without line ends; empty for what is not worth a line. */
export const progressLines = (event: AgentEvent, language: Language): ReadonlyArray<string> => {
  switch (event.type) {
    case "tool-requested":
      return [`• ${event.call.name} ${oneLine(event.call.arguments)}`]
    case "permission":
      if (event.decision === "allow") return []
      if (event.decision === "deny")
        return [say(language, `  denied by ${event.rule ?? "a rule"}`, `  refusé par ${event.rule ?? "une règle"}`)]
      if (event.askedBy !== undefined) {
        const rule = event.askedBy
        return [
          say(
            language,
            `  refused: no one can be asked here, and the rule ${rule} asks each time; --permissions allow says yes to every question`,
            `  refusé : personne à qui demander ici, et la règle ${rule} demande à chaque fois ; --permissions allow répond oui à toute question`
          )
        ]
      }
      return event.rule === undefined
        ? [say(language, "  refused", "  refusé")]
        : [
            say(
              language,
              `  refused: no one can be asked here; allow it with --allow ${JSON.stringify(event.rule)}`,
              `  refusé : personne à qui demander ici ; autorisez avec --allow ${JSON.stringify(event.rule)}`
            )
          ]
    case "tool-finished":
      return event.result.isError ? [`  ${oneLine(event.result.text)}`] : []
    case "discard":
      return [
        say(
          language,
          `… answer discarded (${event.reason}), asking again`,
          `… réponse écartée (${event.reason}), nouvelle demande`
        )
      ]
    case "compaction":
      return [compaction(event, language)]
    case "stream-rule":
      return [say(language, `… stream rule: ${event.rules.join(", ")}`, `… règle de flux : ${event.rules.join(", ")}`)]
    case "notice":
      return [`  ${event.message[language]}`]
    case "warning":
      return [say(language, `warning: ${event.message.en}`, `attention : ${event.message.fr}`)]
    case "error":
      return [say(language, `error: ${event.message.en}`, `erreur : ${event.message.fr}`)]
    default:
      return []
  }
}

const say = (language: Language, en: string, fr: string): string => (language === "fr" ? fr : en)

const compaction = (event: Extract<AgentEvent, { type: "compaction" }>, language: Language): string => {
  switch (event.phase) {
    case "started":
      return say(language, "… compacting the conversation", "… compactage de la conversation")
    case "finished":
      return say(
        language,
        `… compacted: ${event.tokensBefore} → ${event.tokensAfter ?? "?"} tokens`,
        `… compacté : ${event.tokensBefore} → ${event.tokensAfter ?? "?"} tokens`
      )
    case "failed":
      return say(language, "… compaction failed", "… échec du compactage")
  }
}

const oneLine = (value: string): string => {
  const flat = value.replaceAll(/\s+/g, " ").trim()
  return flat.length <= 160 ? flat : `${flat.slice(0, 159)}…`.toWellFormed()
}
