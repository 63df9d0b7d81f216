import { assert, describe, it } from "@effect/vitest"
import { callKey, canonical } from "../../../src/agent/loop/callKey.ts"
import { LoopDetector, type Loop } from "../../../src/agent/loop/LoopDetector.ts"
import type { ToolCall, ToolMessage } from "../../../src/domain/message.ts"

const call = (name: string, input: unknown): ToolCall => ({
  id: "c",
  name,
  arguments: typeof input === "string" ? input : JSON.stringify(input)
})
const result = (name: string, text: string, more: Partial<ToolMessage> = {}): ToolMessage => ({
  role: "tool",
  toolCallId: "c",
  toolName: name,
  text,
  isError: false,
  ...more
})

/** Each letter is a call of its own with a result of its own; one call an answer. */
const walk = (detector: LoopDetector, letters: string): ReadonlyArray<Loop | undefined> =>
  [...letters].map((letter) => {
    const loop = detector.observe(call("T", { letter }), result("T", letter))
    detector.answered()
    return loop
  })

/** One sign a call: nothing, told, stuck. */
const signs = (loops: ReadonlyArray<Loop | undefined>): string =>
  loops.map((loop) => (loop === undefined ? "." : loop.isStuck ? "S" : "L")).join("")

describe("LoopDetector", () => {
  for (const [letters, expected] of [
    ["aaaaaa", "..LLLS"],
    ["aabaab", "......"],
    ["ababababab", ".....LLLLL"],
    ["abababababab", ".....LLLLLLS"],
    ["abcabcabcabc", "........LLLL"],
    ["abcabcabcabcabcabc", "........LLLLLLLLLS"],
    ["aabaabaab", "........L"],
    ["abcdabcdabcdabcd", "................"],
    ["aaabaaabaaa", "..L...L...L"],
    ["aaabbb", "..L..L"],
    ["abcdefghij", ".........."]
  ] as const) {
    it(`${letters} is ${expected}`, () => assert.strictEqual(signs(walk(new LoopDetector(), letters)), expected))
  }

  it("says which calls, how long the circle is and how many times", () => {
    const loop = walk(new LoopDetector(), "ababab").at(-1)
    assert.deepStrictEqual(loop, { period: 2, times: 3, tools: ["T", "T"], isStuck: false, isNew: true })
  })

  it("the same call with another result is no loop", () => {
    const detector = new LoopDetector()
    for (let n = 0; n < 20; n++) {
      assert.isUndefined(detector.observe(call("Bash", { command: "date" }), result("Bash", `${n}`)))
    }
  })

  it("calls asked for in one answer do not end the turn before the model has read of it", () => {
    const detector = new LoopDetector()
    const loops = Array.from({ length: 8 }, () => detector.observe(call("T", {}), result("T", "x")))
    assert.strictEqual(signs(loops), "..LLLLLL")
    detector.answered()
    assert.strictEqual(signs(walk(detector, "")), "")
    const later = Array.from({ length: 3 }, () => {
      const loop = detector.observe(call("T", {}), result("T", "x"))
      detector.answered()
      return loop
    })
    assert.strictEqual(signs(later), "LLS")
  })

  it("a new request of the person warns again but does not end at once", () => {
    const detector = new LoopDetector()
    assert.strictEqual(signs(walk(detector, "aaaaa")), "..LLL")
    detector.beginTurn()
    assert.strictEqual(signs(walk(detector, "aaaa")), "LLLS")
  })

  it("the same thing asked for by a person in each of many turns was called a loop", () => {
    const detector = new LoopDetector()
    for (let turn = 0; turn < 8; turn++) {
      detector.beginTurn()
      assert.strictEqual(signs(walk(detector, "a")), ".", `turn ${turn}`)
    }
    for (let turn = 0; turn < 8; turn++) {
      detector.beginTurn()
      assert.strictEqual(signs(walk(detector, "ab")), "..", `turn ${turn}`)
    }
    detector.beginTurn()
    assert.strictEqual(signs(walk(detector, "abab")), "..LL")
    detector.beginTurn()
    assert.strictEqual(signs(walk(detector, "ab")), "LL")
  })

  it("waiting with sleep for something that takes its time ended the turn", () => {
    const look = (detector: LoopDetector, command: string) => {
      const loop = detector.observe(call("Bash", { command }), result("Bash", "in progress"))
      detector.answered()
      return loop
    }
    for (const command of ["sleep 30 && gh run view 7", " sleep 5; tail -1 build.log", "sleep 20s\ncurl -s x"]) {
      const detector = new LoopDetector()
      for (let n = 0; n < 12; n++) assert.isUndefined(look(detector, command), command)
    }
    for (const command of [
      "gh run view 7",
      "sleep 1; gh run view 7",
      "sleep",
      "echo sleep 30",
      "sleep 0.5",
      "sleepy 30"
    ]) {
      const detector = new LoopDetector()
      for (let n = 0; n < 2; n++) look(detector, command)
      assert.isDefined(look(detector, command), command)
    }
  })

  it("forgets everything when the conversation is cleared", () => {
    const detector = new LoopDetector()
    walk(detector, "aaaaa")
    detector.reset()
    assert.strictEqual(signs(walk(detector, "aa")), "..")
    assert.isFalse(detector.takeHeat())
  })

  it("two requests after a detection are hot", () => {
    const detector = new LoopDetector()
    walk(detector, "aaa")
    assert.deepStrictEqual(
      [1, 2, 3].map(() => detector.takeHeat()),
      [true, true, false]
    )
  })

  it("polling a job whose output changes is no loop", () => {
    const detector = new LoopDetector()
    for (let n = 0; n < 20; n++) {
      const poll = result("BashOutput", `line ${n}\n[still running]`, { details: { running: true } })
      assert.isUndefined(detector.observe(call("BashOutput", { id: "1" }), poll))
    }
  })

  it("waiting between two looks at a silent job is no loop; looking without waiting is", () => {
    const silent = result("BashOutput", "(no new output)\n[still running]", { details: { running: true } })
    const waiting = new LoopDetector()
    const looking = new LoopDetector()
    for (let n = 0; n < 10; n++) {
      assert.isUndefined(waiting.observe(call("Bash", { command: "sleep 5" }), result("Bash", "[exit code: 0]")))
      assert.isUndefined(waiting.observe(call("BashOutput", { id: "1" }), silent))
    }
    const loops = [1, 2, 3].map(() => looking.observe(call("BashOutput", { id: "1" }), silent))
    assert.strictEqual(signs(loops), "..L")
  })

  it("near duplicates: edits refused for the same reason on one file, whatever they quoted", () => {
    const detector = new LoopDetector()
    const edit = (old: string, near: string) => {
      const loop = detector.observe(
        call("Edit", { path: "a.go", edits: [{ old, new: "x" }] }),
        result("Edit", `"old" was not found in the file. The nearest lines are ${near}`, { isError: true })
      )
      detector.answered()
      return loop
    }
    const tries = ["a", "a ", " a", "a  ", "  a", "b"].map((old, n) => edit(old, `${n}: func a`))
    assert.strictEqual(signs(tries), "..LLLS")
  })

  it("edits that succeed, of other files, or refused for another reason are not near duplicates", () => {
    const key = (path: string, text: string, isError = true) =>
      callKey(call("Edit", { path, edits: [{ old: "a", new: "b" }] }), result("Edit", text, { isError }))
    const keys = [
      key("a.go", '"old" was not found in the file. Read it again.'),
      key("b.go", '"old" was not found in the file. Read it again.'),
      key("a.go", '"old" was found 2 times, in lines 1, 2. Add lines.'),
      key("a.go", "1 replacement in a.go", false)
    ]
    assert.strictEqual(new Set(keys).size, keys.length)
    assert.strictEqual(
      key("a.go", '"old" was found 2 times, in lines 1, 2. Add lines.'),
      key("a.go", '"old" was found 13 times, in lines 3. Add lines.')
    )
  })

  it("read, refused edit, read, refused edit is a circle of two", () => {
    const detector = new LoopDetector()
    const loops = Array.from({ length: 3 }, (_, n) => [
      detector.observe(call("Read", { path: "a" }), result("Read", "1: x")),
      detector.observe(
        call("Edit", { path: "a", edits: [{ old: `${n}`, new: "" }] }),
        result("Edit", `"old" was not found in the file. ${n}`, { isError: true })
      )
    ]).flat()
    assert.strictEqual(signs(loops), ".....L")
  })
})

