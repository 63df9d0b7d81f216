import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Message } from "../../src/domain/message.ts"
import { INTERRUPTED_RESULT, MessageLog, repairMessages } from "../../src/sessions/protocol.ts"
import { assistant, toolResult, user } from "./support.ts"

/** Says what a server would refuse. */
const faults = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const found: Array<string> = []
  if (messages.length > 0 && messages[0]?.role !== "user") found.push("does not begin with the user")
  let expected: ReadonlyArray<string> = []
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (expected[0] !== message.toolCallId) found.push(`${index}: result without its call`)
      expected = expected.slice(1)
      continue
    }
    if (expected.length > 0) found.push(`${index}: call without result`)
    expected = []
    if (message.role !== "assistant") continue
    if (message.text.trim() === "" && message.toolCalls.length === 0) found.push(`${index}: empty`)
    expected = message.toolCalls.map(({ id }) => id)
  }
  if (expected.length > 0) found.push("end: call without result")
  return found
}

const shape = (messages: Iterable<Message>): ReadonlyArray<string> =>
  repairMessages(messages).map((message) =>
    message.role === "tool"
      ? `${message.toolCallId}${message.text === INTERRUPTED_RESULT ? "!" : ""}`
      : `${message.role}:${message.text}`
  )

describe("any history becomes a valid request", () => {
  it("calls without results get one right after their call, before what the user said", () => {
    assert.deepStrictEqual(shape([user("q"), assistant("", "1", "2"), toolResult("1"), user("stop")]), [
      "user:q",
      "assistant:",
      "1",
      "2!",
      "user:stop"
    ])
  })

  it("a call at the end, as after a crash, gets a result", () => {
    assert.deepStrictEqual(shape([user("q"), assistant("x", "1")]), ["user:q", "assistant:x", "1!"])
  })

  it("results without their call, and second results, are dropped", () => {
    assert.deepStrictEqual(shape([user("q"), toolResult("9"), assistant("", "1"), toolResult("1"), toolResult("1")]), [
      "user:q",
      "assistant:",
      "1"
    ])
  })

  it("a cut between call and result leaves no orphan", () => {
    assert.deepStrictEqual(shape([toolResult("1"), assistant("done"), user("next")]), [
      "user:[The beginning of this conversation is not shown.]",
      "assistant:done",
      "user:next"
    ])
  })

  it("a result that comes after the user spoke goes back to its call", () => {
    assert.deepStrictEqual(shape([user("q"), assistant("", "1", "2"), user("u"), toolResult("2"), toolResult("1")]), [
      "user:q",
      "assistant:",
      "1",
      "2",
      "user:u"
    ])
  })

  it("results in another order than the calls are put in order", () => {
    assert.deepStrictEqual(shape([user("q"), assistant("", "1", "2"), toolResult("2"), toolResult("1")]).slice(2), [
      "1",
      "2"
    ])
  })

  it("servers that use the ids of calls again get each result at its own call", () => {
    const repaired = repairMessages([
      user("q"),
      assistant("", "c"),
      toolResult("c", "first"),
      assistant("", "c", "c"),
      toolResult("c", "second"),
      toolResult("c", "third")
    ])
    assert.deepStrictEqual(
      repaired.filter(({ role }) => role === "tool").map(({ text }) => text),
      ["first", "second", "third"]
    )
  })

  it("empty answers are dropped, also those that held reasoning only", () => {
    assert.deepStrictEqual(
      shape([
        user("q"),
        { ...assistant(" \n"), reasoning: { text: "hm", field: "reasoning" } },
        { ...assistant(""), stopReason: "error", error: "x" }
      ]),
      ["user:q"]
    )
  })

  const messages = fc.array(
    fc.oneof(
      fc.constantFrom("u", "v", "").map((text) => user(text)),
      fc
        .tuple(fc.constantFrom("", " ", "a"), fc.array(fc.constantFrom("1", "2", "3"), { maxLength: 3 }))
        .map(([text, ids]) => assistant(text, ...ids)),
      fc.constantFrom("1", "2", "3", "4").map((id) => toolResult(id))
    ),
    { maxLength: 30 }
  )

  it("property: whatever the list, the result is valid, at every step of appending", () => {
    fc.assert(
      fc.property(messages, (list) => {
        const log = new MessageLog()
        for (const message of list) {
          log.append({ entryId: "e", message })
          assert.deepStrictEqual(faults(log.messages), [])
          assert.deepStrictEqual(
            log.items.map((item) => item.message),
            [...log.messages]
          )
        }
      }),
      { seed: 4, numRuns: 2000 }
    )
  })

  it("property: what is valid stays as it is", () => {
    fc.assert(
      fc.property(messages, (list) => {
        const valid = repairMessages(list)
        assert.deepStrictEqual(repairMessages(valid), valid)
      }),
      { seed: 5, numRuns: 1000 }
    )
  })

  it("property: users' messages are all kept, in order", () => {
    fc.assert(
      fc.property(messages, (list) => {
        const kept = repairMessages([user("start"), ...list]).filter(({ role }) => role === "user")
        assert.deepStrictEqual(
          kept.slice(1),
          list.filter(({ role }) => role === "user")
        )
      }),
      { seed: 6, numRuns: 500 }
    )
  })
})
