import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import type { TodoItem } from "../../../src/domain/agent-event.ts"
import { renderTodos } from "../../../src/tools/todo/renderTodos.ts"
import { TodoStore } from "../../../src/tools/todo/TodoStore.ts"
import { makeTodoWrite } from "../../../src/tools/todo/todoWrite.ts"
import { context } from "../web/support.ts"

const call = (input: unknown) =>
  Effect.gen(function* () {
    const tool = yield* makeTodoWrite
    const prepared = yield* tool.prepare(input)
    return yield* prepared.run(context())
  })

describe("TodoWrite", () => {
  it.effect("replaces the list, shows it with marks and hands it to front ends", () =>
    Effect.gen(function* () {
      const store = yield* TodoStore
      yield* call({ todos: [{ content: "old", status: "pending" }] })
      const todos: ReadonlyArray<TodoItem> = [
        { content: "Read the code", status: "completed" },
        { content: "Fix the fault", activeForm: "Fixing\n the fault", status: "in_progress" },
        { content: "Run the tests", activeForm: "Running the tests", status: "pending" }
      ]
      const { text, details, isError } = yield* call({ todos })
      assert.strictEqual(text, "☑ Read the code\n▶ Fixing the fault\n☐ Run the tests")
      assert.isUndefined(isError)
      assert.deepStrictEqual(details, { todos })
      assert.deepStrictEqual(yield* store.get, todos)
    }).pipe(Effect.provide(TodoStore.layer))
  )

  it.effect("warns where several tasks are in progress, and keeps the list", () =>
    Effect.gen(function* () {
      const { text } = yield* call({
        todos: [
          { content: "a", status: "in_progress" },
          { content: "b", status: "in_progress" }
        ]
      })
      assert.match(text, /^▶ a\n▶ b\n\[warning: 2 tasks are in_progress/)
      assert.lengthOf(yield* (yield* TodoStore).get, 2)
    }).pipe(Effect.provide(TodoStore.layer))
  )

  it.effect("takes an empty list, JSON text and near names", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call({ todos: [] })).text, "The task list is empty now.")
      assert.strictEqual((yield* call({ tasks: '[{"content":"a","status":"pending"}]' })).text, "☐ a")
      assert.strictEqual((yield* call({ todos: [{ content: "a", status: "In progress" }] })).text, "▶ a")
      assert.strictEqual((yield* call({ todos: [{ content: "a", status: "done", id: 1 }] })).text, "☑ a")
    }).pipe(Effect.provide(TodoStore.layer))
  )

  it.effect("refuses an unknown status with what is expected, and leaves the list alone", () =>
    Effect.gen(function* () {
      yield* call({ todos: [{ content: "a", status: "pending" }] })
      const failure = yield* Effect.flip(call({ todos: [{ content: "b", status: "later" }] }))
      assert.match(failure.message, /^Invalid arguments for TodoWrite: .*in_progress/)
      assert.strictEqual(renderTodos(yield* (yield* TodoStore).get), "☐ a")
    }).pipe(Effect.provide(TodoStore.layer))
  )

  it.effect("runs its calls one after the other and needs no permission", () =>
    Effect.gen(function* () {
      const tool = yield* makeTodoWrite
      assert.strictEqual(tool.permission, "auto")
      assert.strictEqual(yield* (yield* tool.prepare({ todos: [] })).lockKey, "todowrite")
    }).pipe(Effect.provide(TodoStore.layer))
  )

  it.effect("is followed by those who listen for changes", () =>
    Effect.gen(function* () {
      const store = yield* TodoStore
      const seen = yield* Effect.forkChild(Stream.runCollect(Stream.take(store.changes, 2)), {
        startImmediately: true
      })
      yield* call({ todos: [{ content: "a", status: "pending" }] })
      const lists = yield* Fiber.join(seen)
      assert.deepStrictEqual(
        lists.map((list) => list.length),
        [0, 1]
      )
    }).pipe(Effect.provide(TodoStore.layer))
  )
})
