/**
 * Decides whether a call may run (spec 03). Knows rules, paths and shell grammar; runs nothing.
 */
import { Context, Schema, type Effect, type Scope } from "effect"
import type { Text } from "../domain/text.ts"

export type RuleScope = "session" | "project" | "user" | "flag"

export interface Rule {
  /** `Tool` or `Tool(pattern)`, as written. */
  readonly text: string
  readonly kind: "allow" | "ask" | "deny"
  readonly scope: RuleScope
  readonly file: string
  /** From 1; 0 where there is no line. */
  readonly line: number
}

export interface PermissionCall {
  readonly tool: string
  /** Decoded arguments. */
  readonly input: Readonly<Record<string, unknown>>
  /** What decides where no rule speaks. */
  readonly fallback: "auto" | "ask"
}

export interface Decision {
  readonly decision: "allow" | "ask" | "deny"
  /** Absent where no rule spoke. */
  readonly rule?: Rule
  readonly reason: Text
  /** The whole subject (command, path, URL, value), made safe for display. */
  readonly subject: string
  /** Rules that would allow it, most precise first. */
  readonly suggestions: ReadonlyArray<string>
  /** The real path that was judged, for tools that take one: the tool holds what it opens against it. */
  readonly realPath?: string
}

export type PermissionMode = "ask" | "accept-edits" | "plan" | "auto"

export interface LoggedDecision extends Decision {
  readonly tool: string
  /** Milliseconds since the epoch. */
  readonly time: number
}

export class PermissionsError extends Schema.TaggedError<PermissionsError>()("PermissionsError", {
  message: Schema.String
}) {}

export class Permissions extends Context.Service<
  Permissions,
  {
    /** `more`: rules that count besides, of a sub-agent for example; those that allow do not. */
    readonly decide: (call: PermissionCall, more?: ReadonlyArray<Rule>) => Effect.Effect<Decision>
    /** Adds an allow rule; project and user scopes are written to the settings file atomically. */
    readonly allow: (rule: string, scope: "session" | "project" | "user") => Effect.Effect<void, PermissionsError>
    /** Adds allow rules until the scope closes: what a command of the user brings along for its request. */
    readonly grant: (rules: ReadonlyArray<string>, file: string) => Effect.Effect<void, never, Scope.Scope>
    readonly rules: Effect.Effect<ReadonlyArray<Rule>>
    /** Newest last. */
    readonly log: Effect.Effect<ReadonlyArray<LoggedDecision>>
    readonly mode: Effect.Effect<PermissionMode>
    readonly setMode: (mode: PermissionMode) => Effect.Effect<void>
  }
>()("maia/permissions/Permissions") {}
