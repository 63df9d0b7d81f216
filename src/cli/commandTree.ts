/**
 * Every command, flag and help text of the executable. What a command does is loaded only when it runs: this file must
 * stay cheap, it is on the way of `--help`.
 */
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { cwdFlag, handled, on, optional, repeated, type Say } from "./commandParts.ts"
import { agentsCommand } from "./agentsCommands.ts"
import { doctorCommand } from "./doctorCommands.ts"
import { evalCommand } from "./evalCommands.ts"
import { mcpCommand } from "./mcpCommands.ts"
import { permissionsCommand } from "./permissionCommands.ts"
import { profileCommand } from "./profileCommands.ts"
import { rulesCommand } from "./rulesCommands.ts"
import { sessionsCommand } from "./sessionCommands.ts"
import { skillsCommand } from "./skillsCommands.ts"
import { toolsCommand } from "./toolsCommands.ts"
import { trustCommand } from "./trustCommands.ts"

const permissionFlags = (say: Say) => ({
  allow: repeated("allow", say("Allow what a rule covers", "Autoriser ce qu'une règle couvre")),
  deny: repeated("deny", say("Deny what a rule covers", "Refuser ce qu'une règle couvre")),
  permissions: Flag.Literals("permissions", ["ask", "deny", "allow"]).pipe(
    Flag.withDescription(
      say(
        "What to answer where a person would be asked: ask and deny refuse, allow says yes",
        "Réponse quand il faudrait demander : ask et deny refusent, allow accepte"
      )
    ),
    Flag.withDefault("ask")
  ),
  mode: Flag.Literals("mode", ["ask", "accept-edits", "plan", "auto"]).pipe(
    Flag.withDescription(say("Permission mode", "Mode de permission")),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  ),
  trust: on(
    "trust",
    say("Trust this folder's .maia for this run", "Faire confiance au .maia de ce dossier, cette fois")
  )
})

const sharedFlags = (say: Say) => ({
  cwd: cwdFlag(say),
  model: Flag.String("model").pipe(
    Flag.withAlias("m"),
    Flag.withDescription(say("Model, for example litellm:gpt-5", "Modèle, par exemple litellm:gpt-5")),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )
})

const runCommand = (say: Say) =>
  Command.make(
    "run",
    {
      ...sharedFlags(say),
      ...permissionFlags(say),
      prompt: Flag.String("prompt").pipe(
        Flag.withAlias("p"),
        Flag.withDescription(
          say(
            "The request; also taken from stdin, which is joined as data",
            "La demande ; aussi lue sur stdin, jointe comme donnée"
          )
        ),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      ),
      words: Argument.String("prompt").pipe(
        Argument.withDescription(say("The request, in place of --prompt", "La demande, à la place de --prompt")),
        Argument.variadic()
      ),
      output: Flag.Literals("output", ["text", "json", "stream-json"]).pipe(
        Flag.withAlias("o"),
        Flag.withDescription(say("Form of what is printed", "Forme de la sortie")),
        Flag.withDefault("text")
      ),
      effort: optional("effort", say("reasoning_effort for the server", "reasoning_effort pour le serveur")),
      session: Flag.String("session").pipe(
        Flag.withAlias("s"),
        Flag.withDescription(say("Session to add to; made when missing", "Session à poursuivre ; créée si absente")),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      ),
      continue: Flag.Boolean("continue").pipe(
        Flag.withAlias("c"),
        Flag.withDescription(
          say("Go on with the newest session of this folder", "Reprendre la dernière session du dossier")
        ),
        Flag.withDefault(false),
        Flag.withoutNegation
      ),
      fork: on("fork", say("Go on in a copy of the session", "Poursuivre dans une copie de la session")),
      at: optional("at", say("Entry to go on from", "Entrée d'où repartir")),
      noSave: on("no-save", say("Keep no session file", "Ne garder aucun fichier de session")),
      maxIterations: Flag.Int("max-iterations").pipe(
        Flag.withDescription(say("Model calls of one turn", "Appels au modèle pour un tour")),
        Flag.filter(
          (n) => n > 0,
          () => say("expected a positive integer", "un entier positif est attendu")
        ),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      ),
      image: repeated("image", say("Image to send with the request", "Image à joindre à la demande"), "FILE"),
      systemAppend: optional(
        "system-append",
        say("File added to the system prompt", "Fichier ajouté au prompt système")
      ),
      quiet: Flag.Boolean("quiet").pipe(
        Flag.withAlias("q"),
        Flag.withDescription(say("Only the answer and errors", "Seulement la réponse et les erreurs")),
        Flag.withDefault(false),
        Flag.withoutNegation
      )
    },
    (flags) =>
      handled(
        () => import("./commands/run.ts"),
        (module) => module.run(flags)
      )
  ).pipe(
    Command.withDescription(
      say("Answer one request and exit (for scripts and CI)", "Répondre à une demande puis quitter (scripts, CI)")
    ),
    Command.withExamples([
      {
        command: 'maia run -p "fix the failing test" --allow "Bash(npm test)" "Edit(src/**)" "Read(**)"',
        description: ""
      },
      { command: "git diff | maia run -p 'review this change' --output json", description: "" }
    ])
  )

