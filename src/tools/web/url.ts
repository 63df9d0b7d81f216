/**
 * URLs as models write them (spec 02, WebFetch; seed 003 "NormalizeURL"). Pure. What the permission rules judge is the
 * repaired URL, so that no spelling of a host gets past a rule.
 */
import { Result } from "effect"
import { isAddress } from "./addresses.ts"

/** Longer URLs are refused: nothing a reader needs, room for what should not leave. */
const MAX_LENGTH = 4096

/**
 * Adds a missing scheme, mends `https//host` and `https:/host`, takes quotes and `<>` away. What cannot be mended comes
 * back trimmed, for `parseUrl` to refuse.
 */
export const repairUrl = (raw: string): string => {
  if (raw.length > MAX_LENGTH) return raw
  const bare = raw
    .trim()
    .replace(/^(?:["'`<]+)|(?:["'`>]+)$/g, "")
    .trim()
  const mended = addScheme(bare)
  return Result.match(parseUrl(mended), { onFailure: () => mended, onSuccess: (url) => url.href })
}

const addScheme = (bare: string): string => {
  const slashes = /^(https?)(?::?\/+|:)(?=[^/\s])/i.exec(bare)
  if (slashes !== null) return `${String(slashes[1]).toLowerCase()}://${bare.slice(slashes[0].length)}`
  if (bare.startsWith("//")) return `https:${bare}`
  // "host:8080/x" looks like a scheme to a URL parser; a port is all digits.
  const port = /^[^/?#\s]+:\d+(?:[/?#]|$)/.test(bare)
  if (!port && /^[a-z][a-z0-9+.-]*:/i.test(bare)) return bare
  const host = /^(\[[0-9a-f:.]+\]|[^/?#:\s@]+)/i.exec(bare)?.[1] ?? ""
  const local = host === "localhost" || isAddress(host.replace(/^\[|\]$/g, ""))
  if (local) return `http://${bare}`
  return host.includes(".") && !host.startsWith(".") ? `https://${bare}` : bare
}

/** A URL that may be asked for, or what is wrong with it (a sentence for the model). */
export const parseUrl = (text: string): Result.Result<URL, string> => {
  if (text.length > MAX_LENGTH) return Result.fail(`The URL is longer than ${MAX_LENGTH} characters.`)
  const url = URL.parse(text)
  if (url === null) return Result.fail(`"${shorten(text)}" is not a URL. Give one like https://example.org/page.`)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return Result.fail(`Only http and https can be fetched, not ${url.protocol} Use Read for a local file.`)
  }
  if (url.username !== "" || url.password !== "") {
    return Result.fail("A user name or password in the URL is refused. Give the URL without it.")
  }
  // "localhost." and "localhost" are one host: rules and checks see one spelling.
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.replace(/\.+$/, "")
  if (url.hostname === "") return Result.fail(`"${shorten(text)}" names no host.`)
  return Result.succeed(url)
}

/** Host of a URL without the brackets of an IPv6 address. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "")

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

export type Redirect =
  | { readonly kind: "follow"; readonly url: URL }
  /** Another host: for the model to call again, so that the rules judge it. */
  | { readonly kind: "hand-back"; readonly url: URL }
  | { readonly kind: "refuse"; readonly reason: string }

/** What to do with a `Location` found at `from`. */
export const judgeRedirect = (from: URL, location: string): Redirect => {
  const target = URL.parse(location, from)
  if (target === null) return { kind: "refuse", reason: "it redirects to something that is not a URL" }
  const parsed = parseUrl(target.href)
  if (Result.isFailure(parsed))
    return { kind: "refuse", reason: `it redirects to a refused address. ${parsed.failure}` }
  const url = parsed.success
  if (url.hash === "") url.hash = from.hash
  if (from.protocol === "https:" && url.protocol === "http:") {
    return { kind: "refuse", reason: "it redirects from https to http" }
  }
  // Default ports are "" in both schemes, so http to https on one host is followed.
  return { kind: url.hostname === from.hostname && url.port === from.port ? "follow" : "hand-back", url }
}
