/**
 * Hooks in a turn (spec 08): the user's text before it is written, each call before it is judged and after it has run, and
 * the end, which they may put off. What went wrong with one is a warning of the turn.
 */
import { Effect } from "effect"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { ToolCall, ToolMessage } from "../domain/message.ts"
import type { HooksService } from "../extensions/hooks/Hooks.ts"
import type { Intercepted, RunRequest } from "../tools/ToolRunner.ts"

/** Times in one turn that the model is told to go on. */
export const MAX_CONTINUES = 3

type Emit = (event: AgentEvent) => Effect.Effect<void>

export type HookedPrompt = { readonly text: string } | { readonly blocked: string }

export class TurnHooks {
  private readonly hooks: HooksService
  private readonly emit: Emit
  private continued = 0

  constructor(hooks: HooksService, emit: Emit) {
    this.hooks = hooks
    this.emit = emit
  }

  /** What the model is to read in place of what the user wrote. */
  prompt(typed: string): Effect.Effect<HookedPrompt> {
    const { hooks } = this
    if (!hooks.has("user_prompt")) return Effect.succeed({ text: typed })
    return Effect.gen({ self: this }, function* () {
      let prompt = typed
      const context: Array<string> = []
      let refusal: string | undefined
      yield* hooks.run("user_prompt", "", { prompt }, ({ answer, blocked }) => {
        refusal = blocked ?? (answer?.block === true ? (answer.reason ?? "no reason was given") : undefined)
        if (refusal !== undefined) return undefined
        prompt = answer?.prompt ?? prompt
        if (answer?.context !== undefined && answer.context !== "") context.push(answer.context)
        return { prompt }
      })
      yield* this.tell()
      return refusal === undefined ? { text: [prompt, ...context].join("\n\n") } : { blocked: refusal }
    })
  }

  /** For the runner; nothing where no hook is named for the tools. */
  get aroundCalls(): Pick<RunRequest, "intercept" | "revise"> {
    return {
      ...(this.hooks.has("before_tool") ? { intercept: (call, input) => this.beforeTool(call, input) } : {}),
      ...(this.hooks.has("after_tool") ? { revise: (call, input, result) => this.afterTool(call, input, result) } : {})
    }
  }

  /** Why the model must go on; undefined: the turn may end. */
  goOn(text: string): Effect.Effect<string | undefined> {
    const { hooks } = this
    if (!hooks.has("before_stop") || this.continued >= MAX_CONTINUES) return Effect.undefined
    return Effect.gen({ self: this }, function* () {
      let reason: string | undefined
      const payload = { text, continued: this.continued }
      yield* hooks.run("before_stop", "", payload, ({ answer, blocked }) => {
        const wants = answer?.continue === true || answer?.block === true
        reason = blocked ?? (wants ? (answer?.reason ?? GO_ON) : undefined)
        return reason === undefined ? payload : undefined
      })
      yield* this.tell()
      if (reason !== undefined) this.continued++
      return reason
    })
  }

  /** A stream rule has fired; nobody waits. */
  noteRules(event: Extract<AgentEvent, { type: "stream-rule" }>): Effect.Effect<void> {
    const { mode, rules } = event
    return this.hooks.notify("stream_rule_triggered", rules, () => ({ rules, mode }))
  }

  tell(): Effect.Effect<void> {
    return Effect.flatMap(this.hooks.takeWarnings, (warnings) =>
      Effect.forEach(warnings, (message) => this.emit({ type: "warning", code: "hook", message }), { discard: true })
    )
  }

  private beforeTool(call: ToolCall, input: unknown): Effect.Effect<Intercepted> {
    return Effect.gen({ self: this }, function* () {
      let current = input
      let changed = false
      let refusal: string | undefined
      const payload = () => ({ tool: call.name, id: call.id, input: current })
      yield* this.hooks.run("before_tool", call.name, payload(), ({ answer, blocked }) => {
        refusal = blocked ?? (answer?.block === true ? (answer.reason ?? "no reason was given") : undefined)
        if (refusal !== undefined) return undefined
        if (answer?.input !== undefined) {
          current = answer.input
          changed = true
        }
        return payload()
      })
      yield* this.tell()
      if (refusal !== undefined) return { block: refusal }
      return changed ? { input: current } : undefined
    })
  }

  private afterTool(call: ToolCall, input: unknown, result: ToolMessage): Effect.Effect<ToolMessage> {
    return Effect.gen({ self: this }, function* () {
      let { text } = result
      const payload = () => ({ tool: call.name, id: call.id, input, result: { text, isError: result.isError } })
      yield* this.hooks.run("after_tool", call.name, payload(), ({ answer, blocked }) => {
        const complaint = blocked ?? (answer?.block === true ? (answer.reason ?? "no reason was given") : undefined)
        text = answer?.text ?? text
        if (answer?.context !== undefined && answer.context !== "") text += `\n${answer.context}`
        if (complaint !== undefined) text += `\n[a hook of the user says: ${complaint}]`
        return payload()
      })
      yield* this.tell()
      return text === result.text ? result : { ...result, text }
    })
  }
}

const GO_ON = "Do not stop yet: go on with what remains to be done."
