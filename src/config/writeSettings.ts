/**
 * Changes a settings file for the user: comments, order and indentation stay, several instances lose nothing (spec 01, 03;
 * field case D11). A file that cannot be read as JSON, or would not be accepted afterwards, is left alone.
 */
import { Effect } from "effect"
import { applyEdits, type FormattingOptions, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser"
import { text, type Text } from "../domain/text.ts"
import { ConfigError } from "./loadConfig.ts"
import { LockedFileError, updateLockedFile } from "./lockedFile.ts"
import { readSettingsFile } from "./settingsFile.ts"

export type SettingsEdit =
  /** `undefined` removes the key. */
  | { readonly path: ReadonlyArray<string>; readonly value: unknown }
  /** Adds to the end of a list, which is made where it is missing; what the list holds already is not added again. */
  | { readonly path: ReadonlyArray<string>; readonly append: unknown }

export interface SettingsUpdate {
  /** Undefined where there was no file. */
  readonly before: string | undefined
  readonly after: string
}

/**
 * Applies the edits in order, under a lock, in one step. A new file has mode 0600. Gives back the exact text before and
 * after. Fails with one line per reason; then the file is as it was. For a project's file give the launch folder as
 * `within`: a repository could bring along a link to the user's own settings.
 */
export const updateSettings = Effect.fn("Config.updateSettings")(function* (
  file: string,
  edits: ReadonlyArray<SettingsEdit>,
  options: { readonly within?: string } = {}
): Effect.fn.Return<SettingsUpdate, ConfigError> {
  let update: SettingsUpdate = { before: undefined, after: "" }
  const change = (before: string | undefined) =>
    Effect.map(editSettings(file, before ?? "", edits), (after) => {
      update = { before, after }
      return after === before ? undefined : after
    })
  yield* updateLockedFile(file, change, options).pipe(
    Effect.catchIf(isFileError, (error) => new ConfigError({ texts: [cannotWrite(error)] }))
  )
  return update
})

const isFileError = (error: ConfigError | LockedFileError): error is LockedFileError => error._tag === "LockedFileError"

/** The text of the file with the edits. Pure but for its failure. */
export const editSettings = (
  file: string,
  source: string,
  edits: ReadonlyArray<SettingsEdit>
): Effect.Effect<string, ConfigError> =>
  Effect.suspend(() => {
    const mark = source.startsWith("\uFEFF") ? "\uFEFF" : ""
    const body = source.slice(mark.length)
    const old = body.trim() === "" ? {} : parseRoot(file, body)
    if (old instanceof ConfigError) return old
    const eol = body.includes("\r\n") ? "\r\n" : "\n"
    let edited = body.trim() === "" ? `{}${eol}` : body
    for (const edit of edits) {
      const next = applyOne(file, edited, edit, formatting(body, eol))
      if (next instanceof ConfigError) return next
      edited = next
    }
    const known = new Set(readSettingsFile(file, body, "user").problems.map(({ en }) => withoutLine(file, en)))
    const fresh = readSettingsFile(file, edited, "user").problems.filter(({ en }) => !known.has(withoutLine(file, en)))
    return fresh.length === 0 ? Effect.succeed(mark + edited) : new ConfigError({ texts: fresh })
  })

const parseRoot = (file: string, source: string): unknown => {
  const errors: Array<ParseError> = []
  const root: unknown = parse(source, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) return new ConfigError({ texts: [badJson(file, lineOf(source, error.offset), error)] })
  return isRecord(root) ? root : new ConfigError({ texts: [notAnObject(file, [])] })
}

const applyOne = (
  file: string,
  source: string,
  edit: SettingsEdit,
  format: FormattingOptions
): string | ConfigError => {
  const root = parseRoot(file, source)
  if (root instanceof ConfigError) return root
  let parent = root
  for (const [depth, name] of edit.path.entries()) {
    if (!isRecord(parent)) return new ConfigError({ texts: [notAnObject(file, edit.path.slice(0, depth))] })
    if (depth < edit.path.length - 1) parent = Object.hasOwn(parent, name) ? parent[name] : {}
  }
  const last = edit.path.at(-1)
  const current = last !== undefined && isRecord(parent) && Object.hasOwn(parent, last) ? parent[last] : undefined
  if ("value" in edit) {
    return applyEdits(source, modify(source, [...edit.path], edit.value, { formattingOptions: format }))
  }
  if (current === undefined) {
    return applyEdits(source, modify(source, [...edit.path], [edit.append], { formattingOptions: format }))
  }
  if (!Array.isArray(current)) return new ConfigError({ texts: [notAList(file, edit.path)] })
  const wanted = JSON.stringify(edit.append)
  if (current.some((value) => JSON.stringify(value) === wanted)) return source
  const options = { formattingOptions: format, isArrayInsertion: true }
  return applyEdits(source, modify(source, [...edit.path, -1], edit.append, options))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** As the file is written already. */
const formatting = (source: string, eol: string): FormattingOptions => {
  const indent = /^[ \t]+(?=")/m.exec(source)?.[0] ?? "  "
  return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.startsWith("\t") ? 1 : indent.length, eol }
}

const lineOf = (source: string, offset: number): number => source.slice(0, offset).split("\n").length

/** An edit moves the lines of problems that were there before. */
const withoutLine = (file: string, problem: string): string =>
  problem.startsWith(`${file}:`) ? problem.slice(file.length + 1).replace(/^\d+/, "") : problem

const badJson = (file: string, line: number, { error }: ParseError): Text => {
  const code = printParseErrorCode(error)
  return text(
    `${file}:${line}: this is not valid JSON (${code}), so nothing was written. Repair that line and try again.`,
    `${file}:${line} : ce n'est pas du JSON valide (${code}), rien n'a donc été écrit. Corrigez cette ligne et recommencez.`
  )
}

const notAnObject = (file: string, path: ReadonlyArray<string>): Text => {
  const name = path.length === 0 ? "" : ` "${path.join(".")}"`
  return text(
    `${file}: expected a JSON object${name === "" ? "" : ` at${name}`}, so nothing was written.`,
    `${file} : un objet JSON est attendu${name === "" ? "" : ` à${name}`}, rien n'a donc été écrit.`
  )
}

const notAList = (file: string, path: ReadonlyArray<string>): Text =>
  text(
    `${file}: "${path.join(".")}" must be a list, so nothing was written.`,
    `${file} : « ${path.join(".")} » doit être une liste, rien n'a donc été écrit.`
  )

const cannotWrite = ({ file, code, holder = 0 }: LockedFileError): Text => {
  switch (code) {
    case "busy":
      return text(
        `${file}: process ${holder} keeps it locked, so nothing was written. Try again; if that process is not maia, remove ${file}.lock.`,
        `${file} : le processus ${holder} le garde verrouillé, rien n'a donc été écrit. Recommencez ; si ce processus n'est pas maia, supprimez ${file}.lock.`
      )
    case "outside":
      return text(
        `${file} is a link that leads out of its folder, so nothing was written. Put a real file there.`,
        `${file} est un lien qui mène hors de son dossier, rien n'a donc été écrit. Mettez-y un vrai fichier.`
      )
    default:
      return text(`${file}: cannot be written (${code}).`, `${file} : écriture impossible (${code}).`)
  }
}
