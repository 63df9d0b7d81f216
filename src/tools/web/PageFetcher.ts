/**
 * Fetches one page for WebFetch: address check on every hop, redirects, robots.txt, size and time limits (spec 02). Knows
 * nothing of what a page says.
 */
import { Cache, Context, Duration, Effect, Exit, Layer, Option, Ref, Result, Stream } from "effect"
import { Config } from "../../config/Config.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { PinnedHttp, type PinnedHttpError, type PinnedResponse } from "../../process/pinnedHttp.ts"
import { Resolver } from "../../process/Resolver.ts"
import { isAddress, refusal } from "./addresses.ts"
import { kindOfType, parseContentType } from "./contentType.ts"
import { notConvertible, notReachable, type WebFailure } from "./failure.ts"
import { namesHost } from "./hostRules.ts"
import { parseRobots, ROBOTS_MAX_BYTES, robotsAllow, type RobotsRule } from "./robotsTxt.ts"
import { bareHost, judgeRedirect } from "./url.ts"

/** Unpacked bytes of a page that are read. */
export const MAX_BYTES = 5 * 1024 * 1024
/** Milliseconds for everything: names, robots.txt, redirects and body. */
export const TOTAL_LIMIT = 30_000
export const MAX_REDIRECTS = 5

export interface FetchedPage {
  readonly kind: "page"
  /** Where it was found in the end. */
  readonly url: URL
  readonly mediaType: string
  readonly charset: string | undefined
  readonly bytes: Uint8Array
  /** The page is not whole, and why (English). */
  readonly partial?: string
}

export interface OtherHost {
  readonly kind: "other-host"
  readonly from: URL
  readonly to: URL
}

export class PageFetcher extends Context.Service<
  PageFetcher,
  {
    readonly fetch: (url: URL) => Effect.Effect<FetchedPage | OtherHost, WebFailure>
  }
>()("maia/tools/PageFetcher") {
  static readonly layer = Layer.effect(
    PageFetcher,
    Effect.gen(function* () {
      const config = yield* Config
      const permissions = yield* Permissions
      const http = yield* PinnedHttp
      const resolver = yield* Resolver
      const proxied = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].some((name) => config.env[name])

      /** The addresses of a host, all of them checked. */
      const addressesOf = Effect.fnUntraced(function* (url: URL): Effect.fn.Return<ReadonlyArray<string>, WebFailure> {
        const host = bareHost(url)
        const addresses = isAddress(host)
          ? [host]
          : yield* resolver
              .lookup(host)
              .pipe(
                Effect.mapError((error) =>
                  notReachable("unreachable", `The host ${host} is not known (${error.code}).`)
                )
              )
        const refused = addresses.map((address) => ({ address, reason: refusal(address) })).find(({ reason }) => reason)
        if (refused === undefined || namesHost(yield* permissions.rules, url)) return addresses
        const what = refused.address === host ? host : `${host} (${refused.address})`
        return yield* notReachable(
          "refused address",
          `${what} is ${refused.reason}: private and internal addresses are refused. Only the user can permit it, with ` +
            `the allow rule WebFetch(domain:${host}) in ~/.maia/settings.json.`
        )
      })

      /** One hop. The connection lives as long as the scope. */
      const ask = Effect.fnUntraced(function* (url: URL, accept: string) {
        const addresses = yield* addressesOf(url)
        return yield* http
          .get({
            url,
            addresses,
            headers: {
              "User-Agent": `maia/${config.version}`,
              Accept: accept,
              "Accept-Encoding": "gzip, deflate, br"
            }
          })
          .pipe(Effect.mapError((error) => explain(error, url, proxied)))
      })

      /** RFC 9309: 4xx allows everything, 5xx nothing; redirects within the host are followed. */
      const fetchRobots = Effect.fnUntraced(function* (
        start: URL
      ): Effect.fn.Return<ReadonlyArray<RobotsRule>, WebFailure> {
        let url = start
        for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
          const step = yield* Effect.scoped(
            Effect.gen(function* () {
              const response = yield* ask(url, "text/plain, */*;q=0.1")
              const next = redirectOf(response)
              if (next !== undefined) return judgeRedirect(url, next)
              if (response.status >= 500) {
                return yield* notReachable(
                  "robots.txt",
                  `The site's robots.txt answers HTTP ${response.status}, so nothing may be fetched from it now.`
                )
              }
              if (response.status !== 200) return []
              const { bytes } = yield* readUpTo(response, ROBOTS_MAX_BYTES, yield* makeProgress)
              return parseRobots(new TextDecoder().decode(bytes), "maia")
            })
          )
          if (!("kind" in step)) return step
          if (step.kind !== "follow") return []
          url = step.url
        }
        return []
      })

      const robots = yield* Cache.makeWith((origin: string) => fetchRobots(new URL("/robots.txt", origin)), {
        capacity: 200,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.hours(1) : Duration.minutes(1))
      })

      const checkRobots = Effect.fnUntraced(function* (url: URL): Effect.fn.Return<void, WebFailure> {
        if (!config.settings.webFetch.robots) return
        const rules = yield* Cache.get(robots, url.origin)
        if (robotsAllow(rules, `${url.pathname}${url.search}`)) return
        return yield* notReachable(
          "robots.txt",
          `The site's robots.txt does not allow ${url.pathname}. Do not try it again; use another source.`
        )
      })

      const fetchWithin = Effect.fnUntraced(function* (
        start: URL,
        progress: Progress
      ): Effect.fn.Return<FetchedPage | OtherHost, WebFailure> {
        const seen = new Set<string>()
        let url = start
        for (let hop = 0; ; hop++) {
          if (seen.has(withoutHash(url))) {
            return yield* notReachable("redirects", "The page redirects in a circle. Do not try it again.")
          }
          if (hop > MAX_REDIRECTS) {
            return yield* notReachable("redirects", `The page redirects more than ${MAX_REDIRECTS} times.`)
          }
          seen.add(withoutHash(url))
          yield* checkRobots(url)
          const step = yield* Effect.scoped(
            Effect.gen(function* () {
              const response = yield* ask(url, ACCEPT)
              const next = redirectOf(response)
              return next === undefined ? yield* takePage(url, response, progress) : judgeRedirect(url, next)
            })
          )
          if (step.kind === "page") return step
          if (step.kind === "refuse") return yield* notReachable("redirect refused", `Not followed: ${step.reason}`)
          if (step.kind === "hand-back") {
            if (isAddress(bareHost(step.url))) yield* addressesOf(step.url)
            return { kind: "other-host", from: url, to: step.url }
          }
          url = step.url
        }
      })

      const fetch = Effect.fn("PageFetcher.fetch")(function* (
        url: URL
      ): Effect.fn.Return<FetchedPage | OtherHost, WebFailure> {
        const progress = yield* makeProgress
        const done = yield* Effect.timeoutOption(fetchWithin(url, progress), TOTAL_LIMIT)
        if (Option.isSome(done)) return done.value
        const { head, chunks, size } = yield* Ref.get(progress)
        if (head === undefined || size === 0) {
          return yield* notReachable("time limit", `No answer within ${TOTAL_LIMIT / 1000} s.`)
        }
        return { ...head, bytes: join(chunks, size), partial: `time limit of ${TOTAL_LIMIT / 1000} s reached` }
      })

      return PageFetcher.of({ fetch })
    })
  )
}

