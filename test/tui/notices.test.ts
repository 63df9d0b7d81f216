/** Title and notices: states told in words, nothing of others' text obeyed, no notice to who is looking. */
import { assert, describe, it } from "@effect/vitest"
import { noticeOf, titleOf } from "../../src/tui/store/notices.ts"
import { startTurn } from "../../src/tui/store/turnEvents.ts"
import { newState } from "./support.ts"

const status = (session: string) => ({ ...newState().status, session })

describe("the window's title", () => {
  it("says what is going on", () => {
    assert.strictEqual(titleOf(newState({ status: status("one") })), "maia · one")
    assert.strictEqual(titleOf(startTurn(newState({ status: status("one") }), 0)), "● maia · working · one")
    assert.include(
      titleOf(newState({ question: { type: "confirm", id: 1, askedAt: 0, title: "?", detail: "" } })),
      "? maia · asks"
    )
  })

  it("holds no escape of a session's name", () => {
    const title = titleOf(newState({ status: status("a\u001b]0;evil\u0007\u009bb") }))
    assert.notMatch(title, /[\u0000-\u001f\u007f-\u009f]/)
  })
})

describe("notices", () => {
  const working = startTurn(newState(), 0)
  const later = { ...working, now: 20_000 }

  it("come at the end of a long turn, and when it asks", () => {
    assert.strictEqual(noticeOf(later, { ...later, turn: undefined }), "maia has finished")
    const question = { type: "confirm", id: 1, askedAt: 0, title: "?", detail: "" } as const
    assert.strictEqual(noticeOf(later, { ...later, question }), "maia waits for your answer")
  })

  it("do not come after a short turn, nor to who is looking", () => {
    assert.strictEqual(noticeOf(working, { ...working, now: 2_000, turn: undefined }), undefined)
    assert.strictEqual(noticeOf(later, { ...later, turn: undefined, focused: true }), undefined)
    assert.strictEqual(noticeOf(later, { ...later, turn: undefined, focused: false }), "maia has finished")
  })
})
