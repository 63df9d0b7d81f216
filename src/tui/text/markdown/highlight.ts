/**
 * Colours of code (highlight.js). Only the languages named here are in the executable; any other is shown plain. Loaded when
 * the interface is up, not before: see `loadMarkdown`.
 */
import core from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import c from "highlight.js/lib/languages/c"
import cpp from "highlight.js/lib/languages/cpp"
import csharp from "highlight.js/lib/languages/csharp"
import css from "highlight.js/lib/languages/css"
import diff from "highlight.js/lib/languages/diff"
import dockerfile from "highlight.js/lib/languages/dockerfile"
import go from "highlight.js/lib/languages/go"
import ini from "highlight.js/lib/languages/ini"
import java from "highlight.js/lib/languages/java"
import javascript from "highlight.js/lib/languages/javascript"
import json from "highlight.js/lib/languages/json"
import markdown from "highlight.js/lib/languages/markdown"
import php from "highlight.js/lib/languages/php"
import python from "highlight.js/lib/languages/python"
import ruby from "highlight.js/lib/languages/ruby"
import rust from "highlight.js/lib/languages/rust"
import sql from "highlight.js/lib/languages/sql"
import typescript from "highlight.js/lib/languages/typescript"
import xml from "highlight.js/lib/languages/xml"
import yaml from "highlight.js/lib/languages/yaml"
import type { Role, Style, Theme } from "../theme.ts"
import type { Highlight } from "./view.ts"

const languages = core.newInstance()
for (const [name, grammar] of Object.entries({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml
})) {
  languages.registerLanguage(name, grammar)
}
languages.registerAliases(["jsonc", "json5"], { languageName: "json" })
languages.registerAliases(["shell", "console", "shellsession", "fish"], { languageName: "bash" })

/** Scopes of highlight.js, by the first part of their class. */
const ROLES: Readonly<Record<string, Role>> = {
  keyword: "keyword",
  built_in: "callee",
  literal: "number",
  number: "number",
  string: "string",
  regexp: "string",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  meta: "comment",
  title: "callee",
  type: "type",
  class: "type",
  attr: "attribute",
  attribute: "attribute",
  property: "attribute",
  name: "keyword",
  tag: "keyword",
  section: "type",
  symbol: "number",
  bullet: "bullet",
  link: "link",
  code: "code",
  addition: "added",
  deletion: "removed",
  "selector-tag": "keyword",
  "selector-class": "type",
  "selector-id": "type",
  "template-variable": "type"
}

export const highlight: Highlight = (code, language, theme) => {
  if (languages.getLanguage(language) === undefined) return undefined
  return styledLines(languages.highlight(code, { language, ignoreIllegals: true }).value, theme)
}

const PIECES = /<span class="hljs-([\w-]+)[^"]*">|<\/span>|[^<]+/g

/** The library's HTML as styled lines; a style ends with each line and begins again. */
const styledLines = (html: string, theme: Theme): ReadonlyArray<string> => {
  const open: Array<Style | undefined> = []
  let text = ""
  for (const [piece, scope] of html.matchAll(PIECES)) {
    if (scope !== undefined) {
      const role = ROLES[scope]
      open.push(role === undefined ? open.at(-1) : theme[role])
    } else if (piece === "</span>") open.pop()
    else text += (open.at(-1) ?? plain)(decoded(piece))
  }
  return text.split("\n")
}

const plain: Style = (text) => text

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" }

const decoded = (text: string): string =>
  text.includes("&") ? text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? "") : text
