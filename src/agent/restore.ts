/**
 * What earlier turns of a session left beside its messages: the task list, and which files were read in which state. Both
 * come from the details of tool results, which the session keeps and no model sees.
 */
import { Effect, Predicate } from "effect"
import type { TodoItem } from "../domain/agent-event.ts"
import type { ToolMessage } from "../domain/message.ts"
import { isKnownEntry, type AnyEntry } from "../sessions/checkEntry.ts"
import { FileLedger, type Fingerprint } from "../tools/files/FileLedger.ts"
import { TodoStore } from "../tools/todo/TodoStore.ts"

/** Puts the file ledger and the task list as the entries of the path say. */
export const restore = Effect.fn("Agent.restore")(function* (path: ReadonlyArray<AnyEntry>) {
  const ledger = yield* FileLedger
  const todos = yield* TodoStore
  yield* ledger.clear
  let items: ReadonlyArray<TodoItem> = []
  for (const entry of path) {
    if (!isKnownEntry(entry)) continue
    if (entry.type === "todo") items = entry.items
    if (entry.type === "clear") yield* ledger.clear
    if (entry.type !== "message" || entry.message.role !== "tool") continue
    const seen = fileStateOf(entry.message)
    if (seen !== undefined) yield* ledger.note(seen.path, seen.state)
  }
  yield* todos.set(items)
})

/** The list a TodoWrite of these results set; undefined where none did. */
export const todosOf = (results: ReadonlyArray<ToolMessage>): ReadonlyArray<TodoItem> | undefined => {
  const last = results.findLast((result) => result.toolName === "TodoWrite" && !result.isError)
  const todos = last?.details?.["todos"]
  // The tool's own details: a list of checked items.
  return Array.isArray(todos) ? (todos as ReadonlyArray<TodoItem>) : undefined
}

/** What Read, Write and Edit say of the file they saw; a damaged or foreign entry says nothing. */
const fileStateOf = ({ details }: ToolMessage): { readonly path: string; readonly state: Fingerprint } | undefined => {
  const path = details?.["path"]
  const state = details?.["state"]
  if (!Predicate.isString(path) || !Predicate.isObject(state)) return undefined
  if (!Predicate.hasProperty(state, "mtime") || !Predicate.hasProperty(state, "size")) return undefined
  const { mtime, size } = state
  return Predicate.isNumber(mtime) && Predicate.isNumber(size) ? { path, state: { mtime, size } } : undefined
}
