/** The task list (MAIA §8): `☐` open, `▶` under way, `☑` done. Pure. */
import type { TodoItem } from "../../domain/agent-event.ts"
import { text } from "../../domain/text.ts"
import { TODO_MARKS, todoText } from "../../tools/todo/renderTodos.ts"
import { safeLine } from "./safeText.ts"
import type { Style, Theme } from "./theme.ts"
import type { View } from "./view.ts"
import { truncate, wrapWords } from "./width.ts"

/** Every task, each with its mark; a task that is too long is wrapped. */
export const todoLines = (items: ReadonlyArray<TodoItem>, { theme, width }: View): ReadonlyArray<string> =>
  items.flatMap((item) => {
    const { mark, style } = looks(item, theme)
    return wrapWords(style(shownText(item)), width, { first: `${mark} `, rest: "  " })
  })

/**
 * The list pinned above the input while tasks are open: a line each, at most `rows` of them, the one under way always among
 * them, and how many are done. Nothing when none is open.
 */
export const pinnedTodos = (items: ReadonlyArray<TodoItem>, rows: number, view: View): ReadonlyArray<string> => {
  const open = items.filter(({ status }) => status !== "completed")
  if (open.length === 0 || rows < 1) return []
  const { language, theme, width } = view
  const counts = `${items.length - open.length}/${items.length}`
  const head = theme.dim(truncate(`${TITLE[language]} ${counts}`, width))
  const room = rows - 1
  if (room < 1) return [head]
  const active = Math.max(
    0,
    items.findIndex(({ status }) => status === "in_progress")
  )
  const firstOpen = items.findIndex(({ status }) => status !== "completed")
  const wanted = items.some(({ status }) => status === "in_progress")
    ? Math.min(active, firstOpen + room - 1)
    : firstOpen
  // One done task stays visible above, so that progress is seen.
  const from = Math.max(0, Math.min(Math.max(0, wanted - 1), active, items.length - room))
  const shown = items.slice(from, from + room).map((item) => {
    const { mark, style } = looks(item, theme)
    return `${mark} ${style(truncate(shownText(item), width - 2))}`
  })
  return [head, ...shown]
}

const TITLE = text("Tasks", "Tâches")

const shownText = (item: TodoItem): string => safeLine(todoText(item))

const looks = ({ status }: TodoItem, theme: Theme): { readonly mark: string; readonly style: Style } => {
  const mark = TODO_MARKS[status]
  switch (status) {
    case "pending":
      return { mark: theme.muted(mark), style: (line) => line }
    case "in_progress":
      return { mark: theme.busy(mark), style: theme.strong }
    case "completed":
      return { mark: theme.good(mark), style: theme.dim }
  }
}
