/** Bad models whose conduct is wrong: loops, near-miss edits, runaway text, wrong paths, claims without deeds. Data only. */
import { text } from "../../domain/text.ts"
import { answers, answersNot, changedOnly, type EvalTask } from "../task.ts"
import { spoiled, stepping, type BadModel } from "./badModel.ts"
import {
  call,
  CODE_FILE,
  finder,
  fixer,
  isEdited,
  NEW_LINE,
  OLD_LINE,
  PORT_FILE,
  runner,
  say,
  type Step
} from "./skill.ts"
import type { View } from "./view.ts"

const noticed = ({ last }: View): boolean => last.includes("LOOP_DETECTED")
/** Once told of a loop it does what it knows. */
const cured = ({ told }: View): boolean => told.includes("LOOP_DETECTED")

const loops: ReadonlyArray<BadModel> = [
  stepping("loop: same call", ["the same call for ever", "le même appel sans fin"], finder.task, (view) =>
    noticed(view) ? finder.step(view) : call("Read", { path: PORT_FILE })
  ),
  stepping(
    "loop: two calls",
    ["two calls in turn for ever", "deux appels en alternance sans fin"],
    finder.task,
    (view) =>
      noticed(view)
        ? finder.step(view)
        : call("Read", { path: view.calls.length % 2 === 0 ? PORT_FILE : "config/production.yaml" })
  ),
  stepping(
    "loop: three calls",
    ["three calls in turn for ever", "trois appels en rond sans fin"],
    finder.task,
    (view) => {
      const round = [
        call("Glob", { pattern: "**/*.yaml" }),
        call("Read", { path: PORT_FILE }),
        call("Grep", { pattern: "port" })
      ]
      return noticed(view) ? finder.step(view) : (round[view.calls.length % 3] ?? say(""))
    }
  ),
  stepping(
    "loop: deaf to warnings",
    ["the same, and the warning is ignored", "le même, sourd à l'avertissement"],
    finder.task,
    () => call("Read", { path: PORT_FILE })
  ),
  stepping(
    "loop: refused edits",
    [
      "the same refused edit, spaced otherwise each time",
      "la même modification refusée, espacée autrement à chaque fois"
    ],
    fixer.task,
    (view) => {
      if (cured(view)) return fixer.step(rereading(view))
      return edit(`\t\tretries = 3${" ".repeat(view.calls.length)}`)
    }
  ),
  stepping(
    "loop: cold model",
    ["a mistake repeated until the temperature is higher", "une erreur répétée tant que la température reste basse"],
    runner.task,
    (view) => {
      const step = runner.step(view)
      return "say" in step || (view.temperature ?? 0) > 0.2 ? step : call("Bash", { command: "sh totals.sh" })
    },
    { modelSettings: { temperature: 0 } }
  )
]

/** What was said before the warning does not count: the file is read again. */
const rereading = (view: View): View => ({ ...view, told: view.told.slice(view.told.indexOf("LOOP_DETECTED")) })

const edit = (old: string): Step => call("Edit", { path: CODE_FILE, edits: [{ old, new: NEW_LINE }] })

/** Types `old` from memory until the refusal shows the right line. */
const mistyped =
  (old: string, replacement = NEW_LINE) =>
  (view: View): Step => {
    const step = fixer.step(view)
    if ("say" in step || step.call.name !== "Edit") return step
    const shown = /copy these[^]*?\d\t(\t*retries := 3)/.exec(view.last)?.[1]
    return call("Edit", {
      path: CODE_FILE,
      edits: [shown === undefined ? { old, new: replacement } : { old: shown, new: NEW_LINE }]
    })
  }

const edits: ReadonlyArray<BadModel> = [
  stepping(
    "edit: spaces for tabs",
    ["spaces where the file has tabs", "des espaces là où le fichier a des tabulations"],
    fixer.task,
    mistyped("    if ready() {\n        retries := 3", "    if ready() {\n        retries := 5")
  ),
  stepping(
    "edit: line numbers",
    ["line numbers copied along", "des numéros de ligne copiés avec"],
    fixer.task,
    mistyped(`     5\t${OLD_LINE}`, `     5\t${NEW_LINE}`)
  ),
  stepping(
    "edit: wrong word",
    ["a word from memory that is not there", "un mot de mémoire qui n'y est pas"],
    fixer.task,
    mistyped("\t\tretries = 3")
  ),
  stepping(
    "write: unread file",
    ["a file overwritten unread", "un fichier écrasé sans être lu"],
    fixer.task,
    (view) => {
      if (/^(?:Replaced|Created) /m.test(view.told)) return say("retries is 5 now.")
      const content = fixer.task.files[CODE_FILE]?.replace("3", "5") ?? ""
      return /Read it first/.test(view.last)
        ? call("Read", { path: CODE_FILE })
        : call("Write", { path: CODE_FILE, content })
    }
  )
]

