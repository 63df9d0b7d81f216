/**
 * HTML to Markdown by turndown over linkedom (MAIA §8). Heavy to load and not linear on every page, so only the
 * conversion worker and tests import it; `convert.ts` bounds its time.
 */
import { parseHTML } from "linkedom"
import TurndownService from "turndown"
import { mainContent } from "./mainContent.ts"

export interface MarkdownPage {
  readonly title: string
  readonly markdown: string
}

/** Links come out absolute, resolved against `url` or the page's `<base>`. May throw on pages nested too deep. */
export const htmlToMarkdown = (html: string, url: string): MarkdownPage => {
  // linkedom builds no missing <html> and <body>; one more of each around a whole page changes nothing for us.
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`)
  const base = URL.parse(document.querySelector("base")?.getAttribute("href") ?? "", url)?.href ?? url
  const { title, root } = mainContent(document)
  mendLinks(root, base)
  const markdown = makeTurndown().turndown(root).trim()
  return { title: title.replace(/\s+/g, " ").trim(), markdown }
}

const mendLinks = (root: Element, base: string): void => {
  for (const link of root.querySelectorAll("a[href]")) {
    const target = URL.parse(link.getAttribute("href") ?? "", base)
    if (target !== null && /^(?:https?|mailto|ftp):$/.test(target.protocol)) link.setAttribute("href", target.href)
    else link.removeAttribute("href")
  }
  for (const image of root.querySelectorAll("img")) {
    const source = URL.parse(image.getAttribute("src") ?? "", base)
    const alt = (image.getAttribute("alt") ?? "").trim()
    // Without a description or with the picture itself as its address an image is only noise to a model.
    if (alt === "" || source === null || !/^https?:$/.test(source.protocol)) image.replaceWith(alt)
    else image.setAttribute("src", source.href)
  }
}

const makeTurndown = (): TurndownService => {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---"
  })
  const positions = new WeakMap<Node, number>()
  service.addRule("listItem", {
    filter: "li",
    replacement: (content, node) => {
      const marker = listMarker(node, positions)
      const body = content.trim().replace(/\n(?=[^\n])/g, `\n${" ".repeat(marker.length)}`)
      return `${marker}${body}\n`
    }
  })
  service.addRule("preformatted", {
    filter: (node) => node.nodeName === "PRE",
    replacement: (_content, node) => {
      const code = (node.textContent ?? "").replace(/^\n|\n$/g, "")
      const fence = "`".repeat(Math.max(3, 1 + longestRun(code)))
      return `\n\n${fence}${languageOf(node)}\n${code}\n${fence}\n\n`
    }
  })
  service.addRule("tableCell", {
    filter: ["td", "th"],
    replacement: (content) =>
      ` ${content
        .trim()
        .replace(/\s*\n\s*/g, " ")
        .replace(/\|/g, "\\|")} |`
  })
  service.addRule("tableRow", {
    filter: "tr",
    replacement: (content, node) => {
      if (content.trim() === "") return ""
      const cells = [...node.childNodes].filter((cell) => /^T[DH]$/.test(cell.nodeName)).length
      const first = isFirstRow(node) ? `\n|${" --- |".repeat(cells)}` : ""
      return `\n|${content}${first}`
    }
  })
  service.addRule("tableParts", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content })
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` })
  return service
}

/** `- ` or `1. `; positions are counted as the items come by, so that a list of 100 000 items stays linear. */
const listMarker = (item: Node, positions: WeakMap<Node, number>): string => {
  const list = item.parentNode
  if (list === null || list.nodeName !== "OL") return "- "
  const start = Number.parseInt((list as Element).getAttribute("start") ?? "1", 10)
  const position = positions.get(list) ?? (Number.isNaN(start) ? 1 : start)
  positions.set(list, position + 1)
  return `${position}. `
}

const isFirstRow = (row: Node): boolean => {
  const parent = row.parentNode
  if (parent === null || previousElement(row) !== null) return false
  return parent.nodeName === "TABLE" || previousElement(parent) === null
}

const previousElement = (node: Node): Node | null => {
  let before = node.previousSibling
  while (before !== null && (before.nodeType !== 1 || /^(?:CAPTION|COLGROUP)$/.test(before.nodeName))) {
    before = before.previousSibling
  }
  return before
}

const languageOf = (pre: Node): string => {
  const code = (pre as Element).querySelector("code")
  const around = [code, pre as Element, pre.parentNode as Element | null]
  for (const element of around) {
    const name = element?.getAttribute?.("class") ?? ""
    const found = /(?:^|\s)(?:language|lang|highlight(?:-source)?)-([a-z0-9+#-]{1,20})/i.exec(name)?.[1]
    if (found !== undefined && found !== "default" && found !== "none") return found
  }
  return ""
}

const longestRun = (code: string): number => {
  let longest = 0
  for (const run of code.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  return longest
}
