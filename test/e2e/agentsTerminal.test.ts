/** Sub-agents in the terminal: whose question it is, one at a time, and Ctrl+C while one is open (MAIA §20.3, §20.4). */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { scriptedServer, textAnswer, toolCalls, type ChatBody } from "../support/scriptedServer.ts"
import { openTerminal } from "../support/terminal.ts"
import { environment, MAIA, sandbox, survivors } from "./support.ts"

const AGENT = `---
name: asker
description: asks
---
# Instructions system
Ask.
# Missions
Ask.
# Output
One line.
`

/** Two sub-agents that want to run the same command. */
const script = (_n: number, body: ChatBody) => {
  const isAgent = String(body.messages?.[0]?.content).startsWith("You are asker")
  const last = body.messages?.at(-1)
  if (last?.role === "tool") return textAnswer(isAgent ? "asked" : "that was all")
  return isAgent
    ? toolCalls([{ name: "Bash", args: { command: "touch made" } }])
    : toolCalls([0, 1].map((n) => ({ name: "Agent", args: { agent: "asker", task: `task ${n}` }, id: `c${n}` })))
}

const opened = Effect.gen(function* () {
  const box = yield* sandbox
  box.writeHome(".maia/agents/asker/AGENT.md", AGENT)
  box.settings({ permissions: { allow: ["Agent"] } })
  const server = yield* scriptedServer(script)
  const env = { ...environment(box, { url: server.url }), MAIA_TEST_MARK: box.root }
  const program = yield* openTerminal([MAIA], { cwd: box.folder, env, columns: 100, rows: 30 })
  yield* program.shows("Agents loaded:")
  yield* program.shows("Your request")
  program.send("go\r")
  yield* program.shows("[sub-agent asker] Allow Bash?")
  yield* program.shows("touch made")
  return { box, program, server }
})

describe("a sub-agent asks at the terminal", () => {
  it.live("it says who asks, and an always settles the other one's question", () =>
    Effect.gen(function* () {
      const { box, program, server } = yield* opened
      program.send("a")
      yield* program.shows("Bash(touch made)")
      program.send("\r")
      yield* program.shows("that was all")
      assert.isTrue(existsSync(join(box.folder, "made")))
      const asked = program.lines().filter((line) => line.includes("◆ [sub-agent asker] Allow Bash"))
      assert.lengthOf(asked, 1, program.lines().join("\n"))
      assert.lengthOf(server.chats, 6)
      const screen = program.lines().join("\n")
      assert.match(screen, /Sub-agent "asker" finished in \d+ s, 1 tool call\./)
    }).pipe(Effect.scoped)
  )

  it.live("Ctrl+C takes the question back and ends the sub-agents", () =>
    Effect.gen(function* () {
      const { box, program } = yield* opened
      program.send("\u0003")
      yield* program.hides("Allow Bash?")
      yield* program.shows("Your request")
      const left = Effect.sync(() =>
        survivors(`MAIA_TEST_MARK=${box.root}`).filter((line) => line.includes("sub-agent"))
      )
      yield* left.pipe(
        Effect.filterOrFail((found) => found.length === 0),
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 250 })
      )
      assert.isFalse(existsSync(join(box.folder, "made")))
    }).pipe(Effect.scoped)
  )
})
