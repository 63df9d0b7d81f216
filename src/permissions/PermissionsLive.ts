/**
 * `Permissions` on the rules of `Config`, the folder's trust and the file system. Writes the rule of an "always"; keeps the
 * log of decisions.
 */
import { Clock, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { updateSettings } from "../config/writeSettings.ts"
import { namesIn, pathExists, realOrParent } from "../process/paths.ts"
import { applyMode, judge } from "./judge.ts"
import type { JudgeContext } from "./judgement.ts"
import {
  Permissions,
  PermissionsError,
  type LoggedDecision,
  type PermissionCall,
  type PermissionMode,
  type Rule
} from "./Permissions.ts"
import { placesOf } from "./places.ts"
import { fromSource, parseRule, type ParsedRule } from "./rules.ts"
import type { Parser } from "./shell/analyse.ts"
import { NoteOwnWrite, TrustState } from "./trust/TrustState.ts"

/** Decisions kept for `/permissions`. */
const LOGGED = 500

export const permissionsLayer: Layer.Layer<Permissions, never, Config> = Layer.effect(
  Permissions,
  Effect.gen(function* () {
    const config = yield* Config
    const trusted = yield* TrustState
    const noteOwnWrite = yield* NoteOwnWrite
    const fixed = config.rules.map(fromSource).flatMap((rule) => parseRule(rule) ?? [])
    const added: Array<ParsedRule> = []
    const log: Array<LoggedDecision> = []
    let mode: PermissionMode = config.settings.mode
    let parser: Parser | undefined

    const places = placesOf(config)
    const facts = { real: realOrParent, exists: pathExists, names: namesIn }

    /** A project's own allow rules count only in a trusted folder. */
    const current = Effect.map(trusted, (isTrusted) =>
      [...fixed, ...added].filter(({ rule }) => isTrusted || rule.scope !== "project" || rule.kind !== "allow")
    )

    const decide = Effect.fn("Permissions.decide")(function* (call: PermissionCall, more: ReadonlyArray<Rule> = []) {
      if (call.tool === "Bash") parser ??= yield* Effect.promise(() => import("unbash"))
      const stricter = more.filter(({ kind }) => kind !== "allow").flatMap((rule) => parseRule(rule) ?? [])
      const context: JudgeContext = { rules: [...(yield* current), ...stricter], places, facts, parser }
      const decision = applyMode(judge(call, context), call, mode, context)
      log.push({ ...decision, tool: call.tool, time: yield* Clock.currentTimeMillis })
      if (log.length > LOGGED) log.shift()
      return decision
    })

    const allow = Effect.fn("Permissions.allow")(function* (text: string, scope: "session" | "project" | "user") {
      const file =
        scope === "session" ? "" : `${scope === "project" ? config.projectDir : config.userDir}/settings.json`
      const rule: Rule = { text, kind: "allow", scope, file, line: 0 }
      const parsed = parseRule(rule)
      if (parsed === undefined) {
        return yield* new PermissionsError({
          message: `${JSON.stringify(text)} is no rule: expected Tool or Tool(pattern).`
        })
      }
      if (scope === "session") {
        added.push(parsed)
        return
      }
      const within = scope === "project" ? { within: config.launchFolder } : {}
      const update = yield* updateSettings(file, [{ path: ["permissions", "allow"], append: text }], within).pipe(
        Effect.mapError((error) => new PermissionsError({ message: error.message }))
      )
      if (scope === "project")
        yield* noteOwnWrite({ name: "settings.json", before: update.before, after: update.after })
      // A yes counts for this session even where the folder is not trusted yet.
      added.push({ ...parsed, rule: scope === "project" ? { ...rule, scope: "session" } : rule })
    })

    const grant = (rules: ReadonlyArray<string>, file: string) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => {
            const given = rules.flatMap(
              (text) => parseRule({ text, kind: "allow", scope: "session", file, line: 0 }) ?? []
            )
            added.push(...given)
            return given
          }),
          (given) => Effect.sync(() => given.forEach((rule) => added.splice(added.indexOf(rule), 1)))
        )
      )

    return Permissions.of({
      decide,
      allow,
      grant,
      rules: Effect.map(current, (rules) => rules.map(({ rule }) => rule)),
      log: Effect.sync(() => [...log]),
      mode: Effect.sync(() => mode),
      setMode: (next) =>
        Effect.sync(() => {
          mode = next
        })
    })
  })
)
