/**
 * A session as one HTML page: no network, no request, everything escaped, light and dark, with a search field. Pure.
 */
import type { Attachment } from "../../domain/message.ts"
import { formatProse, escapeHtml } from "./prose.ts"
import { PAGE_SCRIPT, PAGE_STYLE } from "./page.ts"
import { readable, toBlocks, type Block, type Exportable } from "./transcript.ts"

const words = {
  en: {
    user: "User",
    added: "Added context",
    assistant: "Assistant",
    reasoning: "Reasoning",
    failed: "failed",
    none: "no result",
    search: "Search",
    expand: "Open all",
    matches: "found",
    lines: "lines"
  },
  fr: {
    user: "Utilisateur",
    added: "Contexte ajouté",
    assistant: "Assistant",
    reasoning: "Raisonnement",
    failed: "échec",
    none: "pas de résultat",
    search: "Chercher",
    expand: "Tout ouvrir",
    matches: "trouvé(s)",
    lines: "lignes"
  }
} as const

type Language = keyof typeof words

/** Only these are shown as pictures; others (SVG can hold scripts) are named. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/

const attachment = (file: Attachment): string =>
  PICTURE.test(file.mediaType) && /^[A-Za-z0-9+/=\s]*$/.test(file.data)
    ? `<img alt="${escapeHtml(file.name ?? "")}" src="data:${file.mediaType};base64,${file.data.replace(/\s/g, "")}">`
    : `<p class="file">${escapeHtml(readable(file.name ?? file.mediaType))}</p>`

const time = (iso: string): string => {
  const shown = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(iso)
  return shown === null ? "" : `<time datetime="${escapeHtml(iso)}">${shown[1]} ${shown[2]}</time>`
}

const section = (kind: string, title: string, iso: string, body: string): string =>
  `<section class="${kind}"><h2>${title}${time(iso)}</h2>${body}</section>`

const folded = (title: string, body: string): string => `<details><summary>${title}</summary>${body}</details>`

const code = (value: string): string => `<pre><code>${escapeHtml(value)}</code></pre>`

/** The argument a reader looks for, on one line. */
const gist = (input: string): string => {
  const first = /^\s*"[^"]+": "((?:[^"\\]|\\.)*)"/m.exec(input)?.[1] ?? ""
  const line = first.replace(/\\n[\s\S]*$/, " …").replace(/\\(["\\/])/g, "$1")
  return line.length > 100 ? `${line.slice(0, 99).toWellFormed()}…` : line
}

const blockHtml = (block: Block, language: Language): string => {
  const say = words[language]
  switch (block.kind) {
    case "user": {
      const body = formatProse(block.text) + block.attachments.map(attachment).join("")
      return block.added
        ? section("added", say.added, block.time, folded(`${block.text.split("\n").length} ${say.lines}`, body))
        : section("user", say.user, block.time, body)
    }
    case "assistant": {
      const model = block.model === "" ? "" : ` <small>${escapeHtml(block.model)}</small>`
      const reasoning = block.reasoning === "" ? "" : folded(say.reasoning, formatProse(block.reasoning))
      const error = block.error === "" ? "" : `<p class="error">${escapeHtml(block.error)}</p>`
      return section("assistant", say.assistant + model, block.time, reasoning + formatProse(block.text) + error)
    }
    case "tool": {
      const state = block.isError ? ` <em class="error">${say.failed}</em>` : ""
      const title = `<b>${escapeHtml(block.name)}</b> <span>${escapeHtml(gist(block.input))}</span>${state}`
      const result = block.result === undefined ? `<p class="file">${say.none}</p>` : code(block.result)
      return `<section class="tool">${folded(title, code(block.input) + result)}</section>`
    }
    case "note": {
      const title = escapeHtml(block.title[language])
      return block.text === ""
        ? `<section class="note">${title}</section>`
        : `<section class="note">${folded(title, formatProse(block.text))}</section>`
    }
  }
}

export const toHtml = (session: Exportable, language: Language): string => {
  const say = words[language]
  const title = escapeHtml(readable(session.name))
  const model = session.header.model === undefined ? "" : ` · ${escapeHtml(readable(session.header.model))}`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header><h1>${title}</h1><p>${time(session.header.time)}${model}</p>
<form role="search"><input id="search" type="search" placeholder="${say.search}" aria-label="${say.search}">
<output id="count" data-word="${say.matches}"></output><button id="expand" type="button">${say.expand}</button></form></header>
<main>
${toBlocks(session)
  .map((block) => blockHtml(block, language))
  .join("\n")}
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`
}
