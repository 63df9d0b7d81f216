/** Erasing a frame leaves the same screen as Ink's own way, without a copy of it in tmux's scrollback. */
import xterm from "@xterm/headless"
import { assert, describe, it } from "@effect/vitest"
import { buildEraseFrame } from "../../../node_modules/ink/build/cursor-helpers.js"
import { eraseByRows, eraseRows } from "../../../src/tui/ink/erase.ts"

const screenAfter = async (written: string) => {
  const terminal = new xterm.Terminal({ cols: 20, rows: 8, allowProposedApi: true })
  await new Promise<void>((done) => terminal.write(written, done))
  const { active } = terminal.buffer
  return {
    rows: Array.from({ length: 8 }, (_, at) => active.getLine(at)?.translateToString(true)),
    cursor: [active.cursorX, active.cursorY]
  }
}

/** Two rows above a frame of five, the cursor in its fourth row. */
const FRAME = "log 1\r\nlog 2\r\na\r\nb\r\nc\r\nd\r\ne\u001b[A\u001b[4G"

describe("erasing a frame", () => {
  it("does what Ink does, one row at a time", async () => {
    const inks = buildEraseFrame(6, { x: 3, y: 3 })
    const ours = eraseByRows(inks)
    assert.notStrictEqual(ours, inks)
    assert.deepStrictEqual(await screenAfter(FRAME + ours), await screenAfter(FRAME + inks))
    assert.deepStrictEqual(await screenAfter(FRAME + eraseRows(3)), await screenAfter(FRAME + inks))
  })

  it("never erases all that follows from a row it has moved up to", () => {
    const ours = eraseByRows(`log${buildEraseFrame(6, { x: 3, y: 3 })}more`)
    assert.strictEqual(ours.split("\u001b[J").length, 2)
    assert.isBelow(ours.indexOf("\u001b[J"), ours.indexOf("\u001b[A"))
    assert.isTrue(ours.startsWith("log") && ours.endsWith("more"))
  })
})
