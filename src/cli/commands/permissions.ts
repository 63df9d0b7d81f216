/** `maia permissions list|check|log` (spec 03): the rules in force, what they decide of a call, and what was decided. */
import { Effect, FileSystem, Layer, Path, Predicate } from "effect"
import { Config } from "../../config/Config.ts"
import { ConfigError } from "../../config/loadConfig.ts"
import { readSettingsFile } from "../../config/settingsFile.ts"
import { text } from "../../domain/text.ts"
import { Permissions, type PermissionCall } from "../../permissions/Permissions.ts"
import { permissionsLayer } from "../../permissions/PermissionsLive.ts"
import { FolderTrust } from "../../permissions/trust/FolderTrust.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { isKnownEntry } from "../../sessions/checkEntry.ts"
import { Sessions } from "../../sessions/Sessions.ts"
import { sessionsLayer } from "../../sessions/SessionsLive.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"
import { cannotRead } from "../messages.ts"

export interface PermissionFlags {
  readonly cwd: string | undefined
  readonly trust: boolean
  readonly json: boolean
}

export interface CheckFlags extends PermissionFlags {
  readonly command: string | undefined
  readonly tool: string
  readonly path: string | undefined
  readonly url: string | undefined
  readonly rules: string | undefined
  readonly allow: ReadonlyArray<string>
  readonly deny: ReadonlyArray<string>
}

const layers = (config: Config["Service"], trust: boolean) =>
  permissionsLayer.pipe(
    Layer.provideMerge(FolderTrust.layer({ thisRun: trust })),
    Layer.provideMerge(Layer.succeed(Config, Config.of(config)))
  )

export const listRules = (flags: PermissionFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const output = yield* Output
      yield* reportErrors(config.warnings)
      const rules = yield* Effect.flatMap(Permissions, (permissions) => permissions.rules).pipe(
        Effect.provide(layers(config, flags.trust))
      )
      if (flags.json) {
        yield* output.out(`${JSON.stringify(rules)}\n`)
        return EXIT.done
      }
      for (const kind of ["deny", "ask", "allow"] as const) {
        for (const rule of rules.filter((one) => one.kind === kind)) {
          yield* output.out(sanitizeForTerminal(`${kind.padEnd(5)}  ${rule.text}  (${rule.file}:${rule.line})`) + "\n")
        }
      }
      const ignored = config.rules.filter(
        (source) =>
          !rules.some((rule) => rule.text === source.rule && rule.file === source.file && rule.line === source.line)
      )
      for (const { file, line, rule } of ignored) {
        yield* output.out(
          sanitizeForTerminal(
            config.language === "fr"
              ? `ignorée (dossier non fiable)  ${rule}  (${file}:${line})`
              : `ignored (folder not trusted)  ${rule}  (${file}:${line})`
          ) + "\n"
        )
      }
      return EXIT.done
    })
  )

/** Prints what would be decided; exit 0 whatever it is, since the question was answered. */
export const checkPermission = (flags: CheckFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const loaded = yield* configFor({ cwd: flags.cwd, allow: flags.allow, deny: flags.deny })
      const config = flags.rules === undefined ? loaded : { ...loaded, rules: yield* rulesOf(loaded, flags.rules) }
      const call = callOf(flags)
      if (call === undefined) {
        yield* reportErrors([
          text(
            'Nothing to check. Example: maia permissions check "git push && rm -rf /", or check --tool Write --path src/a.ts',
            'Rien à vérifier. Exemple : maia permissions check "git push && rm -rf /", ou check --tool Write --path src/a.ts'
          )
        ])
        return EXIT.usage
      }
      const decided = yield* Effect.flatMap(Permissions, (permissions) => permissions.decide(call)).pipe(
        Effect.provide(layers(config, flags.trust))
      )
      const output = yield* Output
      const reason = decided.reason[config.language]
      if (flags.json) {
        const rule = decided.rule?.text ?? null
        yield* output.out(`${JSON.stringify({ decision: decided.decision, rule, reason })}\n`)
        return EXIT.done
      }
      const { rule } = decided
      const from =
        rule === undefined ? "" : `  ${rule.text} (${rule.line === 0 ? rule.file : `${rule.file}:${rule.line}`})`
      yield* output.out(sanitizeForTerminal(`${decided.decision}${from}\n${reason}`) + "\n")
      for (const suggestion of decided.suggestions) {
        const label = config.language === "fr" ? "autoriserait :" : "would allow it:"
        yield* output.out(sanitizeForTerminal(`${label} ${suggestion}`) + "\n")
      }
      return EXIT.done
    })
  )

const AUTO = new Set(["TodoWrite", "CurrentModel", "Skill", "BashOutput", "KillBash"])

const callOf = (flags: CheckFlags): PermissionCall | undefined => {
  const fallback = AUTO.has(flags.tool) ? "auto" : "ask"
  const input: Record<string, unknown> = {}
  if (flags.path !== undefined) input["path"] = flags.path
  if (flags.url !== undefined) input["url"] = flags.url
  if (flags.command !== undefined) input[argumentName(flags.tool)] = flags.command
  return Object.keys(input).length === 0 && flags.tool === "Bash" ? undefined : { tool: flags.tool, input, fallback }
}

const argumentName = (tool: string): string => {
  if (tool === "Bash") return "command"
  if (tool === "WebFetch") return "url"
  return ["Read", "Write", "Edit", "Glob", "Grep"].includes(tool) ? "path" : "value"
}

const rulesOf = Effect.fnUntraced(function* (config: Config["Service"], given: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.resolve(config.launchFolder, given)
  const source = yield* fs
    .readFileString(file)
    .pipe(Effect.mapError((error) => new ConfigError({ texts: [cannotRead(given, error.message)] })))
  const read = readSettingsFile(file, source, "user")
  if (read.problems.length > 0) return yield* new ConfigError({ texts: read.problems })
  yield* reportErrors(read.warnings)
  return read.rules
})

/** What the calls of the newest session were decided to be. */
export const permissionLog = (flags: PermissionFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const output = yield* Output
      const decisions = yield* Effect.gen(function* () {
        const sessions = yield* Sessions
        const [newest] = yield* sessions.list
        if (newest === undefined) return []
        const { path } = yield* sessions.read(newest.name)
        return path.flatMap((entry) => {
          if (!isKnownEntry(entry) || entry.type !== "message" || entry.message.role !== "tool") return []
          const { details, toolName } = entry.message
          const made = details?.["permission"]
          return Predicate.isObject(made) ? [{ time: entry.time, tool: toolName, ...made }] : []
        })
      }).pipe(Effect.provide(sessionsLayer.pipe(Layer.provideMerge(Layer.succeed(Config, Config.of(config))))))
      for (const fields of decisions) {
        const line = flags.json
          ? JSON.stringify(fields)
          : Object.entries(fields)
              .map(([, value]) => String(value))
              .join("  ")
        yield* output.out(`${sanitizeForTerminal(line)}\n`)
      }
      return EXIT.done
    })
  )
