/**
 * The terminal interface as the interactive loop uses it (spec 07): says, asks, and hands over what the user sends. The agent
 * never knows it. Implementations draw a `UiStore`; tests can answer in its place.
 */
import { Context, type Effect } from "effect"
import type { PermissionAnswer, PermissionQuestion } from "../domain/agent-event.ts"
import type { Text } from "../domain/text.ts"
import type { Diff } from "../tools/files/diff.ts"
import type { Candidate } from "./input/completion/candidate.ts"
import type { CompletionToken } from "./input/completion/completionToken.ts"
import type { Content, Token } from "./input/content.ts"
import type { Choice, LogBody, Sent } from "./store/state.ts"
import type { UiStore } from "./store/UiStore.ts"

export interface LineOptions {
  readonly secret?: boolean
  readonly initial?: string
}

export interface InputHelp {
  /** Best first. */
  readonly complete: (token: CompletionToken) => Effect.Effect<ReadonlyArray<Candidate>>
  /** Whether what an image token stands for is a file. */
  readonly hasImage: (token: Token) => Effect.Effect<boolean>
}

export class Ui extends Context.Service<
  Ui,
  {
    readonly store: UiStore
    /** Loads what draws Markdown, once; what is printed before looks plainer. */
    readonly ready: Effect.Effect<void>
    readonly info: (text: Text) => Effect.Effect<void>
    readonly warn: (text: Text) => Effect.Effect<void>
    readonly fail: (text: Text) => Effect.Effect<void>
    readonly print: (...bodies: ReadonlyArray<LogBody>) => Effect.Effect<void>
    /** What the user sends next, in order; waits for it. */
    readonly next: Effect.Effect<Sent>
    /** Sends a text as if it had been typed. */
    readonly send: (text: string) => Effect.Effect<void>
    /** Puts a text into the input, to be edited. */
    readonly draft: (text: string) => Effect.Effect<void>
    /** Candidates for the input, and whether an image that was pasted is there, come from `help` from now on. */
    readonly helpInput: (help: InputHelp) => Effect.Effect<void>
    /** What was sent in earlier sessions, oldest first; `add` is told of what is sent from now on. */
    readonly remember: (
      entries: ReadonlyArray<Content>,
      add: (content: Content) => Effect.Effect<void>
    ) => Effect.Effect<void>
    /** Messages sent while the agent works, shown as sent; commands stay for `next`. */
    readonly takeSteering: Effect.Effect<ReadonlyArray<string>>
    /** Puts what is still waiting to be sent back into the input, in front of what is there. */
    readonly recall: Effect.Effect<void>
    /** Completes at the next Esc or Ctrl+C that means: stop what runs. */
    readonly interrupted: Effect.Effect<void>
    /** Completes once for each Shift+Tab. */
    readonly modeCycled: Effect.Effect<void>
    /** Completes when the user leaves or the terminal is gone. */
    readonly left: Effect.Effect<void>
    readonly leave: Effect.Effect<void>
    /** Asks until it is answered; leaves no question behind when it is interrupted. */
    readonly askPermission: (
      tool: string,
      question: PermissionQuestion,
      diff: Diff | undefined
    ) => Effect.Effect<PermissionAnswer>
    /** `undefined`: Esc. */
    readonly choose: (
      title: Text,
      choices: ReadonlyArray<Choice>,
      selected?: number
    ) => Effect.Effect<number | undefined>
    readonly confirm: (title: Text, detail?: string) => Effect.Effect<boolean>
    /** `undefined`: Esc. */
    readonly askLine: (title: Text, options?: LineOptions) => Effect.Effect<string | undefined>
    /** Puts a text on the clipboard, where the terminal allows it. */
    readonly copy: (text: string) => Effect.Effect<void>
    /** Shows that something is waited for while `work` runs; `progress` shows what it has just printed. */
    readonly waiting: <A, E, R>(label: Text, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly progress: (text: string) => Effect.Effect<void>
  }
>()("maia/tui/Ui") {}

/** How each kind of question is answered; `undefined` stands for Esc. */
export interface Answers {
  readonly permission: PermissionAnswer
  readonly confirm: boolean
  readonly choice: number | undefined
  readonly line: string | undefined
}
