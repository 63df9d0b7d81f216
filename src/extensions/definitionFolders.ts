/**
 * Reads a place that holds one folder for each thing of a kind (`skills/NAME/SKILL.md`, `agents/NAME/AGENT.md`). What is
 * wrong with one of them is a warning and leaves the others; a place that is not there holds nothing.
 */
import { Effect, FileSystem, Path } from "effect"
import { text, type Text } from "../domain/text.ts"
import { readSource } from "./readSource.ts"

export interface DefinitionKind<A> {
  /** `a skill`, with its article. */
  readonly noun: Text
  /** Names its file may have, the usual one first. */
  readonly files: readonly [usual: string, ...others: ReadonlyArray<string>]
  /** Bytes of one file. */
  readonly maxBytes: number
  /** Entries of one place that are looked at. */
  readonly most: number
  readonly isName: (name: string) => boolean
  readonly parse: (definition: Definition) => Effect.Effect<Parsed<A>>
}

export interface Definition {
  /** The folder's name. */
  readonly name: string
  readonly file: string
  readonly folder: string
  /** With `\n` line ends, without byte order mark. */
  readonly content: string
}

export interface Parsed<A> {
  /** Undefined where there is nothing to be had. */
  readonly found: A | undefined
  readonly warnings: ReadonlyArray<Text>
}

export interface Definitions<A> {
  /** In order of names. */
  readonly found: ReadonlyArray<A>
  readonly warnings: ReadonlyArray<Text>
}

type Disk = FileSystem.FileSystem | Path.Path

export const readDefinitions = Effect.fn("Extensions.readDefinitions")(function* <A>(
  place: string,
  kind: DefinitionKind<A>
): Effect.fn.Return<Definitions<A>, never, Disk> {
  const fs = yield* FileSystem.FileSystem
  const listed = yield* Effect.result(fs.readDirectory(place))
  if (listed._tag === "Failure") {
    const why = listed.failure.reason._tag
    return { found: [], warnings: why === "NotFound" ? [] : [unreadable(place, why)] }
  }
  const names = listed.success.filter((name) => !name.startsWith(".") && name !== "node_modules").sort()
  const tooMany =
    names.length <= kind.most
      ? []
      : [
          text(
            `${place} holds ${names.length} entries; the first ${kind.most} by name are used.`,
            `${place} contient ${names.length} entrées ; les ${kind.most} premières par nom sont utilisées.`
          )
        ]
  const read = yield* Effect.forEach(names.slice(0, kind.most), (name) => readEntry(place, name, kind), {
    concurrency: 16
  })
  return {
    found: read.flatMap(({ found }) => (found === undefined ? [] : [found])),
    warnings: [...tooMany, ...read.flatMap(({ warnings }) => warnings)]
  }
})

const warned = (warning: Text): Parsed<never> => ({ found: undefined, warnings: [warning] })

const unreadable = (path: string, why: string): Text =>
  text(`${path}: cannot be read (${why}).`, `${path} : ne peut pas être lu (${why}).`)

const readEntry = Effect.fnUntraced(function* <A>(
  place: string,
  name: string,
  kind: DefinitionKind<A>
): Effect.fn.Return<Parsed<A>, never, Disk> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(place, name)
  const info = yield* Effect.result(fs.stat(folder))
  if (info._tag === "Failure") return warned(unreadable(folder, info.failure.reason._tag))
  if (info.success.type !== "Directory") return notAFolder(folder, name, kind)
  for (const fileName of kind.files) {
    const file = path.join(folder, fileName)
    const source = yield* readSource(file, kind.maxBytes)
    if ("problem" in source) {
      if (source.missing) continue
      return warned(text(`${file}: ${source.problem.en}.`, `${file} : ${source.problem.fr}.`))
    }
    if (kind.isName(name)) return yield* kind.parse({ name, file, folder, content: source.content })
    return warned(
      text(
        `${folder}: the folder's name cannot name ${kind.noun.en}: use letters, digits, _ . and -, at most 64.`,
        `${folder} : le nom du dossier ne peut pas nommer ${kind.noun.fr} : lettres, chiffres, _ . et -, 64 au plus.`
      )
    )
  }
  const [usual] = kind.files
  return warned(
    text(`${folder}: there is no ${usual} in this folder.`, `${folder} : il n'y a pas de ${usual} dans ce dossier.`)
  )
})

/** A Markdown file where a folder should be; anything else is none of our business. */
const notAFolder = <A>(file: string, name: string, { files, noun }: DefinitionKind<A>): Parsed<never> => {
  if (!/\.md$/i.test(name) || /^readme\.md$/i.test(name)) return { found: undefined, warnings: [] }
  const target = `${name.replace(/\.md$/i, "")}/${files[0]}`
  return warned(
    text(
      `${file}: ${noun.en} is a folder: move this file to ${target}.`,
      `${file} : ${noun.fr} est un dossier : déplacez ce fichier dans ${target}.`
    )
  )
}
