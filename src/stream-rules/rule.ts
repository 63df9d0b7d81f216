/**
 * What a stream rule is (spec 05). Pure data; a *stream* rule watches what a model writes and has nothing to do with
 * permission rules.
 */
/** Where a rule looks. `tool` alone means every tool; `files` is a glob over the path the call names. */
export type RuleScope =
  | { readonly kind: "text" }
  | { readonly kind: "thinking" }
  | { readonly kind: "tool"; readonly tool?: string; readonly files?: string }

export type RuleLevel = "project" | "user" | "builtin"

export interface StreamRule {
  readonly name: string
  readonly description: string
  /** Any of them fires the rule. `^` and `$` are the ends of a line, `\A` and `\z` those of the whole part. */
  readonly triggers: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<RuleScope>
  /** `never`: told as a note with the tool results or after the turn. */
  readonly interrupt: "always" | "never"
  /** The settings' when absent. */
  readonly contextMode?: "discard" | "keep"
  readonly repeat?: "once" | "after-gap"
  /** Completed turns. */
  readonly repeatGap?: number
  /** `js`: look-around and back-references, in a thread with a time budget. */
  readonly engine: "re2" | "js"
  /** What the model is told, in English or whatever the author wrote. */
  readonly reminder: string
  readonly level: RuleLevel
  /** The file it came from; absent for built-in rules. */
  readonly file?: string
}
