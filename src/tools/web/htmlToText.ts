/**
 * HTML to plain text in one pass, for pages whose conversion takes too long or fails (spec 02: conversion time bounded).
 * Pure and linear whatever the page: every search starts where the last one ended and is not repeated once it failed.
 */

const HIDDEN = /^(?:title|script|style|noscript|iframe|svg|template|object|nav|select|textarea)$/

const BLOCK =
  /^(?:p|div|br|hr|h[1-6]|ul|ol|li|dl|dt|dd|table|tr|section|article|aside|main|header|footer|blockquote|pre|figure|form)$/

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  laquo: "«",
  raquo: "»",
  copy: "©",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç"
}

export interface PlainPage {
  readonly title: string
  readonly text: string
}

export const htmlToText = (html: string): PlainPage => {
  const out: Array<string> = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf("<", at)
    if (open === -1) break
    out.push(html.slice(at, open))
    const next = afterTag(html, open, out)
    if (next === undefined) {
      at = open
      break
    }
    at = next
  }
  // What is left holds no complete tag: brackets in it are text.
  if (at < html.length && !unclosed(html, at)) out.push(html.slice(at))
  const text = decodeEntities(out.join(""))
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
  return { title: titleOf(html), text }
}

/** Position after the tag, comment or hidden element that starts at `open`; undefined: it never ends. */
const afterTag = (html: string, open: number, out: Array<string>): number | undefined => {
  if (html.startsWith("<!--", open)) return endOf(html, "-->", open + 4)
  const name = tagName(html, open)
  if (name === "") {
    // "a < b": not a tag.
    if (!/[/!?]/.test(html.charAt(open + 1))) {
      out.push("<")
      return open + 1
    }
    return endOf(html, ">", open + 1)
  }
  const close = endOf(html, ">", open + 1)
  if (close === undefined) return undefined
  if (BLOCK.test(name)) out.push(name === "li" ? "\n- " : "\n")
  if (html.charAt(open + 1) === "/" || !HIDDEN.test(name)) return close
  const end = new RegExp(`</${name}[\\s>/]`, "gi")
  end.lastIndex = close
  const found = end.exec(html)
  return found === null ? undefined : endOf(html, ">", found.index)
}

const unclosed = (html: string, open: number): boolean =>
  html.startsWith("<!--", open) || HIDDEN.test(tagName(html, open))

const endOf = (html: string, needle: string, from: number): number | undefined => {
  const index = html.indexOf(needle, from)
  return index === -1 ? undefined : index + needle.length
}

const tagName = (html: string, open: number): string =>
  (/^<\/?([a-z][a-z0-9]{0,20})(?![a-z0-9])/i.exec(html.slice(open, open + 24))?.[1] ?? "").toLowerCase()

const titleOf = (html: string): string => {
  const open = /<title[^>]{0,200}>/i.exec(html)
  if (open === null) return ""
  return decodeEntities(html.slice(open.index + open[0].length, open.index + open[0].length + 500).split("<")[0] ?? "")
    .replace(/\s+/g, " ")
    .trim()
}

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return NAMED[name] ?? whole
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ""
  })
