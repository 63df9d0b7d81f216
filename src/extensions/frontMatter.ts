/**
 * Front matter of Markdown files (skills, commands): YAML between two lines of `---`. Pure, but for loading the YAML
 * library where the plain reader does not do.
 */
import { Effect } from "effect"
import { text, type Text } from "../domain/text.ts"
import { readPlainYaml, type PlainField } from "./plainYaml.ts"

export interface FrontMatter {
  /** By key in lower case; lines count from the start of the file. */
  readonly fields: ReadonlyMap<string, PlainField>
  /** What stands below, trimmed. */
  readonly body: string
}

export interface FrontMatterProblem {
  readonly problem: Text
  /** From 1. */
  readonly line: number
}

/** Characters of front matter that are read. */
const LONGEST = 50_000

/** Undefined where there is none. `content` has `\n` line ends and no byte order mark. */
export const readFrontMatter = (content: string): Effect.Effect<FrontMatter | FrontMatterProblem | undefined> =>
  Effect.suspend(() => {
    const open = /^---[ \t]*\n/.exec(content)?.[0]
    if (open === undefined) return Effect.undefined
    const close = /^---[ \t]*$/m.exec(content.slice(open.length, open.length + LONGEST))
    if (close === null) {
      return Effect.succeed({
        line: 1,
        problem: text(
          "the front matter has no end: write a line --- below it",
          "l'en-tête n'a pas de fin : écrivez une ligne --- en dessous"
        )
      })
    }
    const yaml = content.slice(open.length, open.length + close.index)
    const body = content.slice(open.length + close.index + close[0].length).trim()
    const plain = readPlainYaml(yaml)
    if (plain !== undefined) return Effect.succeed({ fields: lowered(plain), body })
    return Effect.map(
      Effect.promise(async () => {
        const read = await readWithLibrary(yaml)
        const again = "problem" in read ? await readWithLibrary(withQuotes(yaml)) : read
        return "problem" in again ? read : again
      }),
      (read) => ("problem" in read ? read : { fields: lowered(read.fields), body })
    )
  })

/** The first line of the file is the `---`. */
const lowered = (fields: ReadonlyMap<string, PlainField>): ReadonlyMap<string, PlainField> =>
  new Map([...fields].map(([key, { value, line }]) => [key.toLowerCase(), { value, line: line + 1 }]))

/** `key: a text: with a colon` as it is meant: who writes a description does not think of YAML. */
const withQuotes = (yaml: string): string =>
  yaml.replaceAll(
    /^([A-Za-z][\w-]*): +([\p{L}\p{N}][^\n]*: [^\n]*)$/gmu,
    (_line, key: string, value: string) => `${key}: ${JSON.stringify(value.trim())}`
  )

type Read = FrontMatterProblem | { readonly fields: ReadonlyMap<string, PlainField> }

const readWithLibrary = async (yaml: string): Promise<Read> => {
  const { isMap, isNode, isScalar, LineCounter, parseDocument } = await import("yaml")
  const counter = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: counter, prettyErrors: false })
  const lineAt = (offset: number): number => counter.linePos(offset).line
  const [error] = document.errors
  if (error !== undefined) {
    const said = error.message.split("\n")[0] ?? ""
    return {
      line: lineAt(error.pos[0]) + 1,
      problem: text(
        `the front matter is not valid YAML: ${said}. A text with ": " or " #" needs quotes`,
        `l'en-tête n'est pas du YAML valide : ${said}. Un texte avec « : » ou « # » demande des guillemets`
      )
    }
  }
  const fields = new Map<string, PlainField>()
  if (document.contents === null) return { fields }
  if (!isMap(document.contents)) {
    return {
      line: 2,
      problem: text("expected lines of the form KEY: VALUE", "des lignes de la forme CLÉ: VALEUR sont attendues")
    }
  }
  for (const { key, value } of document.contents.items) {
    const name = isScalar(key) ? String(key.value) : ""
    const line = isNode(key) && key.range ? lineAt(key.range[0]) : 1
    fields.set(name, { value: plainValue(value, document, isNode), line })
  }
  return { fields }
}

/** An alias to what is not there, or one too many, is no value. */
const plainValue = (
  value: unknown,
  document: import("yaml").Document,
  isNode: (value: unknown) => value is import("yaml").Node
): unknown => {
  if (!isNode(value)) return value
  try {
    return value.toJS(document)
  } catch {
    return undefined
  }
}

/** A value as one line: nothing that could look like another line of the prompt, or act on a terminal. */
export const oneLine = (value: string): string => value.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim()
