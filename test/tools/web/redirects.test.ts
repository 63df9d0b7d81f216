import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { judgeRedirect, repairUrl } from "../../../src/tools/web/url.ts"
import { callWebFetch, serve, type Handler } from "./support.ts"

/** Redirects by path; anything else is a page that says where it is. */
const site =
  (redirects: Readonly<Record<string, string>>): Handler =>
  (request, response) => {
    const target = redirects[request.url ?? ""]
    if (target === undefined) response.writeHead(200, { "content-type": "text/plain" }).end(`at ${request.url}`)
    else response.writeHead(302, { location: target }).end()
  }

const follow = (redirects: Readonly<Record<string, string>>, start = "/a") =>
  Effect.gen(function* () {
    const server = yield* serve(site(redirects))
    const result = yield* callWebFetch(
      { url: `http://127.0.0.1:${server.port}${start}` },
      { allowed: ["127.0.0.1"], names: { "other.test": ["93.184.216.34"] } }
    )
    return { ...result, pages: server.requests.filter((path) => path !== "/robots.txt") }
  }).pipe(Effect.scoped)

describe("redirects", () => {
  it.live("within the host are followed, relative ones too", () =>
    Effect.gen(function* () {
      const { text } = yield* follow({ "/a": "sub/b?q=1", "/sub/b?q=1": "/c" })
      assert.include(text, "at /c")
      assert.match(text, /^URL: http:\/\/127\.0\.0\.1:\d+\/c\n/)
    })
  )

  it.live("to another host are given back, not followed", () =>
    Effect.gen(function* () {
      const { text, isError } = yield* follow({ "/a": "https://other.test/page?x=1" })
      assert.strictEqual(isError, undefined)
      assert.include(text, "call WebFetch again with this URL: https://other.test/page?x=1")
    })
  )

  it.live("to another port of the host are given back", () =>
    Effect.gen(function* () {
      assert.include(
        (yield* follow({ "/a": "http://127.0.0.1:1/x" })).text,
        "again with this URL: http://127.0.0.1:1/x"
      )
    })
  )

  it.live("to an address inside, to file: and to what is no URL are refused", () =>
    Effect.gen(function* () {
      for (const target of ["http://10.0.0.1/", "http://169.254.169.254/x", "http://[::1]/"]) {
        assert.match((yield* follow({ "/a": target })).text, /error 2 \(refused address\)/)
      }
      for (const target of ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "http://["]) {
        const { text, isError } = yield* follow({ "/a": target })
        assert.isTrue(isError)
        assert.match(text, /error 2 \(redirect refused\)/)
      }
    })
  )

  it.live("are followed five times and not six", () =>
    Effect.gen(function* () {
      const chain = (length: number) =>
        Object.fromEntries(Array.from({ length }, (_, index) => [`/${index}`, `/${index + 1}`]))
      assert.include((yield* follow(chain(5), "/0")).text, "at /5")
      const { text, pages } = yield* follow(chain(11), "/0")
      assert.match(text, /error 2 \(redirects\).*more than 5 times/)
      assert.strictEqual(pages.length, 6)
    })
  )

  it.live("in a circle end", () =>
    Effect.gen(function* () {
      const { text, pages } = yield* follow({ "/a": "/b", "/b": "/a" })
      assert.match(text, /error 2 \(redirects\).*circle/)
      assert.deepStrictEqual(pages, ["/a", "/b"])
    })
  )

  it("go up from http to https on a host, never down", () => {
    assert.strictEqual(judgeRedirect(new URL("http://a.test/"), "https://a.test/x").kind, "follow")
    assert.deepStrictEqual(judgeRedirect(new URL("https://a.test/"), "http://a.test/x"), {
      kind: "refuse",
      reason: "it redirects from https to http"
    })
    assert.strictEqual(judgeRedirect(new URL("https://a.test/"), "//www.a.test/x").kind, "hand-back")
  })
})

describe("URLs as models write them", () => {
  for (const [written, meant] of [
    ["example.org", "https://example.org/"],
    ["example.org/a?b=c", "https://example.org/a?b=c"],
    ["example.org:8443/a", "https://example.org:8443/a"],
    ["https//example.org", "https://example.org/"],
    ["http//example.org/x", "http://example.org/x"],
    ["https:/example.org", "https://example.org/"],
    ["https:example.org", "https://example.org/"],
    ["HTTPS://Example.ORG/A", "https://example.org/A"],
    ["//example.org/x", "https://example.org/x"],
    ["  <https://example.org/x> ", "https://example.org/x"],
    ["`example.org`", "https://example.org/"],
    ["https://example.org./", "https://example.org/"],
    ["localhost:3000/x", "http://localhost:3000/x"],
    ["127.0.0.1:80", "http://127.0.0.1/"],
    ["https://münchen.example/", "https://xn--mnchen-3ya.example/"],
    ["file:///etc/passwd", "file:///etc/passwd"],
    ["mailto:a@b.test", "mailto:a@b.test"],
    ["nonsense", "nonsense"]
  ] as const) {
    it(`${written} means ${meant}`, () => assert.strictEqual(repairUrl(written), meant))
  }
})
