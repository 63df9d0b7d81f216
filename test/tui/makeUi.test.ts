/** The interface between a store and those that use it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { makeUi } from "../../src/tui/makeUi.ts"
import { UiStore } from "../../src/tui/store/UiStore.ts"
import { keys, manualClock, newState, write } from "./support.ts"

const open = () => {
  const store = new UiStore(newState(), manualClock())
  const parts = makeUi(store, {
    run: (effect) => {
      const stop = Effect.runCallback(effect)
      return () => stop()
    },
    suspend: () => {},
    editor: () => {},
    redraw: () => {},
    bell: () => {},
    copy: () => {}
  })
  return { store, ...parts }
}

describe("help for the input", () => {
  it.effect("what is typed before the conversation is open is completed once it is", () =>
    Effect.gen(function* () {
      const { controller, store, ui } = open()
      for (const event of write("/he")) controller.take(event)
      assert.deepStrictEqual(store.current.input.completion?.candidates, [])
      yield* ui.helpInput({
        complete: ({ query }) =>
          Effect.succeed([{ insert: "/help", label: `/help for ${query}`, matched: [], continues: false }]),
        hasImage: () => Effect.succeed(true)
      })
      yield* Effect.yieldNow
      assert.deepStrictEqual(
        store.current.input.completion?.candidates.map(({ label }) => label),
        ["/help for he"]
      )
    })
  )
})

describe("Shift+Tab", () => {
  it.effect("each press counts, also before anybody listens and twice at once", () =>
    Effect.gen(function* () {
      const { controller, ui } = open()
      const [shiftTab] = keys("shift+tab")
      assert.isDefined(shiftTab)
      const press = () => controller.take(shiftTab)
      press()
      yield* ui.modeCycled
      const both = yield* Effect.forkChild(Effect.andThen(ui.modeCycled, ui.modeCycled))
      yield* Effect.yieldNow
      press()
      press()
      yield* Fiber.join(both)
    })
  )
})
