/** The `maia eval` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command, Flag } from "effect/cli"
import { cwdFlag, handled, on, optional, repeated, type Say } from "./commandParts.ts"

const load = () => import("./commands/eval.ts")

const positive = (say: Say, name: string, description: string, otherwise: number) =>
  Flag.Int(name).pipe(
    Flag.withDescription(description),
    Flag.filter(
      (n) => n > 0,
      () => say("expected a positive integer", "un entier positif est attendu")
    ),
    Flag.withDefault(otherwise)
  )

export const evalCommand = (say: Say) =>
  Command.make(
    "eval",
    {
      cwd: cwdFlag(say),
      model: repeated(
        "model",
        say("Model to evaluate; may be repeated", "Modèle à évaluer ; peut être répété"),
        "MODEL"
      ).pipe(Flag.withAlias("m")),
      task: repeated(
        "task",
        say("Only this task; may be repeated", "Seulement cette tâche ; peut être répété"),
        "TASK"
      ),
      runs: positive(say, "runs", say("Runs of each task", "Exécutions de chaque tâche"), 1),
      jobs: positive(say, "jobs", say("Runs at the same time", "Exécutions simultanées"), 1),
      timeout: positive(say, "timeout", say("Seconds for one run", "Secondes pour une exécution"), 300),
      without: repeated(
        "without",
        say("Switch a guard rail off, for example loopDetector", "Désactiver un garde-fou, par exemple loopDetector"),
        "RAIL"
      ),
      json: optional("json", say("File for the report", "Fichier pour le rapport")),
      list: on("list", say("List the tasks", "Lister les tâches")),
      badModels: on(
        "bad-models",
        say(
          "Play scripted bad models with and without the guard rails (no server needed)",
          "Jouer de mauvais modèles scriptés avec et sans les garde-fous (sans serveur)"
        )
      )
    },
    (flags) =>
      flags.badModels
        ? handled(
            () => import("./commands/badModels.ts"),
            (module) => module.badModelTable(flags)
          )
        : handled(load, (module) => module.evaluation(flags))
  ).pipe(
    Command.withDescription(
      say(
        "Measure how well models do small tasks in temporary folders",
        "Mesurer comment des modèles réussissent de petites tâches dans des dossiers temporaires"
      )
    ),
    Command.withSubcommands([
      Command.make("compare", { before: Argument.String("before"), after: Argument.String("after") }, (flags) =>
        handled(load, (module) => module.compare(flags))
      ).pipe(Command.withDescription(say("Compare two reports", "Comparer deux rapports")))
    ])
  )
