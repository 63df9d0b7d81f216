/**
 * What a turn tells the front ends (spec 02). They render these and answer questions; the agent knows none of them.
 */
import type { ToolCall, ToolMessage, Usage } from "./message.ts"
import type { Text } from "./text.ts"

/** How a turn ended. */
export type TurnReason = "done" | "refused" | "max_iterations" | "stuck" | "error" | "interrupted"

export type PermissionDecision = "allow" | "deny" | "refused"

export type AgentEvent =
  | { readonly type: "started"; readonly session: string; readonly model: string; readonly cwd: string }
  /** `n` counts the model calls of the turn from 1. */
  | { readonly type: "iteration"; readonly n: number }
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "reasoning"; readonly delta: string }
  | { readonly type: "prompt-progress"; readonly processed: number; readonly total: number }
  /** The model is composing arguments: `received` characters so far. */
  | { readonly type: "tool-composing"; readonly index: number; readonly name: string; readonly received: number }
  | { readonly type: "discard"; readonly reason: string }
  | { readonly type: "tool-requested"; readonly call: ToolCall; readonly input: unknown }
  | {
      readonly type: "permission-asked"
      readonly id: string
      readonly tool: string
      readonly question: PermissionQuestion
    }
  | {
      readonly type: "permission"
      readonly id: string
      readonly decision: PermissionDecision
      /** The rule that made the decision, or would change it. */
      readonly rule?: string
      /** The rule that asks each time, where no one could be asked. */
      readonly askedBy?: string
    }
  | { readonly type: "tool-started"; readonly id: string; readonly name: string }
  | { readonly type: "tool-progress"; readonly id: string; readonly text: string }
  /** The tool has ended; its result is told in call order by `tool-finished`. */
  | { readonly type: "tool-done"; readonly id: string }
  | { readonly type: "tool-finished"; readonly result: ToolMessage }
  | { readonly type: "warning"; readonly code: string; readonly message: Text }
  /** Worth a line, and nothing is wrong. */
  | { readonly type: "notice"; readonly code: string; readonly message: Text }
  /** Of one model call. `agent`: the sub-agent that made it; absent where it was this conversation. */
  | { readonly type: "usage"; readonly usage: Usage; readonly agent?: string }
  | {
      readonly type: "compaction"
      readonly phase: "started" | "finished" | "failed"
      readonly reason: "threshold" | "overflow" | "manual"
      readonly tokensBefore: number
      readonly tokensAfter?: number
      readonly summaryCalls?: number
    }
  | { readonly type: "stream-rule"; readonly rules: ReadonlyArray<string>; readonly mode: "discard" | "keep" | "note" }
  | { readonly type: "todo"; readonly items: ReadonlyArray<TodoItem> }
  | { readonly type: "error"; readonly code: string; readonly message: Text }
  | {
      readonly type: "finished"
      readonly reason: TurnReason
      /** Text of the last answer. */
      readonly text: string
      readonly iterations: number
      /** Sum over the turn's model calls, those of sub-agents included. */
      readonly usage: Usage
    }

export interface TodoItem {
  readonly content: string
  readonly activeForm?: string
  readonly status: "pending" | "in_progress" | "completed"
}

/** What a person is asked before a call may run. */
export interface PermissionQuestion {
  /** Who asks, where it is not the main agent: stands in brackets before the question. */
  readonly asker?: Text
  /** Why it is asked, for people. */
  readonly reason: Text
  /** The whole subject made safe for display: a command, a path, a URL. */
  readonly subject: string
  /** Rules that an "always" would write, most precise first. */
  readonly suggestions: ReadonlyArray<string>
}

export type PermissionAnswer =
  | { readonly answer: "yes" }
  | { readonly answer: "no"; readonly reason?: string }
  | { readonly answer: "always"; readonly rule: string; readonly scope: "session" | "project" | "user" }
