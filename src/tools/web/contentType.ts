/**
 * What kind of answer a server sent (spec 02, WebFetch). Pure.
 */

export type ContentKind = "html" | "json" | "text" | "binary"

export interface ContentType {
  /** Lower case, without parameters; empty where the server said nothing. */
  readonly mediaType: string
  readonly charset: string | undefined
}

export const parseContentType = (header: string | undefined): ContentType => {
  // Some servers send the header twice; the last one holds.
  const value = (header ?? "").split(",").at(-1) ?? ""
  const charset = /;\s*charset\s*=\s*"?([^\s;"]{1,40})/i.exec(value)?.[1]
  return { mediaType: (value.split(";")[0] ?? "").trim().toLowerCase(), charset }
}

const TEXT_TYPES =
  /^(?:text\/|application\/(?:xml|javascript|ecmascript|x-javascript|typescript|yaml|x-yaml|toml|sql|graphql|x-sh|x-ndjson|jsonl|rtf|x-httpd-php|x-tex|x-latex)$|image\/svg\+xml$|message\/)|\+(?:xml|yaml)$/

/** Kind by the declared type; `undefined` where only the bytes can tell. */
export const kindOfType = (mediaType: string): ContentKind | undefined => {
  if (mediaType === "" || mediaType === "application/octet-stream" || !mediaType.includes("/")) return undefined
  if (mediaType === "text/html" || mediaType === "application/xhtml+xml") return "html"
  if (mediaType === "application/json" || mediaType === "text/json" || mediaType.endsWith("+json")) return "json"
  return TEXT_TYPES.test(mediaType) ? "text" : "binary"
}

/** Kind by the first bytes. */
export const kindOfBytes = (bytes: Uint8Array): ContentKind => {
  const start = bytes.subarray(0, 1024)
  const utf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)
  if (!utf16 && start.includes(0)) return "binary"
  const text = new TextDecoder().decode(start).trimStart()
  if (text.startsWith("%PDF-")) return "binary"
  return /^<(?:!doctype html|html|head|body)\b/i.test(text) ? "html" : "text"
}
