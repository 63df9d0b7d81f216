/**
 * Variables for commands and custom tools (spec 08): `~/.maia/env`, and over it `.maia/env` of a trusted launch folder, which
 * may not set what decides what runs (`dangerous.ts`). Never maia's own environment: settings do not come from here.
 */
import { Context, Effect, FileSystem, Layer } from "effect"
import { Config } from "../../config/Config.ts"
import { text, type Text } from "../../domain/text.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import { CommandEnvironment } from "../../process/Shell.ts"
import { nothing, type ExtensionKind } from "../Extensions.ts"
import { readSource } from "../readSource.ts"
import { isDangerousVariable } from "./dangerous.ts"
import { parseDotenv } from "./dotenv.ts"

/** Bytes of one file. */
const MAX_FILE = 100_000

type Variables = Readonly<Record<string, string>>

interface Read {
  readonly variables: Variables
  readonly warnings: ReadonlyArray<Text>
}

export class ProjectEnvironment extends Context.Service<
  ProjectEnvironment,
  {
    /** As of the last load; a project's only while its folder is trusted. */
    readonly variables: Effect.Effect<Variables>
    /** Takes the files anew; contributes warnings only. */
    readonly kind: ExtensionKind
  }
>()("maia/extensions/ProjectEnvironment") {
  /** Provides the variables to `Shell` too. */
  static readonly layer = Layer.effect(
    CommandEnvironment,
    Effect.map(ProjectEnvironment, ({ variables }) => variables)
  ).pipe(
    Layer.provideMerge(
      Layer.effect(
        ProjectEnvironment,
        Effect.suspend(() => make)
      )
    )
  )
}

const none: Read = { variables: {}, warnings: [] }

const make = Effect.gen(function* () {
  const config = yield* Config
  const fs = yield* FileSystem.FileSystem
  const trusted = yield* TrustState
  const read = (file: string, mayAll: boolean) =>
    Effect.provideService(readFile(file, mayAll), FileSystem.FileSystem, fs)
  const both = Effect.gen(function* () {
    const user = yield* read(`${config.userDir}/env`, true)
    const project = config.projectDir === config.userDir ? none : yield* read(`${config.projectDir}/env`, false)
    return { user, project, joined: { ...user.variables, ...project.variables } }
  })
  let loaded: Effect.Success<typeof both> | undefined

  const counts = ({ project }: Effect.Success<typeof both>) =>
    project === none || (Object.keys(project.variables).length === 0 && project.warnings.length === 0)
      ? Effect.succeed(false)
      : trusted

  const load = Effect.gen(function* () {
    const files = yield* both
    loaded = files
    const warnings = (yield* counts(files)) ? [...files.user.warnings, ...files.project.warnings] : files.user.warnings
    return { ...nothing, warnings }
  })

  const variables = Effect.gen(function* () {
    const files = loaded ?? (yield* both)
    loaded = files
    return (yield* counts(files)) ? files.joined : files.user.variables
  })

  return ProjectEnvironment.of({ variables, kind: { name: "variables", load } })
})

const readFile = Effect.fnUntraced(function* (
  file: string,
  mayAll: boolean
): Effect.fn.Return<Read, never, FileSystem.FileSystem> {
  const source = yield* readSource(file, MAX_FILE)
  if ("problem" in source) {
    const { en, fr } = source.problem
    return source.missing ? none : { variables: {}, warnings: [text(`${file}: ${en}.`, `${file} : ${fr}.`)] }
  }
  const parsed = parseDotenv(source.content)
  const warnings = parsed.problems.map(({ line, text: { en, fr } }) =>
    text(`${file}:${line}: ${en}.`, `${file}:${line} : ${fr}.`)
  )
  const variables: Record<string, string> = {}
  for (const [name, { line, value }] of parsed.variables) {
    if (mayAll || !isDangerousVariable(name)) variables[name] = value
    else {
      warnings.push(
        text(
          `${file}:${line}: ${name} is ignored: a project may not set what decides which programs run. Set it in ~/.maia/env if you want it.`,
          `${file}:${line} : ${name} est ignoré : un projet ne peut pas régler ce qui décide des programmes exécutés. Réglez-le dans ~/.maia/env si vous le voulez.`
        )
      )
    }
  }
  return { variables, warnings }
})