/** Goes on for ever unless it is told that it repeats itself. */
const stream: ReadonlyArray<BadModel> = [
  stepping(
    "runaway: answer",
    ["an answer that repeats itself for ever", "une réponse qui se répète sans fin"],
    finder.task,
    (view) => {
      const step = finder.step(view)
      if ("call" in step || /repeat/i.test(view.told)) return step
      return { text: "The port", endless: " is the port that is used for the staging database, which" }
    }
  ),
  stepping(
    "runaway: arguments",
    ["arguments that repeat themselves for ever", "des arguments qui se répètent sans fin"],
    finder.task,
    (view) => {
      const step = finder.step(view)
      if ("say" in step || /ran away/.test(view.told)) return step
      return { calls: [{ name: "Read", args: '{"path": "config/' }], endless: "staging-2023-06-15/" }
    }
  ),
  spoiled("empty answer, once", ["an empty answer, once", "une réponse vide, une fois"], finder, (made, view) =>
    view.isRetry ? { calls: [{ name: made.name, args: JSON.stringify(made.input) }] } : {}
  ),
  stepping("empty answers", ["only empty answers", "seulement des réponses vides"], finder.task, () => ({})),
  stepping(
    "only reasoning",
    ["reasoning that uses up the output limit", "un raisonnement qui épuise la limite de sortie"],
    finder.task,
    () => ({
      reasoning: "Let me think about ports. ".repeat(20),
      finish: "length"
    })
  )
]

const decoyed: EvalTask = { ...finder.task, checks: [answers(/\b6543\b/), answersNot(/5432/), changedOnly()] }

const HUGE = "server.log"
const huge: EvalTask = {
  name: "huge",
  about: text("find a line in a huge file", "trouver une ligne dans un fichier énorme"),
  files: {
    [HUGE]: `${Array.from({ length: 6_000 }, (_, n) => (n === 4_321 ? "ERROR disk sdb2 is full" : `INFO request ${n} took ${(n * 7) % 900} ms`)).join("\n")}\n`
  },
  prompt: "Which disk is full, according to server.log?",
  checks: [answers(/sdb2/), changedOnly()]
}

const PARTS = 9
/** Long enough that all of them are more than the window. */
const part = (n: number): string =>
  `${Array.from({ length: 60 }, (_, line) => `part ${n}, line ${line}: nothing of interest here`).join("\n")}\n${n === PARTS ? "the password hint is heron" : `next: part-${n + 1}.txt`}\n`

const chain: EvalTask = {
  name: "chain",
  about: text("follow a chain of files", "suivre une chaîne de fichiers"),
  files: Object.fromEntries(Array.from({ length: PARTS }, (_, n) => [`part-${n + 1}.txt`, part(n + 1)])),
  prompt: "Read part-1.txt and follow the chain of files. What is the password hint at its end?",
  checks: [answers(/heron/), changedOnly()]
}

const places: ReadonlyArray<BadModel> = [
  stepping(
    "small window",
    ["more files than the context holds", "plus de fichiers que le contexte n'en contient"],
    chain,
    ({ told }) => {
      const [, hint] = /password hint is (\w+)/.exec(told) ?? []
      if (hint !== undefined) return say(`The hint is ${hint}.`)
      const [, next = "part-1.txt"] = [...told.matchAll(/next: (part-\d+\.txt)/g)].at(-1) ?? []
      return call("Read", { path: next })
    },
    { modelSettings: { contextWindow: 8_192 } }
  ),
  stepping(
    "think tag left open",
    ["a <think> tag that is never closed", "une balise <think> jamais refermée"],
    finder.task,
    (view) => {
      const step = finder.step(view)
      return "call" in step ? step : { text: `<think>${step.say}` }
    }
  ),
  stepping(
    "think tags",
    ["reasoning between <think> tags in the text", "du raisonnement entre balises <think> dans le texte"],
    decoyed,
    (view) => {
      const step = finder.step(view)
      return "call" in step ? step : { text: `<think>Perhaps 5432? No, that is production.</think>${step.say}` }
    }
  ),
  stepping(
    "huge file",
    ["a huge file read without a limit", "un fichier énorme lu sans limite"],
    huge,
    ({ told, last }) => {
      const [, disk] = /disk (\w+) is full/.exec(told) ?? []
      if (disk !== undefined) return say(`The disk ${disk} is full.`)
      return /Grep|offset/.test(last)
        ? call("Grep", { pattern: "ERROR", path: HUGE, output_mode: "content" })
        : call("Read", { path: HUGE })
    },
    { modelSettings: { contextWindow: 8_192 } }
  ),
  stepping(
    "path: near name",
    ["a file name that is nearly right", "un nom de fichier presque juste"],
    finder.task,
    (view) => {
      const step = finder.step(view)
      return "say" in step || view.told.includes("staging.yaml") ? step : call("Read", { path: "config/staging.yml" })
    }
  ),
  stepping("path: wrong folder", ["a folder that is not there", "un dossier inexistant"], finder.task, (view) => {
    const step = finder.step(view)
    if ("say" in step || view.told.includes(PORT_FILE)) return step
    return /Use Glob/.test(view.last)
      ? call("Glob", { pattern: "**/staging*" })
      : call("Read", { path: "settings/staging.yaml" })
  }),
  stepping("path: a folder", ["a folder read as a file", "un dossier lu comme un fichier"], finder.task, (view) => {
    const step = finder.step(view)
    return "say" in step || view.told.includes("staging.yaml") ? step : call("Read", { path: "config" })
  })
]

const claims: ReadonlyArray<BadModel> = [
  stepping(
    "claim without a deed",
    ["says that it is done, and did nothing", "dit que c'est fait, sans rien faire"],
    fixer.task,
    ({ told }) => (isEdited(told) ? say("Done.") : say("I have set retries to 5 in server.go."))
  ),
  stepping(
    "promise without a deed",
    ["says what it will do, and stops", "dit ce qu'il va faire, puis s'arrête"],
    finder.task,
    () => say("I will now read config/staging.yaml to find the port.")
  )
]

export const conductModels: ReadonlyArray<BadModel> = [...loops, ...edits, ...stream, ...places, ...claims]
