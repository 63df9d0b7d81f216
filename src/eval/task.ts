/**
 * What a task of `maia eval` is (spec 06): a folder, a request, and checks on what is there afterwards. A task is judged by its
 * result alone, never by how the model says it went.
 */
import { Effect } from "effect"
import { text, type Text } from "../domain/text.ts"

/** The folder after the turn, as checks see it. Paths are relative to it. */
export interface Outcome {
  /** Text of the last answer. */
  readonly answer: string
  /** UTF-8; undefined where there is no such file. */
  readonly read: (path: string) => Effect.Effect<string | undefined>
  readonly write: (path: string, content: string) => Effect.Effect<void>
  /** Files that were added, changed or removed since the start, sorted. */
  readonly changed: Effect.Effect<ReadonlyArray<string>>
  /** Runs a command in the folder as the model's commands run. */
  readonly run: (command: string) => Effect.Effect<{ readonly ok: boolean; readonly output: string }>
}

/** What is wrong, in one sentence; undefined where nothing is. */
export type Check = (outcome: Outcome) => Effect.Effect<Text | undefined>

export interface EvalTask {
  readonly name: string
  /** One line for the list. */
  readonly about: Text
  /** Paths relative to the folder, with their content. */
  readonly files: Readonly<Record<string, string>>
  /** Paths of `files` that may be run. */
  readonly executable?: ReadonlyArray<string>
  readonly prompt: string
  /** In order; the first fault ends it. */
  readonly checks: ReadonlyArray<Check>
}

/** The first fault, if any. */
export const judgeTask = (task: EvalTask, outcome: Outcome): Effect.Effect<Text | undefined> =>
  Effect.gen(function* () {
    for (const check of task.checks) {
      const fault = yield* check(outcome)
      if (fault !== undefined) return fault
    }
    return undefined
  })

// --- checks ----------------------------------------------------------------------------------------------------------

const SHOWN = 160

const quoted = (value: string): string => {
  const line = JSON.stringify(value)
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}

/** The file is exactly this, to the byte. */
export const equals =
  (path: string, expected: string): Check =>
  ({ read }) =>
    Effect.map(read(path), (found) => {
      if (found === expected) return undefined
      if (found === undefined) return missing(path)
      const at = firstDifference(found, expected)
      return text(
        `${path} is not as expected in line ${at.line}: ${quoted(at.found)}, not ${quoted(at.expected)}`,
        `${path} n'est pas comme attendu à la ligne ${at.line} : ${quoted(at.found)}, et non ${quoted(at.expected)}`
      )
    })

/** The file holds this (or, for `holdsNot`, does not). */
export const holds =
  (path: string, pattern: RegExp): Check =>
  ({ read }) =>
    Effect.map(read(path), (found) => {
      if (found === undefined) return missing(path)
      return pattern.test(found)
        ? undefined
        : text(`${path} does not hold ${pattern}`, `${path} ne contient pas ${pattern}`)
    })

export const holdsNot =
  (path: string, pattern: RegExp): Check =>
  ({ read }) =>
    Effect.map(read(path), (found) =>
      found !== undefined && pattern.test(found)
        ? text(`${path} still holds ${pattern}`, `${path} contient encore ${pattern}`)
        : undefined
    )

/** The file is JSON of this value, however it is laid out. */
export const isJson =
  (path: string, expected: unknown): Check =>
  ({ read }) =>
    Effect.map(read(path), (found) => {
      if (found === undefined) return missing(path)
      const value = parseJson(found)
      if (value === undefined) return text(`${path} is not valid JSON`, `${path} n'est pas du JSON valide`)
      return canonical(value) === canonical(expected)
        ? undefined
        : text(`${path} does not hold the expected values`, `${path} ne contient pas les valeurs attendues`)
    })

/** The command succeeds and prints exactly this; ends of lines at the end do not count. */
export const prints =
  (command: string, expected: string): Check =>
  ({ run }) =>
    Effect.map(run(command), ({ ok, output }) =>
      ok && output.trimEnd() === expected.trimEnd()
        ? undefined
        : text(
            `"${command}" prints ${quoted(output)}, not ${quoted(expected)}`,
            `« ${command} » affiche ${quoted(output)}, et non ${quoted(expected)}`
          )
    )

/** Puts a file in place first: a test that the model must not have bent. */
export const withFile =
  (path: string, content: string, check: Check): Check =>
  (outcome) =>
    Effect.andThen(outcome.write(path, content), check(outcome))

/** Nothing but these files was added, changed or removed. */
export const changedOnly =
  (...paths: ReadonlyArray<string>): Check =>
  ({ changed }) =>
    Effect.map(changed, (found) => {
      const others = found.filter((path) => !paths.includes(path))
      return others.length === 0
        ? undefined
        : text(`changed besides: ${others.join(", ")}`, `modifiés en plus : ${others.join(", ")}`)
    })

export const answers =
  (pattern: RegExp): Check =>
  ({ answer }) =>
    Effect.succeed(
      pattern.test(answer)
        ? undefined
        : text(
            `the answer does not hold ${pattern}: ${quoted(answer)}`,
            `la réponse ne contient pas ${pattern} : ${quoted(answer)}`
          )
    )

export const answersNot =
  (pattern: RegExp): Check =>
  ({ answer }) =>
    Effect.succeed(
      pattern.test(answer)
        ? text(`the answer holds ${pattern}: ${quoted(answer)}`, `la réponse contient ${pattern} : ${quoted(answer)}`)
        : undefined
    )

const missing = (path: string): Text => text(`${path} is missing`, `${path} manque`)

const firstDifference = (found: string, expected: string) => {
  const [left, right] = [found.split("\n"), expected.split("\n")]
  let line = 0
  while (line < Math.min(left.length, right.length) && left[line] === right[line]) line++
  return { line: line + 1, found: left[line] ?? "", expected: right[line] ?? "" }
}

const parseJson = (source: string): unknown => {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

/** JSON text with sorted keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  )
