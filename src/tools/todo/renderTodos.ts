/**
 * A task list as text (MAIA §8: ☐ ▶ ☑). Pure; tasks are the model's words and are kept on one line each.
 */
import type { TodoItem } from "../../domain/agent-event.ts"

export const TODO_MARKS: Readonly<Record<TodoItem["status"], string>> = {
  pending: "☐",
  in_progress: "▶",
  completed: "☑"
}

/** One task a line; the one under way in its `activeForm`. Empty for an empty list. */
export const renderTodos = (items: ReadonlyArray<TodoItem>): string =>
  items.map((item) => `${TODO_MARKS[item.status]} ${oneLine(todoText(item))}`).join("\n")

/** The task in the form for its status; may have any characters. */
export const todoText = (item: TodoItem): string =>
  item.status === "in_progress" && item.activeForm !== undefined && item.activeForm.trim() !== ""
    ? item.activeForm
    : item.content

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()
