/** What the command definitions share: loading on demand, and the flags that mean the same everywhere. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { setExit, type ExitCode } from "./ExitCode.ts"

/** Picks the help text of the interface's language. */
export type Say = (en: string, fr: string) => string

/** Loads a command's module only when it runs, and makes its result the exit code. */
export const handled = <Module, E, R>(
  load: () => Promise<Module>,
  start: (module: Module) => Effect.Effect<number, E, R>
): Effect.Effect<void, E, R | ExitCode> => Effect.flatMap(Effect.flatMap(Effect.promise(load), start), setExit)

export const optional = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

export const repeated = (name: string, description: string, metavar = "RULE") =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.atLeast(0))

export const on = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

/** Of commands that tell what a folder and the user have. */
export const folderFlags = (say: Say) => ({
  cwd: cwdFlag(say),
  json: on("json", "JSON"),
  trust: on(
    "trust",
    say("Trust this folder's .maia for this run", "Faire confiance au .maia de ce dossier, cette fois")
  )
})

export const cwdFlag = (say: Say) => optional("cwd", say("Launch folder", "Dossier de lancement"))
