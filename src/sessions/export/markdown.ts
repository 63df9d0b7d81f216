/**
 * A session as Markdown. Pure.
 */
import { readable, toBlocks, type Block, type Exportable } from "./transcript.ts"

const words = {
  en: {
    user: "User",
    added: "Added context",
    assistant: "Assistant",
    reasoning: "Reasoning",
    result: "Result",
    failed: "Failed",
    none: "(no result)",
    image: "attachment"
  },
  fr: {
    user: "Utilisateur",
    added: "Contexte ajouté",
    assistant: "Assistant",
    reasoning: "Raisonnement",
    result: "Résultat",
    failed: "Échec",
    none: "(pas de résultat)",
    image: "pièce jointe"
  }
} as const

/** A code block whose fence is longer than any in the content. */
const fenced = (content: string, language = ""): string => {
  const longest = Math.max(2, ...Array.from(content.matchAll(/`+/g), (match) => match[0].length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${content}${content.endsWith("\n") ? "" : "\n"}${fence}`
}

/** Text on one line in which nothing is markup. */
const literal = (value: string): string =>
  readable(value)
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]<>#|]/g, "\\$&")

const quoted = (value: string): string =>
  value
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")

const blockText = (block: Block, language: "en" | "fr"): string => {
  const say = words[language]
  switch (block.kind) {
    case "user": {
      const files = block.attachments.map((file) => `*(${say.image}: ${literal(file.name ?? file.mediaType)})*`)
      return [`## ${block.added ? say.added : say.user}`, block.text, ...files].join("\n\n")
    }
    case "assistant": {
      const model = block.model === "" ? "" : ` (${literal(block.model)})`
      const parts = [`## ${say.assistant}${model}`]
      if (block.reasoning !== "") parts.push(`**${say.reasoning}**`, quoted(block.reasoning))
      if (block.text !== "") parts.push(block.text)
      if (block.error !== "") parts.push(`**${say.failed}**: ${literal(block.error)}`)
      return parts.join("\n\n")
    }
    case "tool":
      return [
        `### ${literal(block.name)}`,
        fenced(block.input, "json"),
        `**${block.isError ? say.failed : say.result}**`,
        block.result === undefined ? say.none : fenced(block.result)
      ].join("\n\n")
    case "note":
      return [`---\n\n*${block.title[language]}*`, ...(block.text === "" ? [] : [block.text])].join("\n\n")
  }
}

export const toMarkdown = (session: Exportable, language: "en" | "fr"): string =>
  `${[`# ${literal(session.name)}`, ...toBlocks(session).map((block) => blockText(block, language))].join("\n\n")}\n`
