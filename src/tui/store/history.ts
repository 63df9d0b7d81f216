/** What was said in a session, as items of the log (MAIA §12.3). Pure; only the end of a long one is shown. */
import type { TodoItem } from "../../domain/agent-event.ts"
import type { Message, ToolCall } from "../../domain/message.ts"
import { cut, text } from "../../domain/text.ts"
import { isKnownEntry, type AnyEntry } from "../../sessions/checkEntry.ts"
import { splitBlocks } from "../text/markdown/splitBlocks.ts"
import type { Language, LogBody } from "./state.ts"

/** Messages shown again. */
const SHOWN = 40
/** UTF-16 units of a request (MAIA §12.3). */
const REQUEST = 1_500

export interface History {
  readonly items: ReadonlyArray<LogBody>
  readonly todos: ReadonlyArray<TodoItem>
}

export const historyItems = (path: ReadonlyArray<AnyEntry>, language: Language, most = SHOWN): History => {
  const todo = path.findLast((entry) => isKnownEntry(entry) && entry.type === "todo")
  const todos = todo !== undefined && isKnownEntry(todo) && todo.type === "todo" ? todo.items : []
  const messages = path.flatMap((entry) => (isKnownEntry(entry) && entry.type === "message" ? [entry.message] : []))
  const shown = messages.slice(-most)
  const calls = new Map<string, ToolCall>()
  const left = messages.length - shown.length
  const note: ReadonlyArray<LogBody> = left === 0 ? [] : [{ type: "info", text: earlier(left)[language] }]
  return { items: [...note, ...shown.flatMap((message) => itemsOf(message, calls))], todos }
}

const earlier = (count: number) =>
  text(
    `${count} earlier messages are not shown; /export has them all.`,
    `${count} messages plus anciens ne sont pas affichés ; /export les contient tous.`
  )

const itemsOf = (message: Message, calls: Map<string, ToolCall>): ReadonlyArray<LogBody> => {
  switch (message.role) {
    case "user":
      return message.origin === undefined || message.origin === "steering"
        ? [{ type: "user", text: shorten(message.text), steering: message.origin === "steering" }]
        : []
    case "assistant":
      // Servers give the same ids again: a result belongs to the last call of its id.
      for (const call of message.toolCalls) calls.set(call.id, call)
      return answerItems(message.text)
    case "tool":
      return [
        {
          type: "tool",
          tool: {
            name: message.toolName,
            input: argumentsOf(calls.get(message.toolCallId)),
            result: message,
            seconds: 0
          }
        }
      ]
  }
}

const answerItems = (markdown: string): ReadonlyArray<LogBody> =>
  splitBlocks(markdown).flatMap(({ kind, source }) => (kind === "blank" ? [] : [{ type: "answer", markdown: source }]))

/** What the conversation goes on from, after a compaction (MAIA §14.2). */
export const summaryItems = (summary: string, language: Language): ReadonlyArray<LogBody> => [
  { type: "info", text: summaryTitle[language] },
  ...answerItems(summary)
]

const summaryTitle = text("Summary of what came before:", "Résumé de ce qui précède :")

const shorten = (request: string): string => (request.length <= REQUEST ? request : `${cut(request, REQUEST)}…`)

/** Arguments of a call are valid JSON (see `ToolCall`). */
const argumentsOf = (call: ToolCall | undefined): unknown => {
  if (call === undefined) return undefined
  try {
    const input: unknown = JSON.parse(call.arguments)
    return input
  } catch {
    return undefined
  }
}
