/**
 * One session played at three widths and in both languages; each state is compared with the screen that is kept for it
 * (spec 07). `vitest -u` keeps new ones: read them before.
 */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunk, gate, json, sse, textAnswer, toolCalls, usageChunk } from "../../support/scriptedServer.ts"
import { CTRL_C, DOWN, ENTER, ESC, talk, type Language } from "./support.ts"

const MARKDOWN = `# What I found

The file has **two** faults, see \`src/sum.ts\` and [the guide](https://example.org/guide):

1. it adds the *first* number twice
2. it forgets the last

\`\`\`ts
export const sum = (numbers: ReadonlyArray<number>): number =>
  numbers.reduce((total, one) => total + one, 0)
\`\`\`

> Tests were green because nobody asked.

| file | lines |
| --- | ---: |
| src/sum.ts | 12 |
| test/sum.test.ts | 40 |
`

const SUM = `export const sum = (numbers) => {
  let total = numbers[0]
  for (const one of numbers) total += one
  return total
}
`

const WORDS = {
  en: {
    trust: "Trust",
    allow: "Allow",
    always: "Always allow",
    why: "Why not",
    help: "This list",
    status: "Model  ",
    near: "/model?"
  },
  fr: {
    trust: "confiance",
    allow: "Autoriser",
    always: "Toujours autoriser",
    why: "Pourquoi",
    help: "Cette liste",
    status: "Modèle  ",
    near: "/model ?"
  }
} as const

const play = (columns: number, language: Language) =>
  Effect.scoped(
    Effect.gen(function* () {
      const words = WORDS[language]
      const suffix = `${columns}${language === "en" ? "" : `.${language}`}`
      const now = yield* talk({
        columns,
        rows: 50,
        language,
        begins: words.trust,
        args: ["--allow", "Bash(seq *)", "Bash(exit *)", "Read(**)", "Glob(**)"],
        server: {
          models: Array.from({ length: 14 }, (_, at) => `model-${String(at).padStart(2, "0")}`).concat("test-model"),
          modelInfo: {
            data: [{ model_name: "test-model", model_info: { max_input_tokens: 40_000, max_output_tokens: 4_000 } }]
          }
        },
        prepare: (box) => {
          box.write("src/sum.ts", SUM)
          box.write("docs/notes on sums.md", "none")
          box.write(
            ".maia/skills/greet/SKILL.md",
            "---\nname: greet\ndescription: Says hello\n---\nSay hello politely.\n"
          )
        }
      })
      const keep = (name: string, from?: string) => now.looksLike(`${name}.${suffix}`, from)
      yield* keep("trust", "ASK")
      now.send(language === "en" ? "y" : "o")
      yield* now.shows("40k")
      yield* now.idle
      yield* keep("start")

      now.answers(textAnswer(MARKDOWN, { step: 9 }))
      yield* now.says("look at the sum")
      yield* now.gets("test/sum.test.ts")
      yield* keep("answer", "› look at the sum")

      now.answers(
        toolCalls([{ name: "Edit", args: { path: "src/sum.ts", edits: [{ old: "numbers[0]", new: "0" }] } }]),
        textAnswer("Done.")
      )
      yield* now.says("mend it")
      yield* now.shows(`${words.allow} Edit`)
      yield* keep("ask-edit", "› mend it")
      now.send("n")
      yield* now.shows(words.why)
      now.send("not yet")
      yield* now.shows("not yet")
      yield* keep("ask-reason", "› mend it")
      now.send(ESC)
      yield* now.hides("not yet")
      now.send("a")
      yield* now.shows(words.always)
      yield* keep("ask-always", "› mend it")
      now.send(ENTER)
      yield* now.gets("Done.")
      yield* keep("edited", "› mend it")

      now.answers(
        toolCalls([
          { name: "Bash", args: { command: "seq 1 300; exit 3" } },
          { name: "Read", args: { path: "src/none.ts" } },
          { name: "Glob", args: { pattern: "**/*.md" } }
        ]),
        textAnswer("All three ran.")
      )
      yield* now.says("run three")
      yield* now.gets("All three ran.")
      yield* keep("tools", "› run three")

      now.answers(
        toolCalls([
          {
            name: "TodoWrite",
            args: {
              todos: [
                { content: "Read the code", status: "completed", activeForm: "Reading the code" },
                { content: "Mend the sum", status: "in_progress", activeForm: "Mending the sum" },
                { content: "Run the tests", status: "pending", activeForm: "Running the tests" }
              ]
            }
          }
        ]),
        sse([chunk({ reasoning_content: "Let me think about the sum." }), gate()])
      )
      yield* now.says("plan it")
      yield* now.shows("∴ Let me think")
      yield* now.says("and be quick")
      yield* now.shows("↳ and be quick")
      yield* keep("thinking", "› plan it")
      now.send(ESC)
      yield* now.shows("▸ and be quick")
      yield* keep("interrupted", "› plan it")
      now.send(CTRL_C)
      yield* now.idle

      yield* now.says("!echo out; echo err >&2; exit 2")
      yield* now.shows("err")
      yield* now.idle
      yield* keep("shell", "! echo")

      yield* now.says("/modle")
      yield* now.shows(words.near)
      yield* now.idle
      yield* keep("unknown", "FAIL")

      yield* now.says("/model")
      yield* now.shows("❯ test-model")
      now.send(DOWN)
      yield* now.shows("❯ model-00")
      yield* keep("choose", "ASK")
      now.send(ESC)
      yield* now.idle

      yield* now.types("/mo")
      yield* now.shows("❯ /model")
      yield* keep("commands", "▸ /mo")
      now.send(CTRL_C)
      yield* now.idle
      yield* now.types("see @no")
      yield* now.shows("❯ docs/notes on sums.md")
      yield* keep("paths", "▸ see")
      now.send(ESC)
      yield* now.hides("❯")
      now.send(CTRL_C)
      yield* now.idle

      yield* now.says("/help")
      yield* now.shows("Ctrl+R")
      yield* now.idle
      yield* keep("help", words.help)

      yield* now.says("/status")
      yield* now.shows(".jsonl")
      yield* now.idle
      yield* keep("status", words.status)

      yield* now.says("/tree")
      yield* now.shows("ASK")
      yield* keep("tree", "ASK")
      now.send(ESC)
      yield* now.idle

      now.answers(json(401, { error: { message: "Authentication Error, Invalid proxy server token passed" } }))
      yield* now.says("fail now")
      yield* now.shows("FAIL")
      yield* now.idle
      yield* keep("error", "› fail now")

      now.answers(
        sse([chunk({ content: "" }), usageChunk(34_000, 10)]),
        textAnswer("Full now.", { usage: [36_000, 10] })
      )
      now.send(`${ESC}[200~${Array.from({ length: 200 }, (_, at) => `line ${at}`).join("\n")}${ESC}[201~`)
      yield* now.shows("+200")
      now.send(" and \\")
      yield* now.shows("and \\")
      now.send(ENTER)
      yield* now.hides("and \\")
      now.send("日本語 👩‍👩‍👧 é")
      yield* now.shows("日本語")
      yield* keep("draft", "▸ [")
    })
  )

describe("screens", () => {
  for (const [columns, language] of [
    [40, "en"],
    [80, "en"],
    [120, "en"],
    [80, "fr"]
  ] as const) {
    it.live(`${columns} columns, ${language}`, () => play(columns, language), 60_000)
  }
})
