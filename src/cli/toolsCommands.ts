/** The `maia tools` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command } from "effect/cli"
import { cwdFlag, handled, on, type Say } from "./commandParts.ts"

const load = () => import("./commands/tools.ts")

const shared = (say: Say) => ({
  cwd: cwdFlag(say),
  trust: on(
    "trust",
    say("Trust this folder's .maia for this run", "Faire confiance au .maia de ce dossier, cette fois")
  )
})

export const toolsCommand = (say: Say) =>
  Command.make("tools").pipe(
    Command.withDescription(say("Custom tools of this folder", "Outils personnalisés de ce dossier")),
    Command.withSubcommands([
      Command.make("list", { ...shared(say), json: on("json", "JSON") }, (flags) =>
        handled(load, (module) => module.listTools(flags))
      ).pipe(Command.withDescription(say("Tools and their parameters", "Les outils et leurs paramètres"))),
      Command.make(
        "run",
        {
          ...shared(say),
          name: Argument.String("name"),
          values: Argument.String("name=value").pipe(
            Argument.withDescription(say("Parameters", "Paramètres")),
            Argument.variadic()
          )
        },
        (flags) => handled(load, (module) => module.runTool(flags))
      ).pipe(
        Command.withDescription(say("Run a tool as the model would", "Lancer un outil comme le ferait le modèle")),
        Command.withExamples([{ command: "maia tools run addition a=2 b=3", description: "" }])
      )
    ])
  )
