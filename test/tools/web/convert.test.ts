/**
 * Slow pages (public reports of quadratic converters): the result comes within the limit, in Markdown or as plain text.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { convertHtml, CONVERT_LIMIT } from "../../../src/tools/web/convert.ts"
import { askWorker } from "../../../src/process/workerThread.ts"
import { htmlToText } from "../../../src/tools/web/htmlToText.ts"

describe("a conversion", () => {
  it.live("is done in a thread", () =>
    Effect.gen(function* () {
      const page = yield* convertHtml("<title>T</title><h1>Hello</h1>", "https://a.test/")
      assert.strictEqual(page.title, "T")
      assert.strictEqual(page.markdown, "# Hello")
      assert.isUndefined(page.reduced)
    })
  )

  it.live("of a page nested 10 000 deep falls back to plain text", () =>
    Effect.gen(function* () {
      const page = yield* convertHtml(`<title>T</title>${"<div>".repeat(10_000)}deep`, "https://a.test/")
      assert.deepStrictEqual(page, { title: "T", markdown: "deep", reduced: "the page could not be converted" })
    })
  )

  it.effect("that takes too long is given up, and the page comes as plain text", () =>
    Effect.gen(function* () {
      // The thread gets more to do than the test waits for; the limit is on the test's clock.
      const html = `<title>T</title>${"<p>a <b>word</b></p>".repeat(200_000)}`
      const fiber = yield* Effect.forkChild(convertHtml(html, "https://a.test/"), { startImmediately: true })
      yield* TestClock.adjust(CONVERT_LIMIT)
      const page = yield* Fiber.join(fiber)
      assert.strictEqual(page.reduced, "the page took too long to convert")
      assert.strictEqual(page.title, "T")
      assert.isTrue(page.markdown.startsWith("a word\n"))
    })
  )

  it("ends its thread when it is interrupted, even one that never yields", async () => {
    const script = fileURLToPath(new URL("./fixtures/endlessThread.ts", import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script])
    assert.strictEqual(stdout, "given up")
  })

  it.live("whose thread cannot start is a typed failure", () =>
    Effect.gen(function* () {
      const missing = new URL("./no-such-entry.ts", import.meta.url)
      const error = yield* Effect.flip(askWorker({ source: missing, fromSrc: "" }, "go"))
      assert.strictEqual(error._tag, "WorkerThreadError")
    })
  )
})

describe("pages that were slow elsewhere", () => {
  const pages: Readonly<Record<string, string>> = {
    "10 000 images": "<img src=x>\n".repeat(10_000),
    "100 000 tabs": `<p>a${"\t".repeat(100_000)}b</p>`,
    "100 000 <": "<".repeat(100_000),
    "100 000 unclosed tags": "<a ".repeat(100_000),
    "100 000 open comments": "<!--".repeat(100_000),
    "100 000 scripts": "<script>".repeat(100_000),
    "100 000 spaces and words": `<p>${" x  ".repeat(100_000)}`,
    "100 000 stars": `<p>${"*".repeat(100_000)}`,
    "5 MB": "<p>Lorem <a href='/x'>ipsum</a></p>\n".repeat(145_000)
  }
  for (const [name, html] of Object.entries(pages)) {
    it(`${name}: plain text is linear`, () => {
      const start = performance.now()
      htmlToText(html)
      // Hundreds of times what it takes; a quadratic search takes minutes.
      assert.isBelow(performance.now() - start, 3000)
    })

    it.live(`${name}: an answer comes within the limit`, () =>
      Effect.gen(function* () {
        const start = performance.now()
        yield* convertHtml(html, "https://a.test/")
        assert.isBelow(performance.now() - start, 3 * CONVERT_LIMIT)
      })
    )
  }
})
