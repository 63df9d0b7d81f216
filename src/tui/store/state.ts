/**
 * What the screen shows, as plain immutable data (spec 07). The store holds it, reducers make the next one, views draw it.
 */
import type { PermissionQuestion, TodoItem } from "../../domain/agent-event.ts"
import type { ToolMessage } from "../../domain/message.ts"
import type { PermissionMode } from "../../permissions/Permissions.ts"
import type { Content } from "../input/content.ts"
import { EMPTY_INPUT, type InputState } from "../input/inputState.ts"
import type { Splitting } from "../text/markdown/splitBlocks.ts"
import type { Diff } from "../../tools/files/diff.ts"

export type Language = "en" | "fr"

/** A finished piece of the log: printed once, then the terminal's. */
export type LogBody =
  | { readonly type: "banner"; readonly version: string; readonly folder: string }
  | { readonly type: "info" | "warn" | "fail"; readonly text: string }
  /** Lines as they are, for lists and reports of commands. */
  | { readonly type: "plain"; readonly text: string }
  /** What a tool wants to do, whole. */
  | { readonly type: "proposal"; readonly subject: string; readonly diff: Diff | undefined }
  /** A diff as `git` writes it. */
  | { readonly type: "patch"; readonly patch: string }
  /** Names and what belongs to them, in two columns. */
  | { readonly type: "table"; readonly rows: ReadonlyArray<readonly [name: string, value: string]> }
  | { readonly type: "user"; readonly text: string; readonly steering: boolean }
  /** One finished block of Markdown. */
  | { readonly type: "answer"; readonly markdown: string }
  | { readonly type: "thinking"; readonly text: string; readonly seconds: number }
  /** Thinking, whole. */
  | { readonly type: "thought"; readonly text: string }
  | { readonly type: "tool"; readonly tool: FinishedTool }
  | { readonly type: "answered"; readonly question: string; readonly choice: string }
  | { readonly type: "shell"; readonly command: string; readonly shown: string; readonly status: string }

export type LogItem = LogBody & { readonly key: number }

export interface FinishedTool {
  readonly name: string
  /** Decoded arguments, as far as they were understood. */
  readonly input: unknown
  readonly result: ToolMessage
  readonly seconds: number
}

/** A call of the running turn. */
export interface LiveTool {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly phase: "requested" | "asked" | "running" | "done"
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number | undefined
  /** End of what it has printed so far. */
  readonly tail: string
}

export interface LiveTurn {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly phase: "waiting" | "thinking" | "answering" | "composing" | "tools" | "compacting"
  /** Where the answer's Markdown is: finished blocks are in the log, this is the open one. */
  readonly answer: Splitting
  /** Thinking of the running answer. */
  readonly thinking: string
  readonly thinkingSince: number | undefined
  readonly composing: { readonly name: string; readonly received: number } | undefined
  readonly prompt: { readonly processed: number; readonly total: number } | undefined
  /** In call order; a call leaves when its result is printed. */
  readonly tools: ReadonlyArray<LiveTool>
  /** Calls of this round whose results are printed. */
  readonly told: number
}

export interface Choice {
  readonly label: string
  /** Shown dimmed behind the label. */
  readonly hint?: string
}

/** A rule that "always" can write, and where. */
export interface AlwaysOption {
  readonly rule: string
  readonly scope: "session" | "project" | "user"
}

export type QuestionBody =
  | {
      readonly type: "permission"
      readonly tool: string
      readonly question: PermissionQuestion
      /** What the call would change; absent where the subject says it all. */
      readonly diff: Diff | undefined
      readonly always: ReadonlyArray<AlwaysOption>
      readonly step:
        | { readonly at: "ask" }
        | { readonly at: "reason"; readonly line: LineInput }
        | { readonly at: "always"; readonly selected: number }
    }
  | { readonly type: "confirm"; readonly title: string; readonly detail: string }
  | {
      readonly type: "choice"
      readonly title: string
      readonly choices: ReadonlyArray<Choice>
      readonly selected: number
    }
  | {
      readonly type: "line"
      readonly title: string
      readonly line: LineInput
      readonly secret: boolean
    }

/** What the screen asks. One at a time; `id` tells its answer from another's. */
export type Question = QuestionBody & {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly askedAt: number
}

/** One line that is being written in a question. */
export interface LineInput {
  readonly text: string
  /** UTF-16 offset of the caret. */
  readonly cursor: number
}

/** What the user has sent. */
export interface Sent {
  /** For the model: pastes whole. */
  readonly text: string
  /** As it was written: pastes as tokens. */
  readonly content: Content
}

export interface Status {
  readonly model: string
  readonly mode: PermissionMode
  readonly session: string
  readonly tokens: number
  /** Tokens; undefined: unknown, the bar is hidden. */
  readonly window: number | undefined
}

export interface UiState {
  readonly language: Language
  readonly size: { readonly columns: number; readonly rows: number }
  readonly items: ReadonlyArray<LogItem>
  readonly nextKey: number
  readonly turn: LiveTurn | undefined
  /** Something else is being waited for: what, for people. */
  readonly waiting: string | undefined
  readonly waitingSince: number
  /** End of what it has printed so far. */
  readonly waitingTail: string
  readonly todos: ReadonlyArray<TodoItem>
  /** Sent while the agent works, not taken yet; oldest first. */
  readonly queue: ReadonlyArray<Sent>
  /** Taken by the agent for its next step, which has not begun: results that are still to be told come before them. */
  readonly taken: ReadonlyArray<Sent>
  readonly question: Question | undefined
  readonly input: InputState
  /** One line under the input that goes away by itself, at a time in milliseconds since 1970. */
  readonly hint: { readonly text: string; readonly until: number } | undefined
  readonly status: Status
  /** Milliseconds since 1970; moved by the clock while something runs. */
  readonly now: number
  /** The conversation waits for what the user sends. */
  readonly listening: boolean
  /** The window has the keyboard; undefined where the terminal does not tell. */
  readonly focused: boolean | undefined
  /** The program is leaving: no live part any more. */
  readonly closed: boolean
}

export const initialState = (input: {
  readonly language: Language
  readonly size: UiState["size"]
  readonly status: Status
  readonly now: number
}): UiState => ({
  ...input,
  items: [],
  nextKey: 0,
  turn: undefined,
  waiting: undefined,
  waitingSince: input.now,
  waitingTail: "",
  todos: [],
  queue: [],
  taken: [],
  question: undefined,
  input: EMPTY_INPUT,
  hint: undefined,
  listening: false,
  focused: undefined,
  closed: false
})
