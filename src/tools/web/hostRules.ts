/**
 * Hosts that the user's own permission rules name, for which an address inside the network is no reason to refuse
 * (spec 02, fixed point 10). Pure.
 */
import type { Rule } from "../../permissions/Permissions.ts"
import { bareHost } from "./url.ts"

/**
 * True where an allow rule from the user's settings or a flag names this very host: `WebFetch(domain:127.0.0.1)`.
 * Wildcards and project rules do not count, nor does a policy that says yes to everything: a name under `*.example.com`
 * can be made to point anywhere by whoever runs that domain.
 */
export const namesHost = (rules: ReadonlyArray<Rule>, url: URL): boolean =>
  rules.some(
    (rule) =>
      rule.kind === "allow" && (rule.scope === "user" || rule.scope === "flag") && hostOf(rule.text) === bareHost(url)
  )

const hostOf = (rule: string): string | undefined => {
  const host = /^WebFetch\(domain:([^)*]+)\)$/.exec(rule.trim())?.[1]?.trim()
  if (host === undefined) return undefined
  const bracketed = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host
  const url = URL.parse(`http://${bracketed}/`)
  return url === null ? undefined : bareHost(url).replace(/\.$/, "")
}
