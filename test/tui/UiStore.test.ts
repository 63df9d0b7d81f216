/** The store: coalesced notices, immutable snapshots, holding while somebody else has the screen. */
import { assert, describe, it } from "@effect/vitest"
import { append } from "../../src/tui/store/log.ts"
import { UiStore } from "../../src/tui/store/UiStore.ts"
import { manualClock, newState } from "./support.ts"

const say = (store: UiStore, text: string): void => store.update((state) => append(state, { type: "info", text }))

describe("UiStore", () => {
  it("tells the first change at once, and a thousand more within 50 ms as one", () => {
    const clock = manualClock()
    const store = new UiStore(newState(), clock)
    let told = 0
    store.subscribe(() => told++)
    say(store, "0")
    assert.strictEqual(told, 1)
    for (let n = 1; n <= 1000; n++) say(store, String(n))
    assert.strictEqual(told, 1)
    clock.advance(50)
    assert.strictEqual(told, 2)
    assert.strictEqual(store.getSnapshot().items.length, 1001)
  })

  it("tells at most twenty times a second, however often it changes", () => {
    const clock = manualClock()
    const store = new UiStore(newState(), clock)
    let told = 0
    store.subscribe(() => told++)
    for (let ms = 0; ms < 1000; ms++) {
      say(store, String(ms))
      clock.advance(1)
    }
    assert.isAtMost(told, 21)
    assert.isAtLeast(told, 19)
  })

  it("streams in larger steps, and shows a key before the next of them is due", () => {
    const clock = manualClock()
    const store = new UiStore(newState(), clock)
    let told = 0
    store.subscribe(() => told++)
    for (let ms = 0; ms < 800; ms++) {
      store.update((state) => append(state, { type: "info", text: "x" }), "stream")
      clock.advance(1)
    }
    assert.strictEqual(told, 11)
    store.flush()
    const before = told
    store.update((state) => append(state, { type: "info", text: "x" }), "stream")
    say(store, "key")
    clock.advance(50)
    assert.strictEqual(told, before + 1)
    clock.advance(50)
    assert.strictEqual(told, before + 1)
  })

  it("leaves a snapshot as it was", () => {
    const store = new UiStore(newState(), manualClock())
    say(store, "one")
    const before = store.getSnapshot()
    const copy = structuredClone(before)
    say(store, "two")
    store.flush()
    assert.deepStrictEqual(before, copy)
    assert.strictEqual(store.getSnapshot().items.length, 2)
  })

  it("tells nothing where nothing changed", () => {
    const store = new UiStore(newState(), manualClock())
    let told = 0
    store.subscribe(() => told++)
    store.update((state) => state)
    store.flush()
    assert.strictEqual(told, 0)
  })

  it("holds while the terminal is somebody else's, then tells even where nothing changed", () => {
    const clock = manualClock()
    const store = new UiStore(newState(), clock)
    let told = 0
    store.subscribe(() => told++)
    store.hold()
    say(store, "meanwhile")
    clock.advance(1000)
    assert.strictEqual(told, 0)
    store.release()
    assert.strictEqual(told, 1)
    store.hold()
    store.release()
    assert.strictEqual(told, 2)
  })

  it("waits for a terminal that is behind, and draws the newest state then", () => {
    const clock = manualClock()
    let ready = false
    const store = new UiStore(newState(), clock, () => ready)
    let told = 0
    store.subscribe(() => told++)
    say(store, "one")
    clock.advance(500)
    say(store, "two")
    assert.strictEqual(told, 0)
    ready = true
    clock.advance(50)
    assert.strictEqual(told, 1)
    assert.strictEqual(store.getSnapshot().items.length, 2)
  })
})
