/** Commands that only tell: `/permissions`, `/rules`, `/skills`, `/agents`, `/todo`, `/config`. */
import { Effect } from "effect"
import { Config } from "../../config/Config.ts"
import { describeOrigin, effectiveRows } from "../../config/effectiveRows.ts"
import { text, type Text } from "../../domain/text.ts"
import { Agents } from "../../extensions/agents/Agents.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { describeRules } from "../../stream-rules/report.ts"
import { StreamRules } from "../../stream-rules/StreamRules.ts"
import { TodoStore } from "../../tools/todo/TodoStore.ts"
import { STAY } from "../loop/Talk.ts"
import { Ui } from "../Ui.ts"
import { modes } from "../views/phrases.ts"
import type { Command } from "./command.ts"
import { listSkills } from "./skills.ts"

/** Decisions shown. */
const RECENT = 10

/** The lines, or `empty` where there are none. */
const show = Effect.fnUntraced(function* (lines: ReadonlyArray<string>, empty: Text) {
  const ui = yield* Ui
  yield* lines.length === 0 ? ui.info(empty) : ui.print({ type: "plain", text: lines.join("\n") })
  return STAY
})

const permissionsCommand: Command = {
  name: "permissions",
  help: text("Rules, mode and what was decided last", "Règles, mode et dernières décisions"),
  run: Effect.fn("Tui.permissions")(function* () {
    const ui = yield* Ui
    const permissions = yield* Permissions
    const { language } = ui.store.current
    const rules = yield* permissions.rules
    const mode = yield* permissions.mode
    const log = (yield* permissions.log).slice(-RECENT)
    const ruleLines = (["deny", "ask", "allow"] as const).flatMap((kind) =>
      rules
        .filter((rule) => rule.kind === kind)
        .map(
          ({ file, line, scope, text: rule }) =>
            `${kind.padEnd(5)}  ${rule}  (${file === "" ? scope : line === 0 ? file : `${file}:${line}`})`
        )
    )
    const logLines = log.map(
      ({ decision, rule, subject, tool }) =>
        `${decision.padEnd(5)}  ${tool}  ${subject.split("\n", 1)[0] ?? ""}${rule === undefined ? "" : `  ← ${rule.text}`}`
    )
    return yield* show(
      [
        `mode: ${modes[mode][language]}`,
        ...(ruleLines.length === 0 ? [noRules[language]] : ruleLines),
        ...(logLines.length === 0 ? [] : ["", lastDecisions[language], ...logLines])
      ],
      noRules
    )
  })
}

const noRules = text(
  "No permission rule: every use of a tool asks.",
  "Aucune règle : chaque utilisation d'un outil demande."
)
const lastDecisions = text("Last decisions:", "Dernières décisions :")

const rulesCommand: Command = {
  name: "rules",
  help: text("Stream rules that watch the answers", "Règles de flux qui surveillent les réponses"),
  run: Effect.fn("Tui.rules")(function* () {
    const ui = yield* Ui
    const { rules, warnings } = yield* Effect.flatMap(StreamRules, (service) => service.load)
    for (const warning of warnings) yield* ui.warn(warning)
    const lines = describeRules(rules).map(
      ({ description, file, level, name, scopes }) => `${name}  ${level}  ${scopes.join(", ")}  ${file ?? description}`
    )
    return yield* show(lines, text("There is no stream rule.", "Il n'y a pas de règle de flux."))
  })
}

const skillsCommand: Command = {
  name: "skills",
  help: text("Skills that § can use", "Skills utilisables avec §"),
  run: () => Effect.as(listSkills, STAY)
}

const agentsCommand: Command = {
  name: "agents",
  help: text("Sub-agents the model can call", "Sous-agents que le modèle peut appeler"),
  run: Effect.fn("Tui.agents")(function* () {
    const ui = yield* Ui
    const agents = yield* Effect.serviceOption(Agents)
    const found = agents._tag === "None" ? undefined : yield* agents.value.load
    for (const warning of found?.warnings ?? []) yield* ui.warn(warning)
    const lines = (found?.agents ?? []).map(({ description, name }) => `${name}  ${description}`)
    return yield* show(
      lines,
      text(
        "There are no sub-agents. One is a folder .maia/agents/NAME with an AGENT.md.",
        "Il n'y a pas de sous-agent. Un sous-agent est un dossier .maia/agents/NOM avec un AGENT.md."
      )
    )
  })
}

const SIGNS = { completed: "☑", in_progress: "▶", pending: "☐" } as const

const todoCommand: Command = {
  name: "todo",
  help: text("The task list", "La liste des tâches"),
  run: Effect.fn("Tui.todo")(function* () {
    const items = yield* Effect.flatMap(TodoStore, (store) => store.get)
    return yield* show(
      items.map(({ content, status }) => `${SIGNS[status]} ${content}`),
      text("The task list is empty.", "La liste des tâches est vide.")
    )
  })
}

const configCommand: Command = {
  name: "config",
  help: text("Effective settings and where each comes from", "Réglages effectifs et provenance de chacun"),
  run: Effect.fn("Tui.config")(function* () {
    const config = yield* Config
    const lines = effectiveRows(config)
      .filter(({ origin }) => origin.from !== "default")
      .map(({ key, origin, value }) => `${key} = ${JSON.stringify(value) ?? "(not set)"}  (${describeOrigin(origin)})`)
    return yield* show([`${config.launchFolder}`, ...lines], text("", ""))
  })
}

export const reportCommands: ReadonlyArray<Command> = [
  permissionsCommand,
  agentsCommand,
  skillsCommand,
  rulesCommand,
  todoCommand,
  configCommand
]
