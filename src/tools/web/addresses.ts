/**
 * Which network addresses a page may be fetched from (spec 02, WebFetch). Pure: judges parsed addresses, resolves no
 * name. Whatever is not plainly public is refused.
 */
import ipaddr from "ipaddr.js"

/** Why an address is refused, as a noun phrase for the model; undefined: public. Not an address: "not an address". */
export const refusal = (address: string): string | undefined => {
  if (!ipaddr.isValid(address)) return "not an address"
  const parsed = ipaddr.parse(address)
  return parsed instanceof ipaddr.IPv4 ? refusal4(parsed) : refusal6(parsed)
}

/** True for a host that is an address already (`127.0.0.1`, `::1`), as a URL parser leaves it, without brackets. */
export const isAddress = (host: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)

const names: Readonly<Record<string, string>> = {
  unspecified: "the unspecified address",
  broadcast: "a broadcast address",
  multicast: "a multicast address",
  linkLocal: "a link-local address",
  loopback: "a loopback address",
  carrierGradeNat: "a shared (carrier NAT) address",
  private: "a private address",
  uniqueLocal: "a private address",
  deprecatedSiteLocal: "a private address"
}

const named = (range: string): string => names[range] ?? "a reserved address"

/** Public by range, and yet the machine's own provider answers there. */
const METADATA = new Set(["168.63.129.16"])

const refusal4 = (address: ipaddr.IPv4): string | undefined => {
  const text = address.toString()
  if (text === "169.254.169.254" || METADATA.has(text)) return "a cloud metadata address"
  const range = address.range()
  return range === "unicast" ? undefined : named(range)
}

const refusal6 = (address: ipaddr.IPv6): string | undefined => {
  if (address.zoneId !== undefined) return "a link-local address"
  const [first = 0, second = 0] = address.parts
  switch (address.range()) {
    case "unicast":
      // ::a.b.c.d, the abandoned "IPv4-compatible" form, counts as unicast.
      return address.parts.slice(0, 6).every((part) => part === 0) ? "a reserved address" : undefined
    case "ipv4Mapped":
    case "rfc6145":
      return refusalOfEmbedded(address, 12)
    case "rfc6052":
      // 64:ff9b:1::/48 is for use inside one network.
      return first === 0x64 && second === 0xff9b && address.parts[2] === 0
        ? refusalOfEmbedded(address, 12)
        : "a private address"
    case "6to4":
      return refusalOfEmbedded(address, 2)
    default:
      return named(address.range())
  }
}

/** The IPv4 address carried in the bytes from `offset` on is where the packet ends. */
const refusalOfEmbedded = (address: ipaddr.IPv6, offset: number): string | undefined => {
  const inner = new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4))
  const reason = refusal4(inner)
  return reason === undefined ? undefined : `${reason} (${inner.toString()} inside an IPv6 form)`
}