const ACCEPT = "text/markdown, text/html, application/xhtml+xml, application/json;q=0.9, text/*;q=0.8, */*;q=0.1"

/** What has come in, kept outside the fiber that reads so that a time limit does not lose it. */
interface Received {
  readonly head?: Omit<FetchedPage, "bytes" | "partial">
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly size: number
}

type Progress = Ref.Ref<Received>

const makeProgress: Effect.Effect<Progress> = Ref.make<Received>({ chunks: [], size: 0 })

const redirectOf = (response: PinnedResponse): string | undefined =>
  [301, 302, 303, 307, 308].includes(response.status) ? response.headers["location"] : undefined

const takePage = Effect.fnUntraced(function* (
  url: URL,
  response: PinnedResponse,
  progress: Progress
): Effect.fn.Return<FetchedPage, WebFailure> {
  if (response.status < 200 || response.status > 299) {
    return yield* notReachable(`HTTP ${response.status}`, statusAdvice(response.status))
  }
  const type = parseContentType(response.headers["content-type"])
  if (kindOfType(type.mediaType) === "binary") {
    return yield* notConvertible(
      "not a text page",
      `The address holds ${type.mediaType}, which WebFetch cannot read (no PDF, images or archives).`
    )
  }
  const head = { kind: "page" as const, url, ...type }
  yield* Ref.update(progress, (received) => ({ ...received, head }))
  const { bytes, partial } = yield* readUpTo(response, MAX_BYTES, progress)
  return { ...head, bytes, ...(partial === undefined ? {} : { partial }) }
})

/** Reads at most `limit` unpacked bytes and stops there; what was read before a failure is kept. */
const readUpTo = Effect.fnUntraced(function* (
  response: PinnedResponse,
  limit: number,
  progress: Progress
): Effect.fn.Return<{ readonly bytes: Uint8Array; readonly partial: string | undefined }, WebFailure> {
  const chunks: Array<Uint8Array> = []
  let size = 0
  const outcome = yield* response.body.pipe(
    Stream.runForEachWhile((chunk) => {
      chunks.push(chunk)
      size += chunk.length
      return Effect.as(
        Ref.update(progress, (received) => ({ ...received, chunks, size })),
        size <= limit
      )
    }),
    Effect.result
  )
  const bytes = join(chunks, size).subarray(0, limit)
  if (size > limit) return { bytes, partial: `size limit of ${Math.round(limit / 1024 / 1024)} MB reached` }
  if (Result.isSuccess(outcome)) return { bytes, partial: undefined }
  const { kind, message } = outcome.failure
  if (size > 0) return { bytes, partial: kind === "encoding" ? `the packed body is damaged: ${message}` : message }
  return yield* kind === "encoding"
    ? notConvertible("damaged", `The body cannot be unpacked: ${message}.`)
    : notReachable("unreachable", `The answer broke off: ${message}.`)
})

const join = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

const withoutHash = (url: URL): string => url.href.slice(0, url.href.length - url.hash.length)

const explain = (error: PinnedHttpError, url: URL, proxied: boolean): WebFailure => {
  if (error.kind === "encoding") return notConvertible("damaged", `The body cannot be unpacked: ${error.message}.`)
  if (error.kind === "tls") {
    return notReachable("certificate", `The certificate of ${url.hostname} is not valid: ${error.message}.`)
  }
  if (error.kind === "protocol") {
    return notReachable("bad answer", `${url.host} does not speak correct HTTP: ${error.message}.`)
  }
  const hint =
    proxied && error.kind === "connect"
      ? " (A proxy is set in the environment; WebFetch connects directly and does not use it.)"
      : ""
  return notReachable("unreachable", `${url.host}: ${error.message}.${hint}`)
}

const statusAdvice = (status: number): string => {
  if (status === 401 || status === 403) return "The site does not let us in. Use another source."
  if (status === 404 || status === 410) return "There is no page at this address. Check the URL or search elsewhere."
  if (status === 429) return "The site asks for fewer requests. Go on with something else."
  if (status >= 500) return "The site is in trouble. Use another source."
  return "The site gives no page for this address."
}
