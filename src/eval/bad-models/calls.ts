/** Bad models whose calls have the wrong form: written as text, cut, malformed, misnamed, of the wrong types. Data only. */
import { rightly, spoiled, stepping, type BadModel } from "./badModel.ts"
import { call, finder, fixer, OLD_LINE, NEW_LINE, runner, say, writer, type Call } from "./skill.ts"
import type { View } from "./view.ts"
import type { Reply } from "./wire.ts"

const json = ({ name, input }: Call): string => JSON.stringify({ name, arguments: input })

const asText: ReadonlyArray<BadModel> = [
  spoiled(
    "text: <tool_call>",
    ["a call between <tool_call> tags", "un appel entre balises <tool_call>"],
    finder,
    (made) => ({
      text: `<tool_call>\n${json(made)}\n</tool_call>`
    })
  ),
  spoiled("text: fenced JSON", ["a call as fenced JSON", "un appel en JSON dans un bloc de code"], finder, (made) => ({
    text: `\`\`\`json\n${json(made)}\n\`\`\``
  })),
  spoiled("text: bare JSON", ["a call as bare JSON", "un appel en JSON nu"], runner, (made) => ({ text: json(made) })),
  spoiled("text: <function=…>", ["a call as <function=…>", "un appel en <function=…>"], finder, ({ name, input }) => ({
    text: `<function=${name}>\n${Object.entries(input)
      .map(([key, value]) => `<parameter=${key}>\n${String(value)}\n</parameter>`)
      .join("\n")}\n</function>`
  })),
  spoiled("text: [TOOL_CALLS]", ["a call behind [TOOL_CALLS]", "un appel après [TOOL_CALLS]"], runner, (made) => ({
    text: `[TOOL_CALLS][${json(made)}]`
  })),
  spoiled("text: pythonic", ["a call in Python's form", "un appel en forme Python"], finder, ({ name, input }) => ({
    text: `[${name}(${Object.entries(input)
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join(", ")})]`
  })),
  spoiled(
    "text: in an explanation",
    ["a call shown inside an explanation", "un appel montré dans une explication"],
    finder,
    (made) => ({ text: `I would call the tool like this:\n\n${json(made)}\n\nThen I would know the port.` })
  )
]

/** A server ends the answer at the output limit; about three characters are a token. */
const cutAt = (made: Call, { maxTokens = 4_096 }: View): Reply => {
  const args = JSON.stringify(made.input)
  const room = maxTokens * 3
  return args.length <= room
    ? rightly(made)
    : { calls: [{ name: made.name, args: args.slice(0, room) }], finish: "length" }
}

const lowLimit = { settings: { MaxOutputTokens: 600 } }

const cut: ReadonlyArray<BadModel> = [
  spoiled(
    "cut: long Write",
    ["a call longer than the output limit", "un appel plus long que la limite de sortie"],
    writer,
    cutAt,
    lowLimit
  ),
  stepping(
    "cut: deaf to advice",
    ["the same, and the advice is ignored", "le même, sourd au conseil"],
    writer.task,
    (view) => {
      const step = writer.step({ ...view, told: "", calls: [] })
      return "call" in step ? cutAt(step.call, view) : step
    },
    lowLimit
  ),
  spoiled(
    "malformed JSON",
    ["arguments that are no JSON, once", "des arguments qui ne sont pas du JSON, une fois"],
    finder,
    (made, { told }) =>
      /not valid JSON/.test(told)
        ? rightly(made)
        : { calls: [{ name: made.name, args: '{"path": config/staging.yaml}' }] }
  ),
  spoiled(
    "malformed JSON, always",
    ["arguments that are never JSON", "des arguments jamais en JSON"],
    finder,
    (made) => ({
      calls: [{ name: made.name, args: "{'path': 'config/staging.yaml'" }]
    })
  ),
  stepping(
    "cut: answer",
    ["an answer cut by the output limit", "une réponse coupée par la limite de sortie"],
    finder.task,
    (view) => {
      const step = finder.step(view)
      return "call" in step ? step : { text: "The staging database listens on the port", finish: "length" }
    }
  )
]

const wrongly = (made: Call, input: Readonly<Record<string, unknown>>): Reply => rightly({ ...made, input })

const misnamed: ReadonlyArray<BadModel> = [
  spoiled("names: cmd", ['"cmd" in place of "command"', "« cmd » au lieu de « command »"], runner, (made, { told }) =>
    /command: string|called "command"/.test(told) ? rightly(made) : wrongly(made, { cmd: made.input["command"] })
  ),
  spoiled(
    "names: old_string",
    ["another agent's names in Edit", "les noms d'un autre agent dans Edit"],
    fixer,
    (made, { told }) => {
      if (made.name !== "Edit" || /"old"|old: string/.test(told)) return rightly(made)
      return wrongly(made, { file_path: "server.go", old_string: OLD_LINE, new_string: NEW_LINE })
    }
  ),
  spoiled("types: numbers as text", ["numbers as text", "des nombres en texte"], finder, (made, { told }) =>
    /offset\?: integer/.test(told) ? rightly(made) : wrongly(made, { ...made.input, offset: "1", limit: "50" })
  ),
  spoiled("types: list as text", ["a list as JSON text", "une liste en texte JSON"], fixer, (made, { told }) =>
    made.name !== "Edit" || /edits: array/.test(told)
      ? rightly(made)
      : wrongly(made, { ...made.input, edits: JSON.stringify(made.input["edits"]) })
  ),
  spoiled(
    "types: encoded twice",
    ["arguments encoded twice", "des arguments encodés deux fois"],
    runner,
    (made, { told }) =>
      /Expected: \{command/.test(told)
        ? rightly(made)
        : { calls: [{ name: made.name, args: JSON.stringify(JSON.stringify(made.input)) }] }
  )
]

const invented: ReadonlyArray<BadModel> = [
  spoiled("names: one too many", ["a parameter that does not exist", "un paramètre inexistant"], finder, (made) =>
    wrongly(made, { ...made.input, encoding: "utf-8" })
  ),
  stepping(
    "tool: other case",
    ["a tool's name in another case", "le nom d'un outil dans une autre casse"],
    finder.task,
    (view) => {
      const step = finder.step(view)
      return "say" in step || /\bRead\b/.test(view.told) ? step : call("read", step.call.input)
    }
  ),
  stepping("tool: run_command", ["a tool that does not exist", "un outil inexistant"], runner.task, (view) => {
    const step = runner.step(view)
    return "say" in step || view.told.includes("Bash") ? step : call("run_command", step.call.input)
  }),
  stepping("tool: read_file", ["another agent's tool", "l'outil d'un autre agent"], finder.task, (view) => {
    const step = finder.step(view)
    return "say" in step || /Did you mean Read|\bRead\b/.test(view.told) ? step : call("read_file", step.call.input)
  }),
  stepping(
    "tool: no hint taken",
    ["invented tools, whatever it is told", "des outils inventés, quoi qu'on dise"],
    runner.task,
    ({ calls }) =>
      calls.length > 60 ? say("I give up.") : call(["python", "shell", "terminal"][calls.length % 3] ?? "python", {})
  )
]

export const callModels: ReadonlyArray<BadModel> = [...asText, ...cut, ...misnamed, ...invented]