const interactiveFlags = (say: Say) => {
  const { permissions: _headless, ...permissionsInTerminal } = permissionFlags(say)
  return {
    ...sharedFlags(say),
    ...permissionsInTerminal,
    session: optional(
      "session",
      say("Session to add to; made when missing", "Session à poursuivre ; créée si absente")
    ),
    continue: Flag.Boolean("continue").pipe(
      Flag.withAlias("c"),
      Flag.withDescription(
        say("Go on with the newest session of this folder", "Reprendre la dernière session du dossier")
      ),
      Flag.withDefault(false),
      Flag.withoutNegation
    ),
    resume: on("resume", say("Choose the session to go on with", "Choisir la session à poursuivre")),
    words: Argument.String("request").pipe(
      Argument.withDescription(say("First request", "Première demande")),
      Argument.variadic()
    )
  }
}

const modelsCommand = (say: Say) =>
  Command.make("models", { ...sharedFlags(say), json: on("json", "JSON") }, (flags) =>
    handled(
      () => import("./commands/models.ts"),
      (module) => module.models(flags)
    )
  ).pipe(Command.withDescription(say("List the server's models", "Lister les modèles du serveur")))

const configCommand = (say: Say) =>
  Command.make(
    "config",
    {
      ...sharedFlags(say),
      json: on("json", "JSON"),
      promptCost: on(
        "prompt-cost",
        say("Tokens of the fixed prompt, part by part", "Tokens du prompt fixe, partie par partie")
      )
    },
    (flags) =>
      handled(
        () => import("./commands/config.ts"),
        (module) => module.config(flags)
      )
  ).pipe(
    Command.withDescription(
      say("Effective settings and where each comes from", "Réglages effectifs et provenance de chacun")
    )
  )

const initCommand = (say: Say) =>
  Command.make(
    "init",
    {
      url: optional("url", say("Server URL", "URL du serveur")),
      key: optional(
        "key",
        say(
          "API key (it is visible to other processes; prefer --key-stdin)",
          "Clé d'API (visible des autres processus ; préférez --key-stdin)"
        )
      ),
      keyStdin: on("key-stdin", say("Read the API key from stdin", "Lire la clé d'API sur stdin")),
      model: optional("model", say("Default model", "Modèle par défaut")),
      rules: Flag.Boolean("rules").pipe(
        Flag.withDescription(say("Add the starter set of permission rules", "Ajouter les règles de départ")),
        Flag.withDefault(false)
      ),
      noCheck: on("no-check", say("Do not test the connection", "Ne pas tester la connexion"))
    },
    (flags) =>
      handled(
        () => import("./commands/init.ts"),
        (module) => module.init(flags)
      )
  ).pipe(Command.withDescription(say("Write ~/.maia/settings.json", "Écrire ~/.maia/settings.json")))

const demoCommand = (say: Say) =>
  Command.make(
    "demo",
    {
      output: Flag.Literals("output", ["text", "json", "stream-json"]).pipe(
        Flag.withDescription(say("Form of what is printed", "Forme de la sortie")),
        Flag.withDefault("text")
      )
    },
    (flags) =>
      handled(
        () => import("./commands/demo.ts"),
        (module) => module.demo(flags)
      )
  ).pipe(
    Command.withDescription(
      say(
        "See maia at work without a server: a fixed script in place of a model",
        "Voir maia travailler sans serveur : un script à la place d'un modèle"
      )
    )
  )

/** The whole command tree. */
export const commandTree = (say: Say) => {
  const subcommands = [
    runCommand(say),
    modelsCommand(say),
    configCommand(say),
    initCommand(say),
    demoCommand(say),
    doctorCommand(say),
    evalCommand(say),
    sessionsCommand(say),
    permissionsCommand(say),
    mcpCommand(say),
    rulesCommand(say),
    profileCommand(say),
    skillsCommand(say),
    agentsCommand(say),
    toolsCommand(say),
    trustCommand(say)
  ] as const
  return Command.make("maia", interactiveFlags(say), (flags) =>
    handled(
      () => import("./commands/interactive.ts"),
      (module) =>
        module.interactive(
          flags,
          subcommands.map(({ name }) => name)
        )
    )
  ).pipe(
    Command.withDescription(
      say(
        "A terminal AI agent for every model behind LiteLLM",
        "Un agent IA de terminal pour tous les modèles derrière LiteLLM"
      )
    ),
    Command.withSubcommands(subcommands)
  )
}
