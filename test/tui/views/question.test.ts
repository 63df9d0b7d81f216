/** What a permission question shows of long commands and changes, and that its keys can be read at any width. */
import { assert, describe, it } from "@effect/vitest"
import { text } from "../../../src/domain/text.ts"
import { diffOfTexts } from "../../../src/tools/files/diff.ts"
import { alwaysOptions } from "../../../src/tui/control/alwaysOptions.ts"
import type { Language, Question } from "../../../src/tui/store/state.ts"
import { makeTheme } from "../../../src/tui/text/theme.ts"
import { cellWidth } from "../../../src/tui/text/width.ts"
import { liveFrame } from "../../../src/tui/views/live.ts"
import { logLines } from "../../../src/tui/views/logItem.ts"
import { newState } from "../support.ts"

const theme = makeTheme({ depth: "none", background: "dark", frames: true })

type Permission = Extract<Question, { type: "permission" }>

const permission = (change: Partial<Permission>): Permission => ({
  type: "permission",
  id: 1,
  askedAt: 0,
  tool: "Write",
  question: { reason: text("No rule speaks of it.", "Aucune règle n'en parle."), subject: "a.txt", suggestions: [] },
  diff: undefined,
  always: alwaysOptions(["Write(a.txt)"]),
  step: { at: "ask" },
  ...change
})

const frame = (question: Question, columns = 80, rows = 24, language: Language = "en") =>
  liveFrame({ ...newState({ question, size: { columns, rows } }), language }, theme).lines

const numbered = (count: number, mark = ""): string =>
  Array.from({ length: count }, (_, at) => `line ${at}${mark}\n`).join("")

const changed = (count: number) => diffOfTexts("", numbered(count), { lines: 10_000, longest: 10_000 })

describe("a permission question", () => {
  it("says once that a long change is cut, and which key shows all of it", () => {
    for (const count of [60, 300, 5_000]) {
      const lines = frame(permission({ diff: changed(count) }))
      assert.isAtMost(lines.length, 22)
      assert.strictEqual(lines.filter((line) => line.includes(" more ")).length, 1, lines.join("\n"))
      assert.isTrue(lines.some((line) => line.includes("Ctrl+O: all of it")))
    }
  })

  it("shows where each long rule would go, and the whole of the one that is chosen", () => {
    const rule = `Bash(npm run build --workspace packages/${"inner/".repeat(8)}last)`
    const always = alwaysOptions([rule])
    const lines = frame(permission({ always, step: { at: "always", selected: 1 } }), 40)
    for (const scope of ["this session", "this project", "everywhere"]) {
      assert.strictEqual(lines.filter((line) => line.includes(scope)).length, 1, lines.join("\n"))
    }
    const squeezed = lines.map((line) => line.trim()).join("")
    assert.include(squeezed.replaceAll(" ", ""), rule.replaceAll(" ", ""))
    for (const line of lines) assert.isAtMost(cellWidth(line), 40)
  })

  it("counts what it cuts of a very long change", () => {
    const lines = frame(permission({ diff: changed(5_000) }))
    const shown = lines.filter((line) => line.includes("+ line")).length
    assert.isTrue(
      lines.some((line) => line.includes(`… ${5_000 - shown} more changed lines …`)),
      lines.join("\n")
    )
  })

  it("offers the key for a command that is cut, and not for one that is whole", () => {
    const long = permission({ question: { reason: text("r", "r"), subject: numbered(40), suggestions: [] } })
    assert.isTrue(frame(long).some((line) => line.includes("Ctrl+O: all of it")))
    assert.isFalse(frame(permission({ diff: changed(5) })).some((line) => line.includes("Ctrl+O")))
  })

  it("keeps each key whole at 40 columns, in both languages", () => {
    for (const language of ["en", "fr"] as const) {
      const lines = frame(permission({ diff: changed(300) }), 40, 20, language)
      const said = lines.join("\n")
      for (const line of lines) assert.isAtMost(cellWidth(line), 40)
      assert.include(said, language === "en" ? "a: always" : "t : toujours")
      assert.include(said, language === "en" ? "Ctrl+O: all of it" : "Ctrl+O : tout voir")
    }
  })

  it("prints every line when asked for all of it, also very long ones", () => {
    const diff = diffOfTexts("", `${numbered(600)}${"x".repeat(500)}end\n`, { lines: 10_000, longest: 10_000 })
    const view = { width: 80, language: "en", theme, markdown: undefined } as const
    const lines = logLines({ type: "proposal", subject: "a.txt", diff }, view)
    assert.strictEqual(lines.filter((line) => line.includes("+ line")).length, 600)
    assert.isTrue(lines.some((line) => line.includes("xend")))
  })
})

describe("the live frame", () => {
  it("never reaches the first row: erased from there, tmux keeps a copy of it in the scrollback", () => {
    for (const rows of [6, 10, 20, 24]) {
      // Ink ends a frame with a line end.
      assert.isBelow(frame(permission({ diff: changed(300) }), 40, rows).length + 1, rows)
    }
  })
})
