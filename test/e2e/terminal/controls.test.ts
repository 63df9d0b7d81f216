/** The reader of control sequences finds what must not be there. */
import { assert, describe, it } from "@effect/vitest"
import { foreignControls } from "./controls.ts"

describe("foreign controls", () => {
  for (const [name, text] of [
    ["a title by OSC 0", "\u001b]0;x\u0007"],
    ["the clipboard", "\u001b]52;c;eA==\u001b\\"],
    ["a link", "\u001b]8;;http://x\u0007"],
    ["a title that never ends", "\u001b]2;x"],
    ["a whole clear", "\u001b[2J"],
    ["a cleared scrollback", "\u001b[3J"],
    ["a reset", "\u001bc"],
    ["a question", "\u001b[6n"],
    ["another screen", "\u001b[?1049h"],
    ["the mouse", "\u001b[?1000h"],
    ["hidden text", "\u001b[8m"],
    ["hidden text among colours", "\u001b[31;8m"],
    ["a jump", "\u001b[5;1H"],
    ["eight-bit CSI", "\u009b31m"],
    ["a device string", "\u001bPx\u001b\\"],
    ["a backspace", "a\bb"],
    ["turned text", "\u202ex"],
    ["text of no width", "a\u200bb"]
  ] as const) {
    it(name, () => assert.strictEqual(foreignControls(`so${text}far`).length, 1))
  }

  it("maia's own are none", () => {
    const own =
      "\u001b[?2026h\u001b[?25l\r\u001b[2A\u001b[J\u001b[1;38;2;1;2;3m▸\u001b[0m\r\n\u001b[K\u001b]2;maia · x\u0007\u001b[?25h"
    assert.deepStrictEqual(foreignControls(own), [])
  })
})
