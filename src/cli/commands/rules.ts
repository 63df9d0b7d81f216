/** `maia rules list|test` (spec 05): the stream rules, and what they would do on a text or a recorded answer. */
import { Effect, FileSystem, Layer, Path } from "effect"
import { Config } from "../../config/Config.ts"
import type { LlmEvent } from "../../domain/llm.ts"
import { text, type Text } from "../../domain/text.ts"
import { AnswerDecoder } from "../../llm/answerDecoder.ts"
import { FolderTrust } from "../../permissions/trust/FolderTrust.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { recordedAnswers } from "../../stream-rules/recording.ts"
import { describeRules, testRules, type RuleHit, type TestedAs, type TestReport } from "../../stream-rules/report.ts"
import type { RuleSet } from "../../stream-rules/RuleSet.ts"
import { parseScope } from "../../stream-rules/scope.ts"
import { StreamRules } from "../../stream-rules/StreamRules.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"
import { cannotRead } from "../messages.ts"

export interface RulesFlags {
  readonly cwd: string | undefined
  readonly json: boolean
}

export interface TestFlags extends RulesFlags {
  readonly file: string
  /** A scope, as in a rule file. */
  readonly as: string
  readonly path: string | undefined
  readonly stream: boolean
}

/** Every rule counts here, trusted or not: nothing is run and nothing is stopped. */
const loadAll = (config: Config["Service"]) =>
  Effect.flatMap(StreamRules, (service) => service.loadAll).pipe(
    Effect.provide(StreamRules.layer.pipe(Layer.provide(Layer.succeed(Config, Config.of(config)))))
  )

const isTrusted = (config: Config["Service"]) =>
  Effect.flatten(TrustState).pipe(
    Effect.provide(FolderTrust.layer({ thisRun: false }).pipe(Layer.provide(Layer.succeed(Config, Config.of(config)))))
  )

export const listStreamRules = (flags: RulesFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const output = yield* Output
      const { rules, warnings } = yield* loadAll(config)
      const trusted = yield* isTrusted(config)
      const { enabled } = config.settings.streamRules
      yield* reportErrors(warnings)
      const described = describeRules(rules).map((rule) => ({
        ...rule,
        active: enabled && (rule.level !== "project" || trusted)
      }))
      if (flags.json) {
        yield* output.out(`${JSON.stringify(described)}\n`)
        return EXIT.done
      }
      for (const { name, level, file, description, scopes, active } of described) {
        const off = active ? "" : `  [${(enabled ? NOT_TRUSTED : SWITCHED_OFF)[config.language]}]`
        const line = `${name}  ${level}  ${scopes.join(", ")}  ${file ?? description}${off}`
        yield* output.out(sanitizeForTerminal(line) + "\n")
      }
      return EXIT.done
    })
  )

/** Exit 0 whatever would fire, since the question was answered. */
export const testStreamRules = (flags: TestFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const output = yield* Output
      const as = testedAs(flags)
      if (as === undefined) {
        yield* reportErrors([unknownScope(flags.as)])
        return EXIT.usage
      }
      const content = yield* readText(flags.file, config)
      if (content === undefined) return EXIT.error
      const { rules, warnings } = yield* loadAll(config)
      yield* reportErrors(warnings)
      const { launchFolder } = config
      const reports = flags.stream
        ? yield* Effect.forEach(answersOf(content, rules), (events) => testRules({ rules, launchFolder, events }))
        : [yield* testRules({ rules, launchFolder, text: content, as })]
      yield* reportErrors(reports.flatMap((report) => report.warnings))
      if (flags.json) {
        yield* output.out(`${JSON.stringify(reports.map(({ hits }) => hits))}\n`)
        return EXIT.done
      }
      yield* output.out(sanitizeForTerminal(linesOf(reports, flags, config.language).join("\n")) + "\n")
      return EXIT.done
    })
  )

const NOT_TRUSTED = text("folder not trusted", "dossier non fiable")
const SWITCHED_OFF = text("streamRules.enabled is off", "streamRules.enabled est désactivé")

const unknownScope = (written: string): Text =>
  text(
    `--as ${JSON.stringify(written)}: expected text, thinking or tool:NAME, for example tool:Edit`,
    `--as ${JSON.stringify(written)} : text, thinking ou tool:NOM attendu, par exemple tool:Edit`
  )

const testedAs = ({ as, path }: TestFlags): TestedAs | undefined => {
  const scope = parseScope(as)
  if (scope === undefined) return undefined
  if (scope.kind !== "tool") return { scope: scope.kind }
  if (scope.tool === undefined || scope.files !== undefined) return undefined
  return { scope: "tool", tool: scope.tool, ...(path === undefined ? {} : { path }) }
}

const readText = Effect.fnUntraced(function* (file: string, config: Config["Service"]) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const absolute = path.resolve(config.launchFolder, file)
  return yield* fs
    .readFileString(absolute)
    .pipe(Effect.catch((error) => Effect.as(reportErrors([cannotRead(absolute, error.message)]), undefined)))
})

/** The events of each recorded answer. */
const answersOf = (content: string, rules: RuleSet): ReadonlyArray<ReadonlyArray<LlmEvent>> => {
  if (rules.isEmpty) return []
  const encoder = new TextEncoder()
  return recordedAnswers(content).map((body) => {
    const decoder = new AnswerDecoder({ declared: new Set(), newId: String })
    decoder.push(encoder.encode(body))
    const events = decoder.take()
    decoder.end()
    return [...events, ...decoder.take()]
  })
}

const linesOf = (
  reports: ReadonlyArray<TestReport>,
  { stream, file }: TestFlags,
  language: "en" | "fr"
): ReadonlyArray<string> => {
  const lines = reports.flatMap(({ hits }, index) =>
    hits.map((hit) => `${stream ? `${file}#${index + 1}` : file}${placeOf(hit, stream)}`)
  )
  if (lines.length > 0) return lines
  return [language === "fr" ? "Aucune règle ne se déclencherait." : "No rule would fire."]
}

/** `:LINE:COLUMN  RULE  "matched"`, as editors follow it; in a stream with the part it is in. */
const placeOf = (
  { rule, interrupt, scope, tool, path, key, line, column, excerpt }: RuleHit,
  stream: boolean
): string => {
  const part = tool === undefined ? scope : `${tool}${path === undefined ? "" : `(${path})`} ${key ?? ""}`.trim()
  const note = interrupt === "never" ? "  (note)" : ""
  return `:${line}:${column}  ${rule}${note}  ${stream ? `${part}  ` : ""}${JSON.stringify(excerpt)}`
}
