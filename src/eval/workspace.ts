/**
 * The folder a task is played in: fresh, temporary, with a home of its own so that nothing of the user's settings, rules or
 * instructions beside the server and the model can reach it. Gone when the scope closes.
 */
import { Effect, FileSystem, Option, Path, Schema, type Scope } from "effect"
import type { Config } from "../config/Config.ts"
import type { EvalTask } from "./task.ts"

export interface Workspace {
  readonly folder: string
  /** The caller's settings of server and model, everything else of this folder's own. */
  readonly config: Config["Service"]
  /** Paths of files that are not as at the start, sorted. */
  readonly changed: Effect.Effect<ReadonlyArray<string>>
}

/** The folder cannot be made: no space, no rights. */
export class WorkspaceError extends Schema.TaggedError<WorkspaceError>()("WorkspaceError", {
  message: Schema.String
}) {}

/** Folders that maia itself may make. */
const OWN = ".maia"

export const makeWorkspace = (
  task: EvalTask,
  base: Config["Service"]
): Effect.Effect<Workspace, WorkspaceError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "maia-eval-" }), fs.realPath)
    const folder = path.join(root, "project")
    const home = path.join(root, "home")
    for (const made of [folder, home]) yield* fs.makeDirectory(made)
    for (const [name, content] of Object.entries(task.files)) {
      const file = path.join(folder, name)
      yield* fs.makeDirectory(path.dirname(file), { recursive: true })
      yield* fs.writeFileString(file, content)
    }
    for (const name of task.executable ?? []) yield* fs.chmod(path.join(folder, name), 0o755)

    const files = (below: string): Effect.Effect<ReadonlyArray<string>> =>
      Effect.gen(function* () {
        const found: Array<string> = []
        for (const name of yield* fs.readDirectory(path.join(folder, below)).pipe(Effect.orElseSucceed(() => []))) {
          const at = below === "" ? name : `${below}/${name}`
          if (at === OWN) continue
          const info = yield* Effect.option(fs.stat(path.join(folder, at)))
          if (Option.isSome(info) && info.value.type === "Directory") found.push(...(yield* files(at)))
          else found.push(at)
        }
        return found
      })

    const changed = Effect.gen(function* () {
      const now = yield* files("")
      const others = now.filter((name) => !Object.hasOwn(task.files, name))
      for (const [name, content] of Object.entries(task.files)) {
        const found = yield* fs.readFileString(path.join(folder, name)).pipe(Effect.orElseSucceed(() => undefined))
        if (found !== content) others.push(name)
      }
      return others.sort()
    })

    return { folder, config: configIn({ root, folder, home }, base, path), changed }
  }).pipe(Effect.catchTag("PlatformError", (error) => new WorkspaceError({ message: error.message })))

const configIn = (
  { root, folder, home }: { readonly root: string; readonly folder: string; readonly home: string },
  base: Config["Service"],
  path: Path.Path
): Config["Service"] => ({
  ...base,
  launchFolder: folder,
  home,
  userDir: path.join(home, OWN),
  projectDir: path.join(folder, OWN),
  outputDir: path.join(root, "output"),
  // What is copied there once (the search engine) is the same for every task: the user's own cache is used.
  cacheDir: base.cacheDir,
  env: environment(base.env, home, root),
  rules: RULES.map((rule) => ({ rule, kind: "allow", scope: "flag", file: "maia eval", line: 0 })),
  warnings: [],
  settings: {
    ...base.settings,
    mode: "ask",
    sandbox: base.settings.sandbox === "required" ? "required" : "auto",
    checkpoints: { ...base.settings.checkpoints, enabled: false }
  }
})

/** All that a task can need, inside its folder; what these do not cover is put to `EvalApprover`. */
const RULES = ["Read(**)", "Glob(**)", "Grep(**)", "Write(**)", "Edit(**)", "Bash(*)"]

/** Programs are found; nothing else of the user's is. */
const environment = (
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  root: string
): Record<string, string | undefined> => ({
  PATH: env["PATH"],
  SystemRoot: env["SystemRoot"],
  LANG: "C.UTF-8",
  HOME: home,
  TMPDIR: root
})
