/**
 * The task list of the session that is open. The agent puts a resumed session's list in and writes every change to the
 * session; front ends follow the changes.
 */
import { Context, Effect, Layer, Stream, SubscriptionRef } from "effect"
import type { TodoItem } from "../../domain/agent-event.ts"

export class TodoStore extends Context.Service<
  TodoStore,
  {
    readonly get: Effect.Effect<ReadonlyArray<TodoItem>>
    /** Replaces the list. */
    readonly set: (items: ReadonlyArray<TodoItem>) => Effect.Effect<void>
    /** The list as it is, then after every change. */
    readonly changes: Stream.Stream<ReadonlyArray<TodoItem>>
  }
>()("maia/tools/TodoStore") {
  static readonly layer = Layer.effect(
    TodoStore,
    Effect.map(SubscriptionRef.make<ReadonlyArray<TodoItem>>([]), (list) =>
      TodoStore.of({
        get: SubscriptionRef.get(list),
        set: (items) => SubscriptionRef.set(list, items),
        changes: SubscriptionRef.changes(list)
      })
    )
  )
}
