/**
 * Stream rules in a turn (spec 05): watches each answer, writes to the session what a rule makes happen, and tells it. A
 * composition without `StreamRules` watches nothing.
 */
import { Effect, Option, Schema, Stream } from "effect"
import type { Config } from "../config/Config.ts"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { LlmEvent } from "../domain/llm.ts"
import type { AssistantMessage } from "../domain/message.ts"
import type { Text } from "../domain/text.ts"
import type { LlmError } from "../llm/errors.ts"
import { keepPartial } from "../stream-rules/reminder.ts"
import { StreamRuleGuard, type Verdict } from "../stream-rules/StreamRuleGuard.ts"
import { StreamRules, type LoadedRules } from "../stream-rules/StreamRules.ts"
import type { Conversation } from "./Conversation.ts"

type Emit = (event: AgentEvent) => Effect.Effect<void>

/** Ends the reading of an answer; closing the stream ends the request. */
class AnswerStopped extends Schema.TaggedError<AnswerStopped>()("AnswerStopped", {}) {}

/** Makes the rules of a turn; what was said and told of a conversation is kept from turn to turn. */
export const makeTurnRules = (config: Config["Service"]) =>
  Effect.map(Effect.serviceOption(StreamRules), (service) => {
    const guards = new WeakMap<Conversation, { readonly loaded: LoadedRules; readonly guard: StreamRuleGuard }>()
    const guardOf = (conversation: Conversation, loaded: LoadedRules) => {
      const known = guards.get(conversation)
      if (known?.loaded === loaded) return { guard: known.guard, warnings: [] }
      const guard = new StreamRuleGuard({
        rules: loaded.rules,
        settings: config.settings.streamRules,
        launchFolder: config.launchFolder
      })
      guards.set(conversation, { loaded, guard })
      const said = new Set(known?.loaded.warnings.map(({ en }) => en))
      return { guard, warnings: loaded.warnings.filter(({ en }) => !said.has(en)) }
    }
    return (conversation: Conversation, emit: Emit): TurnRules =>
      new TurnRules(conversation, emit, (of) =>
        Option.isNone(service)
          ? Effect.undefined
          : Effect.map(service.value.load, (loaded) =>
              loaded.rules.isEmpty && loaded.warnings.length === 0 ? undefined : guardOf(of, loaded)
            )
      )
  })

type FindGuard = (
  conversation: Conversation
) => Effect.Effect<{ readonly guard: StreamRuleGuard; readonly warnings: ReadonlyArray<Text> } | undefined>

export interface AnswerReader {
  /** Takes each batch, or what of it came before a match. */
  readonly take: (events: ReadonlyArray<LlmEvent>) => Effect.Effect<void>
  /** The answer is void from now on, whatever interrupts what follows. */
  readonly onDiscard: () => void
}

export class TurnRules {
  private readonly conversation: Conversation
  private readonly emit: Emit
  private readonly find: FindGuard
  private guard: StreamRuleGuard | undefined
  private revision = 0

  constructor(conversation: Conversation, emit: Emit, find: FindGuard) {
    this.conversation = conversation
    this.emit = emit
    this.find = find
  }

  /** The user's request is in the session. */
  begin(): Effect.Effect<void> {
    return Effect.flatMap(this.find(this.conversation), (found) => {
      if (found === undefined) return Effect.void
      this.guard = found.guard
      this.guard.beginTurn(this.conversation.session.path())
      this.revision = this.conversation.revision
      return this.warn(found.warnings)
    })
  }

  /** Reads an answer to its end, or to where a rule stops it: then the request is over and no tool may run. */
  read(answer: Stream.Stream<LlmEvent, LlmError>, reader: AnswerReader): Effect.Effect<Verdict | undefined, LlmError> {
    const { guard } = this
    if (guard === undefined) return Effect.as(Stream.runForEachArray(answer, reader.take), undefined)
    return Effect.scoped(
      Effect.gen({ self: this }, function* () {
        if (this.revision !== this.conversation.revision) {
          guard.restore(this.conversation.session.path())
          this.revision = this.conversation.revision
        }
        const watch = yield* guard.begin
        if (watch === undefined) return yield* Effect.as(Stream.runForEachArray(answer, reader.take), undefined)
        let verdict: Verdict | undefined
        yield* answer.pipe(
          Stream.runForEachArray((events) => {
            verdict = watch.push(events)
            if (verdict === undefined) return reader.take(events)
            const taken = reader.take(verdict.before)
            if (verdict.mode === "discard") reader.onDiscard()
            return Effect.andThen(taken, Effect.fail(new AnswerStopped()))
          }),
          Effect.catchTag("AnswerStopped", () => Effect.void)
        )
        verdict ??= yield* watch.settle
        if (verdict?.mode === "discard") reader.onDiscard()
        yield* this.warn(guard.takeWarnings())
        return verdict
      })
    )
  }

  /** Writes what follows from a stopped answer: the next request says it. `partial` holds finished calls only. */
  stop(verdict: Verdict, partial: AssistantMessage): Effect.Effect<void> {
    const { conversation } = this
    const { rules, turn, mode, reminder } = verdict
    const kept = mode === "keep" ? keepPartial(partial) : []
    return Effect.uninterruptible(
      Effect.gen(function* () {
        yield* conversation.append({ type: "stream_rule_injection", rules, turn })
        for (const message of kept) yield* conversation.say(message)
        yield* conversation.say(reminder)
      })
    ).pipe(
      Effect.andThen(this.emit({ type: "stream-rule", rules, mode })),
      Effect.andThen(mode === "discard" ? this.emit({ type: "discard", reason: "stream_rule" }) : Effect.void)
    )
  }

  /** What rules that do not interrupt had to say, after the tool results or after the turn. */
  tellNotes(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const notes = this.guard?.takeNotes()
      if (notes === undefined) return Effect.void
      const { rules, turn, reminder } = notes
      return Effect.uninterruptible(
        Effect.andThen(
          this.conversation.append({ type: "stream_rule_injection", rules, turn }),
          this.conversation.say(reminder)
        )
      ).pipe(Effect.andThen(this.emit({ type: "stream-rule", rules, mode: "note" })))
    })
  }

  private warn(warnings: ReadonlyArray<Text>): Effect.Effect<void> {
    return Effect.forEach(warnings, (message) => this.emit({ type: "warning", code: "stream_rule", message }), {
      discard: true
    })
  }
}