describe("what is the same call", () => {
  const same = (left: unknown, right: unknown) =>
    callKey(call("T", left), result("T", "x")) === callKey(call("T", right), result("T", "x"))

  it("the order of keys, blanks between them and in short texts do not count", () => {
    assert.isTrue(same('{"a":1,"b":{"c":2,"d":3}}', '{ "b": {"d":3, "c":2},\n"a":1 }'))
    assert.isTrue(same({ command: "ls  -la" }, { command: " ls -la\n" }))
    assert.isTrue(same("not json ", " not json"))
  })

  it("values, list order and long texts do count", () => {
    assert.isFalse(same({ a: 1 }, { a: "1" }))
    assert.isFalse(same({ a: [1, 2] }, { a: [2, 1] }))
    assert.isFalse(same({ a: "x y".repeat(1000) }, { a: "x  y".repeat(1000) }))
    assert.isFalse(same({ a: 1 }, { b: 1 }))
    assert.notStrictEqual(canonical('{"a":null}'), canonical("{}"))
  })

  it("tool, result and failure count", () => {
    const key = (name: string, text: string, isError = false) =>
      callKey(call(name, {}), result(name, text, { isError }))
    assert.strictEqual(new Set([key("A", "x"), key("B", "x"), key("A", "y"), key("A", "x", true)]).size, 4)
  })

  it("the file a long output was kept in does not count", () => {
    const cut = (place: string) =>
      callKey(
        call("Bash", {}),
        result(
          "Bash",
          `head\n[… 5 of 9 characters left out. The whole output is in ${place} — read a part of it with Read …]`
        )
      )
    assert.strictEqual(cut("/tmp/result-a/output.txt"), cut("/tmp/result-b c/output.txt"))
  })
})
