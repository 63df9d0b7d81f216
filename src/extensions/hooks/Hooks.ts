/**
 * Programs of the user and of a trusted project that take part in what maia does (spec 08). Runs those of an event one after
 * the other and hands on their answers; what an answer changes is decided where the event happens. Without a hook for an
 * event nothing is started.
 */
import { Context, Effect, FiberSet, Result, Schema } from "effect"
import { Config } from "../../config/Config.ts"
import type { Text } from "../../domain/text.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import { Shell } from "../../process/Shell.ts"
import { ActiveSession } from "../../tools/model/ActiveSession.ts"
import { answers, type Answer, type HookEvent } from "./events.ts"
import { readHookSettings, type Hook } from "./hookSettings.ts"
import { failed, runHook } from "./runHook.ts"

type Payload = Readonly<Record<string, unknown>>

/** What one hook said: its JSON, or that it blocks, and why. */
export interface HookSaid<Event extends HookEvent> {
  readonly answer: Answer<Event> | undefined
  /** By exit code 2. */
  readonly blocked: string | undefined
}

export interface HooksService {
  /** Whether any hook is named for the event: for whoever would prepare something. */
  readonly has: (event: HookEvent) => boolean
  /**
   * Runs the hooks of the event that fit `name`, in order. `next` gets what each said; it gives the payload for the one after
   * it, or undefined to stop.
   */
  readonly run: <Event extends HookEvent>(
    event: Event,
    name: string,
    payload: Payload,
    next: (said: HookSaid<Event>) => Payload | undefined
  ) => Effect.Effect<void>
  /** Runs them without waiting: what has happened can no longer be changed. */
  readonly notify: (event: HookEvent, names: ReadonlyArray<string>, payload: () => Payload) => Effect.Effect<void>
  /** What went wrong since it was last asked; each text once. */
  readonly takeWarnings: Effect.Effect<ReadonlyArray<Text>>
}

/** Without `hooksLayer` there are none. */
export const Hooks = Context.Reference<HooksService>("maia/extensions/Hooks", {
  defaultValue: () => ({
    has: () => false,
    run: () => Effect.void,
    notify: () => Effect.void,
    takeWarnings: Effect.succeed([])
  })
})

/** How long the end of maia waits for notifications that still run. */
const LAST_NOTIFICATIONS = "5 seconds"

export const makeHooks = Effect.gen(function* () {
  const config = yield* Config
  const { hooks, warnings: faults } = readHookSettings(config.extensionSettings, config)
  const shell = yield* Shell
  const session = yield* ActiveSession
  const trusted = yield* TrustState
  const running = yield* FiberSet.make()
  const told = new Set<string>()
  let warnings: Array<Text> = []
  let untoldFaults = faults

  const warn = (warning: Text): void => {
    if (told.has(warning.en)) return
    told.add(warning.en)
    warnings.push(warning)
  }

  const counts = ({ scope }: { readonly scope: Hook["scope"] }) => (scope === "user" ? Effect.succeed(true) : trusted)

  const common = Effect.gen(function* () {
    const open = yield* session.get
    return { session: open === undefined ? null : yield* open.name, cwd: config.launchFolder }
  })

  const run = Effect.fnUntraced(function* <Event extends HookEvent>(
    event: Event,
    name: string,
    payload: Payload,
    next: (said: HookSaid<Event>) => Payload | undefined
  ) {
    let current: Payload | undefined = payload
    for (const hook of hooks) {
      if (hook.event !== event || !hook.matches(name) || !(yield* counts(hook))) continue
      const said = yield* runHook(shell, hook, { event, ...(yield* common), ...current }, config.launchFolder)
      const understood = understand(event, hook, said)
      if ("warning" in understood) {
        warn(understood.warning)
        continue
      }
      current = next(understood)
      if (current === undefined) return
    }
  })

  const notify = (event: HookEvent, names: ReadonlyArray<string>, payload: () => Payload) =>
    Effect.suspend(() => {
      const wanted = hooks.filter((hook) => hook.event === event && names.some(hook.matches))
      if (wanted.length === 0) return Effect.void
      const all = Effect.forEach(wanted, (hook) =>
        Effect.gen(function* () {
          if (!(yield* counts(hook))) return
          const said = yield* runHook(shell, hook, { event, ...(yield* common), ...payload() }, config.launchFolder)
          if (said.kind === "failed") warn(said.warning)
        })
      )
      return Effect.asVoid(FiberSet.run(running, all))
    })

  const takeWarnings = Effect.gen(function* () {
    for (const fault of untoldFaults) if (yield* counts(fault)) warn(fault.text)
    untoldFaults = []
    const taken = warnings
    warnings = []
    return taken
  })

  yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(running), LAST_NOTIFICATIONS))

  return {
    has: (event) => hooks.some((hook) => hook.event === event),
    run,
    notify,
    takeWarnings
  } satisfies HooksService
})

/** The JSON of a hook as what its event allows. */
const understand = <Event extends HookEvent>(
  event: Event,
  hook: Hook,
  said: Effect.Success<ReturnType<typeof runHook>>
): HookSaid<Event> | { readonly warning: Text } => {
  if (said.kind === "failed") return said
  if (said.kind === "blocked") return { answer: undefined, blocked: said.reason }
  const value: unknown = said.value
  const decoded = Schema.decodeUnknownResult(answers[event])(value)
  // The schema looked up by the event is that of its answer.
  if (Result.isSuccess(decoded)) return { answer: decoded.success as Answer<Event>, blocked: undefined }
  const why = decoded.failure.message.replaceAll(/\s+/g, " ")
  const refused = failed(
    hook,
    "its JSON is not what this event takes",
    "son JSON n'est pas ce que cet événement accepte",
    why
  )
  return refused.kind === "failed" ? refused : { answer: undefined, blocked: undefined }
}
