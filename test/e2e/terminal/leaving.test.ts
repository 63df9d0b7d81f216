/**
 * Whatever ends or stops the executable: the terminal is as it was (spec 07 "Clean leave"), and the screen was never cleared
 * (field case G5).
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hang, chunk } from "../../support/scriptedServer.ts"
import { openTerminal, type TerminalProgram } from "../../support/terminal.ts"
import { environment, MAIA } from "../support.ts"
import { CTRL_C, CTRL_D, input, PLACEHOLDER, talk, withServer, type Talk } from "./support.ts"
import { clears, modesOf, UNTOUCHED } from "./terminalModes.ts"

const isTaken = (program: TerminalProgram): void => {
  const { keyboards, on } = modesOf(program.raw())
  assert.include(on, 2004, "bracketed paste")
  assert.strictEqual(keyboards, 1, "kitty's keyboard")
  assert.isFalse(program.isCooked(), "raw")
}

const isGivenBack = (program: TerminalProgram): void => {
  assert.deepStrictEqual(modesOf(program.raw()), UNTOUCHED)
  assert.isTrue(program.isCooked(), "the terminal edits lines again")
  assert.deepStrictEqual(clears(program.raw()), [])
  assert.notMatch(program.screen().join("\n"), /┈┈/, "no input is left on the screen")
}

const ends: ReadonlyArray<readonly [name: string, code: number, end: (talk: Talk) => Effect.Effect<void>]> = [
  ["/exit", 0, (now) => now.says("/exit")],
  ["Ctrl+D", 0, (now) => Effect.sync(() => now.send(CTRL_D))],
  [
    "Ctrl+C twice",
    0,
    (now) =>
      Effect.gen(function* () {
        now.send(CTRL_C)
        yield* now.shows("Ctrl+C again to leave")
        now.send(CTRL_C)
      })
  ],
  ["SIGTERM", 143, (now) => Effect.sync(() => now.kill("SIGTERM"))],
  ["SIGHUP", 129, (now) => Effect.sync(() => now.kill("SIGHUP"))],
  [
    "SIGTERM while an answer streams",
    143,
    (now) =>
      Effect.gen(function* () {
        now.answers(hang([chunk({ content: "half of a sen" })]))
        yield* now.says("speak")
        yield* now.shows("half of a sen")
        now.kill("SIGTERM")
      })
  ],
  [
    "Ctrl+C twice while an answer streams",
    0,
    (now) =>
      Effect.gen(function* () {
        now.answers(hang([chunk({ content: "half of a sen" })]))
        yield* now.says("speak")
        yield* now.shows("half of a sen")
        now.send(CTRL_C)
        yield* now.shows("Ctrl+C again to leave")
        now.send(CTRL_C)
      })
  ],
  [
    "SIGHUP at a question",
    129,
    (now) =>
      Effect.gen(function* () {
        yield* now.says("/rename")
        yield* now.shows("New name")
        now.kill("SIGHUP")
      })
  ]
]

describe("the terminal is given back", () => {
  for (const [name, code, end] of ends) {
    it.live(`after ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const now = yield* talk({ rows: 12 })
          isTaken(now)
          yield* end(now)
          assert.strictEqual(yield* now.exit, code)
          isGivenBack(now)
        })
      )
    )
  }

  it.live("while it is stopped by Ctrl+Z, and taken again by fg, with what was typed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { box, server } = yield* withServer()
        // What the shell itself asks of the terminal is not looked at.
        box.writeHome(".inputrc", "set enable-bracketed-paste off\n")
        const shell = yield* openTerminal(["bash", "--norc", "--noprofile", "-i"], {
          cwd: box.folder,
          rows: 12,
          env: environment(box, { url: server.url, env: { PS1: "shell> ", MAIA } })
        })
        yield* shell.shows("shell> ")
        shell.send('"$MAIA"\r')
        yield* shell.shows(PLACEHOLDER.en)
        shell.send("a draft")
        yield* shell.shows("▸ a draft")
        shell.send("\u001a")
        yield* shell.shows("Stopped")
        yield* shell.hides("┈┈")
        assert.deepStrictEqual(modesOf(shell.raw().slice(0, shell.raw().indexOf("Stopped"))), UNTOUCHED)
        shell.send("stty -a | tr ';' '\\n' | grep -ow -e '-*icanon' -e '-*echo'; fg\r")
        yield* shell.shows("▸ a draft")
        assert.include(shell.lines().join("\n"), "\nicanon\necho\n")
        shell.send("ing")
        yield* shell.shows("▸ a drafting")
        shell.send(CTRL_C)
        yield* shell.shows(PLACEHOLDER.en)
        shell.send(CTRL_D)
        yield* shell.until("the prompt of the shell", ({ lines }) => lines().at(-1)?.trim() === "shell>")
        shell.send("exit\r")
        assert.strictEqual(yield* shell.exit, 0)
        assert.deepStrictEqual(modesOf(shell.raw()), UNTOUCHED)
        assert.deepStrictEqual(clears(shell.raw()), [])
      })
    )
  )

  it.live("brought back at a question, it has no cursor among the choices, and its title again", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { box, server } = yield* withServer()
        const shell = yield* openTerminal(["bash", "--norc", "--noprofile", "-i"], {
          cwd: box.folder,
          rows: 16,
          env: environment(box, { url: server.url, env: { PS1: "shell> ", MAIA } })
        })
        yield* shell.shows("shell> ")
        shell.send('"$MAIA"\r')
        yield* shell.shows(PLACEHOLDER.en)
        shell.send("/model\r")
        yield* shell.shows("Enter: choose")
        shell.send("\u001a")
        yield* shell.shows("Stopped")
        yield* shell.hides("Enter: choose")
        shell.send("fg\r")
        yield* shell.shows("Enter: choose")
        yield* shell.until("no cursor", ({ raw }) => modesOf(raw()).on.includes(25))
        yield* shell.until("the title", ({ raw }) => /Stopped[^]*\]2;[^]*maia/.test(raw()))
      })
    )
  )

  it.live("Ctrl+Z where no shell could bring it back does nothing", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({ rows: 12 })
        yield* now.types("a draft")
        now.send("\u001a")
        yield* now.hides("a draft")
        yield* now.types("ing")
        assert.deepStrictEqual(input(now), ["a drafting"])
        isTaken(now)
      })
    )
  )
})
