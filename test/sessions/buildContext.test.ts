import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Entry, EntryBody } from "../../src/domain/entry.ts"
import type { AnyEntry } from "../../src/sessions/checkEntry.ts"
import {
  buildContext,
  branchSummaryText,
  compactionSummaryText,
  ContextLog,
  undoTarget
} from "../../src/sessions/buildContext.ts"
import { assistant, message, toolResult, user } from "./support.ts"

/** Entries e0, e1 … one after the other. */
const path = (...bodies: ReadonlyArray<EntryBody>): ReadonlyArray<Entry> =>
  bodies.map((body, index) => ({
    id: `e${index}`,
    parentId: index === 0 ? "h" : `e${index - 1}`,
    time: "2026-01-01T00:00:00.000Z",
    ...body
  }))

const shown = (entries: ReadonlyArray<AnyEntry>): ReadonlyArray<readonly [string, string]> =>
  buildContext(entries).map(({ entryId, message: { text } }) => [entryId, text] as const)

const compaction = (firstKeptEntryId: string, summary = "S"): EntryBody => ({
  type: "compaction",
  summary,
  firstKeptEntryId,
  tokensBefore: 1
})

describe("from entries to messages", () => {
  it("the last compaction's summary stands first, then what was kept, then what came later", () => {
    const entries = path(
      message(user("old")),
      message(assistant("old answer")),
      compaction("e1", "first"),
      message(user("kept")),
      message(assistant("kept answer")),
      compaction("e3", "second"),
      message(user("later"))
    )
    assert.deepStrictEqual(shown(entries), [
      ["e5", compactionSummaryText("second")],
      ["e3", "kept"],
      ["e4", "kept answer"],
      ["e6", "later"]
    ])
  })

  it("a compaction that kept nothing, or whose first kept entry is not on the path, leaves the summary", () => {
    assert.deepStrictEqual(shown(path(message(user("a")), compaction("gone"), message(user("b")))), [
      ["e1", compactionSummaryText("S")],
      ["e2", "b"]
    ])
  })

  it("a clear restarts the context, and a compaction after it does not bring back what was before", () => {
    assert.deepStrictEqual(shown(path(message(user("a")), { type: "clear" }, message(user("b")))), [["e2", "b"]])
    assert.deepStrictEqual(shown(path(message(user("a")), { type: "clear" }, message(user("b")), compaction("e0"))), [
      ["e3", compactionSummaryText("S")]
    ])
    assert.deepStrictEqual(shown(path(message(user("a")), compaction("e0"), { type: "clear" })), [])
  })

  it("branch summaries, custom messages and pending contexts are user messages", () => {
    const entries = path(
      { type: "pending_context", text: "!ls" },
      { type: "branch_summary", fromId: "x", summary: "B" },
      { type: "custom_message", customType: "skill", text: "C" },
      { type: "custom", customType: "checkpoint", data: {} },
      { type: "todo", items: [] },
      { type: "model_change", model: "m" }
    )
    const context = buildContext(entries)
    assert.deepStrictEqual(
      context.map(({ message: { role, text } }) => [role, text]),
      [
        ["user", "!ls"],
        ["user", branchSummaryText("B")],
        ["user", "C"]
      ]
    )
  })

  it("pruned results are shortened from then on and calls keep their results", () => {
    const entries = path(
      message(user("q")),
      message(assistant("", "1", "2")),
      message({ ...toolResult("1", "long"), attachments: [{ type: "image", mediaType: "image/png", data: "AA==" }] }),
      message(toolResult("2", "short")),
      { type: "prune", results: [{ entryId: "e2", text: "[Output truncated - 9 tokens]" }] }
    )
    const context = buildContext(entries)
    assert.deepStrictEqual(
      context.map(({ message: { text } }) => text),
      ["q", "", "[Output truncated - 9 tokens]", "short"]
    )
    assert.notProperty(context[2]?.message, "attachments")
  })

  it("a cut at a tool result leaves no orphan", () => {
    const entries = path(
      message(user("q")),
      message(assistant("", "1")),
      message(toolResult("1")),
      message(assistant("a")),
      compaction("e2")
    )
    assert.deepStrictEqual(
      shown(entries).map(([id]) => id),
      ["e4", "e3"]
    )
  })

  it("unknown and malformed entries are no messages", () => {
    const strange: AnyEntry = { id: "x", parentId: "h", time: "", type: "hologram" }
    assert.deepStrictEqual(shown([strange]), [])
  })

  const bodies = fc.array(
    fc.oneof(
      fc.constantFrom<EntryBody>(
        message(user("u")),
        message(assistant("a")),
        message(assistant("", "1", "2")),
        message(toolResult("1")),
        message(toolResult("2")),
        { type: "clear" },
        { type: "pending_context", text: "p" },
        { type: "custom", customType: "c", data: 1 }
      ),
      fc.nat(30).map((n) => compaction(`e${n}`)),
      fc.nat(30).map((n): EntryBody => ({ type: "prune", results: [{ entryId: `e${n}`, text: "[cut]" }] }))
    ),
    { maxLength: 30 }
  )

  it("property: appending one by one gives the same as building from the whole path", () => {
    fc.assert(
      fc.property(bodies, (list) => {
        const entries = path(...list)
        const log = new ContextLog([])
        for (const [index, entry] of entries.entries()) {
          log.append(entry)
          assert.deepStrictEqual(log.items, buildContext(entries.slice(0, index + 1)))
        }
      }),
      { seed: 7, numRuns: 1000 }
    )
  })

  it("appending a message changes nothing else; a compaction is a new revision", () => {
    const log = new ContextLog(path(message(user("q"))))
    const { revision } = log
    const [first] = log.items
    log.append({ id: "n", parentId: "e0", time: "", ...message(assistant("a")) })
    assert.strictEqual(log.revision, revision)
    assert.strictEqual(log.items[0], first)
    log.append({ id: "c", parentId: "n", time: "", ...compaction("n") })
    assert.isAbove(log.revision, revision)
  })
})

describe("/undo", () => {
  it("goes before the last request and the context that was added for it", () => {
    const entries = path(
      message(user("1")),
      message(assistant("a")),
      { type: "pending_context", text: "!ls" },
      message(user("2")),
      message(user("steer", "steering")),
      message(assistant("b"))
    )
    assert.strictEqual(undoTarget(entries)?.target, "e1")
    assert.strictEqual(undoTarget(entries)?.request.id, "e3")
    assert.strictEqual(undoTarget(entries.slice(0, 2))?.target, null)
    assert.strictEqual(undoTarget([]), undefined)
  })
})
