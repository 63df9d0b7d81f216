import { assert, describe, it } from "@effect/vitest"
import type { AnyEntry } from "../../../src/sessions/checkEntry.ts"
import { checkpointBody, targetsOf, toCheckpoint, type Noticed } from "../../../src/sessions/checkpoints/timeline.ts"

const hash = (digit: string): string => digit.repeat(64)

const point = (id: string, noticed: Noticed, path: string, digit: string | null): AnyEntry => ({
  id,
  parentId: "h",
  time: "",
  ...checkpointBody({ noticed, files: [{ path, hash: digit === null ? null : hash(digit) }] })
})

const shown = (from: ReadonlyArray<AnyEntry>, to: ReadonlyArray<AnyEntry>) =>
  targetsOf(from, to).map(({ path, hash: value, disputed }) => [path, value?.[0] ?? null, disputed])

describe("what a file was", () => {
  it("going back: the state before the first change after the entry", () => {
    const path = [point("1", "read", "a", "1"), point("2", "change", "a", "1"), point("3", "turn", "a", "2")]
    assert.deepStrictEqual(shown(path, path.slice(0, 1)), [["a", "1", false]])
    assert.deepStrictEqual(shown(path, []), [["a", "1", false]])
    assert.deepStrictEqual(shown(path, path), [])
  })

  it("to another branch: what was last known there, else what it was where the branches part", () => {
    const root = point("0", "read", "a", "1")
    const left = [root, point("1", "turn", "a", "2"), point("2", "change", "new", null), point("3", "turn", "new", "5")]
    const right = [root, point("4", "turn", "a", "3")]
    assert.deepStrictEqual(shown(left, right), [
      ["a", "3", false],
      ["new", null, false]
    ])
  })

  it("a change of someone else before maia's comes back too; after maia's it is disputed", () => {
    const before = [point("1", "read", "a", "1"), point("2", "other", "a", "2"), point("3", "turn", "a", "3")]
    assert.deepStrictEqual(shown(before, []), [["a", "2", false]])
    const after = [point("1", "read", "a", "1"), point("2", "turn", "a", "2"), point("3", "other", "a", "3")]
    assert.deepStrictEqual(shown(after, []), [["a", "1", true]])
  })

  it("a session file cannot name a hash that is a path", () => {
    const entry = point("1", "read", "a", "1")
    const evil = {
      ...entry,
      data: { noticed: "read", files: [{ path: "a", hash: "../../../etc/passwd" }, { path: 1 }, null] }
    }
    assert.deepStrictEqual(toCheckpoint(evil)?.files, [])
    assert.isUndefined(toCheckpoint({ ...entry, data: { noticed: "x", files: [] } }))
    assert.isUndefined(toCheckpoint({ ...entry, customType: "other" }))
  })
})
