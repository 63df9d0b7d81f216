/**
 * What the model is told when a rule fired, and what is left of the answer it was writing (seed 002 §4; spec 05). Pure.
 */
import type { AssistantMessage, ToolCall, ToolMessage } from "../domain/message.ts"
import type { StreamRule } from "./rule.ts"

export interface Violation {
  readonly rule: StreamRule
  readonly path?: string
}

const NOT_RUN =
  "Not run: your answer was stopped by a rule before this call could run. Read the message that follows, then call again if it is still right."

/** One block per rule. */
export const interruptText = (violations: ReadonlyArray<Violation>): string => blocks("system-interrupt", violations)

/** The same for rules that do not interrupt: what was written stands. */
export const noteText = (violations: ReadonlyArray<Violation>): string => blocks("system-note", violations)

const blocks = (element: string, violations: ReadonlyArray<Violation>): string =>
  violations
    .map(({ rule, path }) => {
      const attributes = [
        'reason="rule_violation"',
        `rule="${escapeAttribute(rule.name)}"`,
        ...(path === undefined ? [] : [`path="${escapeAttribute(path)}"`])
      ]
      return `<${element} ${attributes.join(" ")}>\n${rule.reminder}\n</${element}>`
    })
    .join("\n\n")

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" }

/** The path comes from the model: it must not be able to end the attribute. */
const escapeAttribute = (value: string): string =>
  value.replaceAll(/["&<>\p{Cc}]/gu, (character) => ESCAPED[character] ?? `&#${character.codePointAt(0)};`)

/**
 * A stopped answer as messages that are valid for a server: finished calls are kept, each with a result that says that it
 * did not run; an unfinished call is dropped. Nothing where nothing is left. `answer` holds finished calls only.
 */
export const keepPartial = (answer: AssistantMessage): ReadonlyArray<AssistantMessage | ToolMessage> => {
  if (answer.text === "" && answer.toolCalls.length === 0) return []
  return [answer, ...answer.toolCalls.map(notRun)]
}

const notRun = (call: ToolCall): ToolMessage => ({
  role: "tool",
  toolCallId: call.id,
  toolName: call.name,
  text: NOT_RUN,
  isError: true
})
