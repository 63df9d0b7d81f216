/**
 * A task list as text (MAIA §8: ☐ ▶ ☑). Pure; tasks are the model's words and are kept on one line each.
 */
import type { TodoItem } from "../../domain/agent-event.ts"

const MARKS: Readonly<Record<TodoItem["status"], string>> = { pending: "☐", in_progress: "▶", completed: "☑" }

/** One task a line; the one under way in its `activeForm`. Empty for an empty list. */
export const renderTodos = (items: ReadonlyArray<TodoItem>): string =>
  items.map((item) => `${MARKS[item.status]} ${oneLine(shownText(item))}`).join("\n")

const shownText = (item: TodoItem): string =>
  item.status === "in_progress" && item.activeForm !== undefined && item.activeForm.trim() !== ""
    ? item.activeForm
    : item.content

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()
