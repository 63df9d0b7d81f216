/**
 * `maia run` (spec 02, "Headless"): one request, its answer on stdout in the form asked for, everything else on stderr.
 */
import { Effect } from "effect"
import { Agent } from "../../agent/Agent.ts"
import { compactWhereFull } from "../../agent/compactWhereFull.ts"
import type { Config } from "../../config/Config.ts"
import type { LaunchFlags } from "../../config/loadConfig.ts"
import { DEMO_MODEL } from "../../demo/demoModel.ts"
import { LiteLlm } from "../../llm/LiteLlm.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { Interrupts } from "../../process/shutdown.ts"
import { FolderTrust } from "../../permissions/trust/FolderTrust.ts"
import { trustWarning } from "../../permissions/trust/trustText.ts"
import { Sandbox } from "../../process/sandbox/Sandbox.ts"
import { fileReading } from "../../extensions/fileReading.ts"
import { expandInput, mayNameFiles } from "../../extensions/userInput.ts"
import { resolveMentions } from "../../tools/mentions.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { headlessApprover } from "../headless/HeadlessApprover.ts"
import { loadExtras } from "../headless/extras.ts"
import { readPrompt } from "../headless/prompt.ts"
import { render } from "../headless/render.ts"
import { configFor } from "../Launch.ts"
import { agentLayer } from "../layers.ts"
import { noModel, noPrompt, noServer, noSkillName, waitedForStdin } from "../messages.ts"
import { openConversation } from "../../agent/openConversation.ts"

export interface RunFlags {
  readonly cwd: string | undefined
  readonly model: string | undefined
  readonly allow: ReadonlyArray<string>
  readonly deny: ReadonlyArray<string>
  readonly permissions: "ask" | "deny" | "allow"
  readonly mode: LaunchFlags["mode"]
  readonly trust: boolean
  readonly prompt: string | undefined
  readonly words: ReadonlyArray<string>
  readonly output: "text" | "json" | "stream-json"
  readonly effort: string | undefined
  readonly session: string | undefined
  readonly continue: boolean
  readonly fork: boolean
  readonly at: string | undefined
  readonly noSave: boolean
  readonly maxIterations: number | undefined
  readonly image: ReadonlyArray<string>
  readonly systemAppend: string | undefined
  readonly quiet: boolean
  /** The caller owns stdin. */
  readonly ignoreStdin?: boolean
}

export const run = (flags: RunFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({
        cwd: flags.cwd,
        model: flags.model,
        maxIterations: flags.maxIterations,
        mode: flags.mode,
        allow: flags.allow,
        deny: flags.deny
      })
      const given = flags.prompt ?? (flags.words.length > 0 ? flags.words.join(" ") : undefined)
      const prompt = flags.ignoreStdin === true ? { text: given, gaveUp: false } : yield* readPrompt(given)
      if (prompt.text === undefined || prompt.text.trim() === "") {
        yield* reportErrors([noPrompt])
        return EXIT.usage
      }
      const layers = agentLayer(config, headlessApprover(flags.permissions), { trust: flags.trust })
      return yield* turn(config, flags, { ...prompt, text: prompt.text, typed: given }).pipe(
        Effect.provide(layers),
        Effect.scoped
      )
    })
  )

interface Request {
  /** Begins with what the user typed. */
  readonly text: string
  /** The part that the user typed: only there do `@file` references count, piped data is only data. */
  readonly typed: string | undefined
  readonly gaveUp: boolean
}

const turn = Effect.fnUntraced(function* (config: Config["Service"], flags: RunFlags, request: Request) {
  const chosen = yield* chooseModel(config)
  if (chosen === undefined) return EXIT.missing
  const typed = request.typed ?? ""
  const expanded = yield* expandInput(typed, {
    files: (wanted) => fileReading(config.settings, flags.model ?? wanted ?? chosen)
  })
  if (expanded.kind !== "request") {
    yield* reportErrors([expanded.kind === "refused" ? expanded.text : noSkillName])
    return EXIT.usage
  }
  const { command } = expanded
  const model = flags.model === undefined ? (command?.model ?? chosen) : chosen
  if (command !== undefined) {
    yield* Effect.flatMap(Permissions, (permissions) => permissions.grant(command.allow, command.file))
  }
  const extras = yield* loadExtras(config, { images: flags.image, systemAppend: flags.systemAppend })
  if ("problem" in extras) {
    yield* reportErrors([extras.problem])
    return EXIT.usage
  }
  // Before the extensions ask: they all use what was found here.
  const untrusted = trustWarning(yield* Effect.flatMap(FolderTrust, (trust) => trust.report))
  const opened = yield* openConversation({
    model,
    effort: flags.effort,
    append: extras.systemAppend,
    session: {
      ...(flags.session === undefined ? {} : { name: flags.session }),
      ...(flags.at === undefined ? {} : { at: flags.at }),
      continueNewest: flags.continue,
      fork: flags.fork,
      save: !flags.noSave
    }
  })
  // A new session begins between turns only; in place the turn itself does it.
  const { conversation, notes } =
    config.settings.compaction.strategy === "new-session"
      ? yield* compactWhereFull(opened.conversation, { next: request.text })
      : { conversation: opened.conversation, notes: [] }
  const mentions = yield* resolveMentions(mayNameFiles(typed, expanded), fileReading(config.settings, model))
  const sandbox = yield* Effect.flatMap(Sandbox, ({ warning }) => warning)
  const agent = yield* Agent
  const interrupts = yield* Interrupts
  const events = agent.turn(conversation, {
    text: [...mentions.blocks, expanded.text + request.text.slice(typed.length)].join("\n\n"),
    attachments: [...extras.attachments, ...mentions.attachments, ...expanded.attachments],
    interrupt: interrupts.first
  })
  return yield* render(events, {
    output: flags.output,
    quiet: flags.quiet,
    language: config.language,
    saved: !flags.noSave,
    warnings: [
      ...config.warnings,
      ...[untrusted, sandbox].filter((warning) => warning !== undefined),
      ...opened.warnings,
      ...notes,
      ...mentions.warnings,
      ...expanded.warnings,
      ...(request.gaveUp ? [waitedForStdin] : [])
    ]
  })
})

/** Undefined, after the message, where no model is chosen or no server is there to have one. */
const chooseModel = Effect.fnUntraced(function* (config: Config["Service"]) {
  const { LiteLLM_URL, model } = config.settings
  if (model === DEMO_MODEL) return model
  if (LiteLLM_URL === undefined) {
    yield* reportErrors([noServer(`${config.userDir}/settings.json`)])
    return undefined
  }
  if (model !== undefined) return model
  const llm = yield* LiteLlm
  const found = yield* llm.models
  yield* reportErrors([noModel(found.map(({ id }) => id))])
  return undefined
})
