import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseHTML } from "linkedom"
import type { Entry, EntryBody } from "../../src/domain/entry.ts"
import { render } from "../../src/sessions/export/render.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { assistant, message, toolResult, user, withPlace } from "./support.ts"

const session = (...bodies: ReadonlyArray<EntryBody>) => ({
  name: "demo <1>",
  header: { type: "header", version: 1, id: "h", time: "2026-01-02T03:04:05.000Z", cwd: "/x", model: "m" } as const,
  path: bodies.map((body, index): Entry => ({
    id: `e${index}`,
    parentId: "h",
    time: "2026-01-02T03:04:05.000Z",
    ...body
  }))
})

const hostile = `</code></pre><script>alert(1)</script><img src=x onerror=alert(2)> "'&`

describe("export as HTML", () => {
  const html = render(
    session(
      message(user(hostile)),
      message({
        ...assistant(`# ${hostile}\n- ${hostile}\n\`${hostile}\` **${hostile}**\n\`\`\`js\n${hostile}\n\`\`\``, "1"),
        error: hostile
      }),
      message(toolResult("1", `\u001b[31mred\u001b[0m ${hostile}`)),
      message({
        ...user("see"),
        attachments: [
          { type: "image", mediaType: "image/png", data: "AAAA" },
          { type: "image", mediaType: "image/svg+xml", data: "AAAA", name: hostile },
          { type: "image", mediaType: 'image/png" onload="x', data: "AAAA" }
        ]
      }),
      { type: "compaction", summary: hostile, firstKeptEntryId: "e0", tokensBefore: 1 }
    ),
    "html",
    "en"
  )
  const { document } = parseHTML(html)

  it("nothing that was said becomes markup", () => {
    assert.strictEqual(document.querySelectorAll("script").length, 1)
    const images = [...document.querySelectorAll("img")]
    assert.deepStrictEqual(
      images.map((image) => image.getAttribute("src")),
      ["data:image/png;base64,AAAA"]
    )
    for (const element of document.querySelectorAll("*")) {
      for (const { name } of element.attributes) assert.isFalse(name.startsWith("on"), name)
    }
    assert.include(document.querySelector(".user")?.textContent ?? "", "<script>alert(1)</script>")
  })

  it("loads nothing and may not", () => {
    assert.notMatch(html, /(?:src|href)="(?!data:)/)
    const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute("content") ?? ""
    assert.include(policy, "default-src 'none'")
  })

  it("tool output can be folded, is free of terminal escapes, and the page is searchable, light and dark", () => {
    const tool = document.querySelector(".tool details")
    assert.include(tool?.textContent ?? "", "red </code>")
    assert.notInclude(html, "\u001b")
    assert.isNotNull(document.querySelector("#search"))
    assert.include(html, "prefers-color-scheme:dark")
  })

  it("code blocks, headings and lists are readable", () => {
    const page = parseHTML(
      render(session(message(assistant("## Plan\n1. a\n2. b\n\n```ts\nlet x = 1\n```\nuse `y`"))), "html", "fr")
    ).document
    assert.strictEqual(page.querySelector("h3")?.textContent, "Plan")
    assert.strictEqual(page.querySelectorAll("ol li").length, 2)
    assert.strictEqual(page.querySelector("pre code")?.textContent, "let x = 1")
    assert.strictEqual(page.querySelector("p code")?.textContent, "y")
  })
})

describe("export as Markdown and JSON", () => {
  it("a fence is longer than those in the output", () => {
    const markdown = render(
      session(message(user("q")), message(assistant("a", "1")), message(toolResult("1", "```\nx\n````"))),
      "markdown",
      "en"
    )
    assert.include(markdown, "`````\n```\nx\n````\n`````")
    assert.include(markdown, "# demo \\<1\\>")
    assert.include(markdown, "## User\n\nq")
  })

  it("a call without result says so; results of ids used again stay with their own call", () => {
    const markdown = render(
      session(
        message(assistant("", "c")),
        message(toolResult("c", "first")),
        message(assistant("", "c")),
        message(toolResult("c", "second")),
        message(assistant("", "c"))
      ),
      "markdown",
      "fr"
    )
    assert.isTrue(markdown.indexOf("first") < markdown.indexOf("second"))
    assert.include(markdown, "(pas de résultat)")
  })

  it.effect("exports an open session and one by name", () =>
    withPlace((place) =>
      place.run(
        Effect.gen(function* () {
          const sessions = yield* Sessions
          const open = yield* sessions.open({ name: "a", save: true })
          yield* open.append(message(user("hello")))
          const json = JSON.parse(yield* sessions.export(open, "json"))
          assert.strictEqual(json.entries[0].message.text, "hello")
          assert.include(yield* sessions.export("A", "markdown"), "hello")
          assert.strictEqual((yield* Effect.flip(sessions.export("b", "html"))).code, "not_found")
        })
      )
    )
  )
})
