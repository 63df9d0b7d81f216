/**
 * Text of others that wants to steer the terminal (field case G6): wherever it comes from, nothing of it moves the cursor, sets
 * the title or the clipboard, asks the terminal something, or hides what stands beside it.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunk, json, sse, textAnswer, toolCalls } from "../../support/scriptedServer.ts"
import { foreignControls } from "./controls.ts"
import { ENTER, ESC, input, talk, type Talk } from "./support.ts"

const HIDDEN = "\u001b[8m"

/** Between two marks that must both be seen, with a word in the middle that some of it would hide. */
const attack = (mark: string): string =>
  [
    `${mark}<`,
    "\u001b[2J\u001b[H\u001b[3J\u001bc",
    "\u001b]0;owned\u0007\u001b]2;owned\u001b\\",
    "\u001b]52;c;b3duZWQ=\u0007",
    "\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007",
    "\u001b[6n\u001b[c\u001b]11;?\u0007",
    "\u001bP1;owned\u001b\\\u001b_owned\u001b\\",
    "\u009b31m\u009d0;owned\u009c\u0090q",
    `${HIDDEN}${mark}~`,
    "\u202eexe.gnp\u2066\u200b\u200f\ufeff",
    "\b\b\b\b\u007f\r",
    "\u001b[1A\u001b[999D\u001b[?1049h\u001b[?1000h",
    `>${mark}`,
    "\u001b]0;never ends"
  ].join("")

/** As it may stand in a name of a file. */
const attackName = (mark: string): string => attack(mark).replaceAll("/", "_")

/** The text between the marks is there, on however many rows; nothing of it did anything. */
const isHarmless = (now: Talk, ...marks: ReadonlyArray<string>): void => {
  const shown = now
    .lines()
    .map((row) => row.trim())
    .join("")
    .replaceAll(/\s/g, "")
  for (const mark of marks) {
    for (const part of [`${mark}<`, `${mark}~`, `>${mark}`])
      assert.isTrue(shown.includes(part), `${part} is to be seen`)
  }
  assert.deepStrictEqual(foreignControls(now.raw()), [])
  assert.notMatch(now.raw(), /\u001b\]\d+;[^\u0007]*owned/)
}

const shows = (now: Talk, mark: string): Effect.Effect<void> =>
  now.until(`the end of ${mark}`, ({ lines }) => lines().join("").includes(`>${mark}`))

describe("G6 hostile text", () => {
  it.live("in answers, thinking, calls, output, files, errors, lists and names", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({
          rows: 60,
          columns: 100,
          args: ["--allow", "Glob(**)", "Read(**)", "--trust"],
          server: { models: ["test-model", attack("model")] },
          prepare: (box) => {
            box.write("bytes.txt", `first\n${attack("output")}\nlast\n`)
            box.write(`${attackName("name")}.md`, "x")
            box.write(`.maia/.sessions/${attackName("session")}.jsonl`, "")
            box.write(
              ".maia/skills/evil/SKILL.md",
              `---\nname: evil\ndescription: ${JSON.stringify(attack("skill"))}\n---\nx\n`
            )
          }
        })
        const step = Effect.fnUntraced(function* (text: string, mark: string) {
          yield* now.says(text)
          yield* shows(now, mark)
          yield* now.idle
        })

        now.answers(
          sse([
            chunk({ reasoning_content: attack("thought") }),
            chunk({ content: `# ${attack("title")}\n\n${attack("answer")}\n\n` }),
            chunk({ content: `\`\`\`${attack("fence")}\n${attack("code")}\n\`\`\`\n\n- ${attack("item")}\n\n` }),
            chunk({ content: `| a | b |\n| --- | --- |\n| ${attack("cell").replaceAll("|", "")} | x |\n\nall said` }),
            chunk({}, "stop")
          ])
        )
        now.send(`${ESC}[200~${attack("said")}${ESC}[201~`)
        yield* now.until("the paste in the input", (program) => input(program).join("").includes(">said"))
        isHarmless(now, "said")
        now.send(ENTER)
        yield* now.gets("all said")
        isHarmless(now, "answer", "code", "item", "title")
        now.send("\u000f")
        yield* shows(now, "thought")
        isHarmless(now, "thought")

        now.answers(
          toolCalls([
            {
              name: "Bash",
              args: { command: `cat bytes.txt; while [ ! -e go ]; do sleep 0.02; done # ${attack("command")}` }
            }
          ]),
          textAnswer(`${attack("split")}\n\nIt ran.`, { step: 2 })
        )
        yield* now.says("run it")
        yield* now.shows("Allow Bash?")
        isHarmless(now, "command")
        now.send("y")
        yield* now.until("what it prints while it runs", ({ screen }) => screen().some((row) => row.trim() === "last"))
        isHarmless(now)
        now.box.write("go", "")
        yield* now.gets("It ran.")
        isHarmless(now, "split")
        // Output is read as a terminal would read it: what it overwrites is gone, for the model too.
        yield* shows(now, "output")
        isHarmless(now)

        now.answers(
          toolCalls([
            { name: attack("tool"), args: {} },
            { name: "Glob", args: { pattern: "*.md" } },
            { name: "Read", args: { path: "bytes.txt" } },
            { name: "Read", args: { path: attack("path") } }
          ]),
          textAnswer("They ran.")
        )
        yield* now.says("run others")
        yield* now.gets("They ran.")
        isHarmless(now, "name")

        now.answers(
          toolCalls([
            { name: "Edit", args: { path: "bytes.txt", edits: [{ old: "first", new: `${attack("edit")}\nfirst` }] } }
          ]),
          textAnswer("Edited.")
        )
        yield* now.says("edit it")
        yield* now.shows("Allow Edit?")
        isHarmless(now, "edit")
        now.send("y")
        yield* now.gets("Edited.")
        isHarmless(now, "edit")

        now.answers(
          toolCalls([
            {
              name: "TodoWrite",
              args: { todos: [{ content: attack("todo"), status: "in_progress", activeForm: attack("doing") }] }
            }
          ]),
          json(400, { error: { message: attack("error"), type: "x" } })
        )
        yield* step("fail", "error")
        isHarmless(now, "error")

        yield* step("!cat bytes.txt", "output")
        isHarmless(now)
        yield* step("/skills", "skill")
        isHarmless(now, "skill")
        yield* now.says("/model")
        yield* now.shows("❯ test-model")
        isHarmless(now)
        now.send("j")
        yield* now.until("the other model", ({ screen }) => screen().some((row) => row.startsWith("❯ model<")))
        now.send(ENTER)
        yield* now.until("the other model below", ({ screen }) => screen().some((row) => row.startsWith("model<")))
        yield* now.idle
        isHarmless(now)
        yield* now.says("/load")
        yield* now.until("the session", ({ screen }) => screen().some((row) => row.includes("said<")))
        isHarmless(now)
        now.send(ESC)
        yield* now.idle
        yield* now.says("/exit")
        assert.strictEqual(yield* now.exit, 0)
        isHarmless(now)
      })
    )
  )
})
