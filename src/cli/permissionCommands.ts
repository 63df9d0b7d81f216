/** The `maia permissions` commands: flags and help only; see `commandTree.ts`. */
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { cwdFlag, handled, on, optional, repeated, type Say } from "./commandParts.ts"

const load = () => import("./commands/permissions.ts")

const json = on("json", "JSON")

const shared = (say: Say) => ({
  cwd: cwdFlag(say),
  trust: on(
    "trust",
    say("Count the allow rules of this folder's .maia", "Compter les règles allow du .maia de ce dossier")
  )
})

export const permissionsCommand = (say: Say) =>
  Command.make("permissions").pipe(
    Command.withDescription(say("Rules, and what they decide", "Les règles, et ce qu'elles décident")),
    Command.withSubcommands([
      Command.make("list", { ...shared(say), json }, (flags) =>
        handled(load, (module) => module.listRules(flags))
      ).pipe(
        Command.withDescription(say("Rules in force, with file and line", "Règles en vigueur, avec fichier et ligne"))
      ),
      Command.make(
        "check",
        {
          ...shared(say),
          json,
          command: Argument.String("command").pipe(
            Argument.withDescription(say("Shell command, or the value of --tool", "Commande, ou valeur pour --tool")),
            Argument.optional,
            Argument.map(Option.getOrUndefined)
          ),
          tool: Flag.String("tool").pipe(
            Flag.withDescription(say("Tool to be judged", "Outil à juger")),
            Flag.withDefault("Bash")
          ),
          path: optional("path", say("Path, for file tools", "Chemin, pour les outils de fichiers")),
          url: optional("url", "URL"),
          rules: optional(
            "rules",
            say("Settings file whose rules count alone", "Fichier de réglages dont seules les règles comptent")
          ),
          allow: repeated("allow", say("One more rule", "Une règle de plus")),
          deny: repeated("deny", say("One more rule", "Une règle de plus"))
        },
        (flags) => handled(load, (module) => module.checkPermission(flags))
      ).pipe(Command.withDescription(say("What would be decided, and why", "Ce qui serait décidé, et pourquoi"))),
      Command.make("log", { ...shared(say), json }, (flags) =>
        handled(load, (module) => module.permissionLog(flags))
      ).pipe(
        Command.withDescription(
          say("Decisions of the newest session here", "Décisions de la dernière session de ce dossier")
        )
      )
    ])
  )
