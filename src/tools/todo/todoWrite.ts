/**
 * The TodoWrite tool (spec 02, MAIA §8): replaces the task list. Touches nothing outside maia.
 */
import { Effect, Schema, SchemaTransformation } from "effect"
import type { TodoItem } from "../../domain/agent-event.ts"
import type { Tool } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { renderTodos } from "./renderTodos.ts"
import { TodoStore } from "./TodoStore.ts"

const Status = Schema.Literals(["pending", "in_progress", "completed"])

const NEAR_STATUSES: Readonly<Record<string, typeof Status.Type>> = {
  todo: "pending",
  open: "pending",
  not_started: "pending",
  active: "in_progress",
  doing: "in_progress",
  started: "in_progress",
  done: "completed",
  complete: "completed",
  finished: "completed"
}

const mendStatus = (written: string): typeof Status.Encoded => {
  const word = written
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_")
  // The literals behind this transformation refuse what is still another word.
  return NEAR_STATUSES[word] ?? (word as typeof Status.Encoded)
}

const Item = Schema.Struct({
  content: Schema.String,
  status: Schema.String.pipe(
    Schema.decodeTo(Status, SchemaTransformation.transform({ decode: mendStatus, encode: (status): string => status }))
  ),
  activeForm: Schema.optionalKey(Schema.String)
})

const Input = Schema.Struct({ todos: Schema.Array(Item) })
type Input = typeof Input.Type

const parameters = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      items: {
        type: "object",
        properties: {
          content: { type: "string" },
          status: { type: "string", enum: ["pending", "in_progress", "completed"] },
          activeForm: { type: "string", description: "content in -ing form" }
        },
        required: ["content", "status"]
      }
    }
  },
  required: ["todos"]
}

export const makeTodoWrite: Effect.Effect<Tool, never, TodoStore> = Effect.map(TodoStore, (store) =>
  defineTool<Input>({
    name: "TodoWrite",
    description: "Replaces the whole task list. For work of 3 steps or more; one task in_progress at a time.",
    parameters,
    schema: Input,
    permission: "auto",
    hints: { aliases: { todos: ["items", "tasks", "list", "todo_list", "todo"] } },
    lockKey: () => Effect.succeed("todowrite"),
    run: Effect.fnUntraced(function* ({ todos }) {
      yield* store.set(todos)
      return { text: answer(todos), details: { todos } }
    })
  })
)

const answer = (todos: ReadonlyArray<TodoItem>): string => {
  if (todos.length === 0) return "The task list is empty now."
  const active = todos.filter((item) => item.status === "in_progress").length
  const warning =
    active > 1 ? `\n[warning: ${active} tasks are in_progress; keep one in_progress and set the others to pending]` : ""
  return `${renderTodos(todos)}${warning}`
}
