/** The `maia rules` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command, Flag } from "effect/cli"
import { cwdFlag, handled, on, optional, type Say } from "./commandParts.ts"

const load = () => import("./commands/rules.ts")

const json = on("json", "JSON")

export const rulesCommand = (say: Say) =>
  Command.make("rules").pipe(
    Command.withDescription(
      say(
        "Stream rules: what stops a bad answer while it is written",
        "Règles de flux : ce qui arrête une mauvaise réponse"
      )
    ),
    Command.withSubcommands([
      Command.make("list", { cwd: cwdFlag(say), json }, (flags) =>
        handled(load, (module) => module.listStreamRules(flags))
      ).pipe(Command.withDescription(say("Rules and where they come from", "Les règles et leur provenance"))),
      Command.make(
        "test",
        {
          cwd: cwdFlag(say),
          json,
          file: Argument.String("file").pipe(
            Argument.withDescription(
              say("Text, or recorded stream with --stream", "Texte, ou flux enregistré avec --stream")
            )
          ),
          as: Flag.String("as").pipe(
            Flag.withMetavar("SCOPE"),
            Flag.withDescription(
              say(
                "What the text is taken for: text, thinking, tool:Edit",
                "Ce que le texte représente : text, thinking, tool:Edit"
              )
            ),
            Flag.withDefault("text")
          ),
          path: optional("path", say("File that the call would name", "Fichier que l'appel nommerait")),
          stream: on(
            "stream",
            say(
              "The file is a debug file (MAIA_DEBUG_LLM) or a response body",
              "Le fichier est un journal (MAIA_DEBUG_LLM) ou un corps de réponse"
            )
          )
        },
        (flags) => handled(load, (module) => module.testStreamRules(flags))
      ).pipe(Command.withDescription(say("What would fire, and where", "Ce qui se déclencherait, et où")))
    ])
  )
