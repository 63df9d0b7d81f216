/**
 * What every bad model can do when nothing goes wrong: four small jobs, each a step chosen from what the model has been told so
 * far. A bad model is one of these skills spoiled by one kind of failure; it knows nothing that was not told to it. Pure.
 */
import { text } from "../../domain/text.ts"
import { answers, changedOnly, equals, type EvalTask } from "../task.ts"
import type { View } from "./view.ts"
import type { Reply } from "./wire.ts"

export interface Call {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

export type Step = { readonly call: Call } | { readonly say: string }

export interface Skill {
  readonly task: EvalTask
  readonly step: (view: View) => Step
}

export const call = (name: string, input: Call["input"]): Step => ({ call: { name, input } })
export const say = (words: string): Step => ({ say: words })

/** A step as a well-behaved model sends it. */
export const plainly = (step: Step): Reply =>
  "say" in step ? { text: step.say } : { calls: [{ name: step.call.name, args: JSON.stringify(step.call.input) }] }

// --- find a value ----------------------------------------------------------------------------------------------------

export const PORT_FILE = "config/staging.yaml"
const PORT = /staging-db[^]*?port: (\d+)/

/** Reads a file and answers with what stands in it. */
export const finder: Skill = {
  task: {
    name: "find",
    about: text("find a value", "trouver une valeur"),
    files: {
      [PORT_FILE]: "host: staging-db.example.org\nport: 6543\n",
      "config/production.yaml": "host: db.example.org\nport: 5432\n"
    },
    prompt: "Which port does the staging database use?",
    checks: [answers(/\b6543\b/), changedOnly()]
  },
  step: ({ told }) => {
    const [, port] = PORT.exec(told) ?? []
    return port === undefined ? call("Read", { path: PORT_FILE }) : say(`The port is ${port}.`)
  }
}

// --- change a line ---------------------------------------------------------------------------------------------------

export const CODE_FILE = "server.go"
const code = (retries: number): string =>
  `package main\n\nfunc connect() {\n\tif ready() {\n\t\tretries := ${retries}\n\t\tdial(retries)\n\t}\n}\n`

export const OLD_LINE = "\t\tretries := 3"
export const NEW_LINE = "\t\tretries := 5"

/** Changes one line of a file that it has read. */
export const fixer: Skill = {
  task: {
    name: "change",
    about: text("change a line", "modifier une ligne"),
    files: { [CODE_FILE]: code(3) },
    prompt: "In server.go, set retries to 5.",
    checks: [equals(CODE_FILE, code(5)), changedOnly(CODE_FILE)]
  },
  step: ({ told }) => {
    if (!told.includes("retries := 3")) return call("Read", { path: CODE_FILE })
    if (isEdited(told)) return say("retries is 5 now.")
    return call("Edit", { path: CODE_FILE, edits: [{ old: OLD_LINE, new: NEW_LINE }] })
  }
}

export const isEdited = (told: string): boolean => /\d replacements? in /.test(told)

// --- run a program ---------------------------------------------------------------------------------------------------

export const COMMAND = "sh total.sh"

/** Runs a command and reports what it printed. */
export const runner: Skill = {
  task: {
    name: "run",
    about: text("run a program", "exécuter un programme"),
    files: { "total.sh": "echo total $((3 * 1571))\n" },
    prompt: "Run total.sh and tell me the total.",
    checks: [answers(/\b4713\b/), changedOnly()]
  },
  step: ({ told }) => {
    const [, total] = /total (\d+)/.exec(told) ?? []
    return total === undefined ? call("Bash", { command: COMMAND }) : say(`The total is ${total}.`)
  }
}

// --- write a long file -----------------------------------------------------------------------------------------------

export const LONG_FILE = "table.txt"
const ROWS = 120
const rows = Array.from({ length: ROWS }, (_, n) => `row ${n + 1}: ${n + 1} times 37 makes ${(n + 1) * 37}`)
const whole = `${rows.join("\n")}\n`

/** Writes a file, all at once or, where it has been told how much fits, in pieces. */
export const writer: Skill = {
  task: {
    name: "write",
    about: text("write a long file", "écrire un long fichier"),
    files: { "README.md": "The table goes into table.txt.\n" },
    prompt: `Write table.txt with ${ROWS} rows; row 2 is "${rows[1] ?? ""}".`,
    checks: [equals(LONG_FILE, whole), changedOnly(LONG_FILE)]
  },
  step: ({ told, calls }) => {
    const [, budget] = [...told.matchAll(/at most about (\d+) characters/g)].at(-1) ?? []
    const written = calls
      .filter(({ result }) => result !== undefined && /^Created |\d replacements? in /.test(result))
      .reduce((count, { args }) => Math.max(count, lastRow(args)), 0)
    if (written === ROWS) return say("table.txt is written.")
    const count = budget === undefined ? ROWS : Math.max(1, Math.floor(Number(budget) / 45))
    const next = rows.slice(written, written + count).join("\n")
    if (written === 0) return call("Write", { path: LONG_FILE, content: `${next}\n` })
    const last = rows[written - 1] ?? ""
    return call("Edit", { path: LONG_FILE, edits: [{ old: `${last}\n`, new: `${last}\n${next}\n` }] })
  }
}

const lastRow = (args: string): number => Number([...args.matchAll(/row (\d+):/g)].at(-1)?.[1] ?? 0)
