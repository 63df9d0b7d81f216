/**
 * The little Markdown that makes an answer readable (code blocks, headings, lists, bold, inline code), as HTML. All text is
 * escaped before any tag is added, so nothing a model wrote becomes markup. Pure, one pass.
 */
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

export const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")

/** Inline code first: what stands in it is not bold. */
const inline = (line: string): string =>
  line
    .split(/(`[^`\n]+`)/)
    .map((piece, index) =>
      index % 2 === 1
        ? `<code>${escapeHtml(piece.slice(1, -1))}</code>`
        : escapeHtml(piece).replace(/\*\*([^*\n]+)\*\*/g, "<strong>$1</strong>")
    )
    .join("")

/** Consecutive lines of one sort. */
interface Run {
  readonly sort: "p" | "ul" | "ol"
  readonly lines: Array<string>
}

const runHtml = ({ sort, lines }: Run): string =>
  sort === "p"
    ? `<p>${lines.map(inline).join("<br>")}</p>`
    : `<${sort}>${lines.map((line) => `<li>${inline(line)}</li>`).join("")}</${sort}>`

export const formatProse = (value: string): string => {
  const parts: Array<string> = []
  let run: Run | undefined
  const close = (): void => {
    if (run !== undefined) parts.push(runHtml(run))
    run = undefined
  }
  const take = (sort: Run["sort"], line: string): void => {
    if (run?.sort !== sort) close()
    run ??= { sort, lines: [] }
    run.lines.push(line)
  }
  let fence: string | undefined
  let code: Array<string> = []
  const closeCode = (): void => {
    parts.push(`<pre><code>${escapeHtml(code.join("\n"))}</code></pre>`)
    code = []
    fence = undefined
  }
  for (const line of value.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) closeCode()
      else code.push(line)
      continue
    }
    if (mark !== undefined) {
      close()
      fence = mark
      continue
    }
    const heading = /^(#{1,6})\s+(.*)$/.exec(line)
    const bullet = /^\s*[-*+]\s+(.*)$/.exec(line)
    const number = /^\s*\d+[.)]\s+(.*)$/.exec(line)
    if (line.trim() === "") close()
    else if (heading?.[2] !== undefined) {
      close()
      parts.push(`<h3>${inline(heading[2])}</h3>`)
    } else if (bullet?.[1] !== undefined) take("ul", bullet[1])
    else if (number?.[1] !== undefined) take("ol", number[1])
    else take("p", line)
  }
  if (fence !== undefined) closeCode()
  close()
  return parts.join("")
}
