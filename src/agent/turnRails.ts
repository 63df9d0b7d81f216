/**
 * The guard rails for small models in a turn (spec 06): loops and the temperature after them. What a loop is, and what is
 * said of it, is in `loop/`; each rail can be switched off (`config/rails.ts`).
 */
import { Effect } from "effect"
import type { Config } from "../config/Config.ts"
import type { ModelSettings } from "../config/settings.ts"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { ToolCall, ToolMessage } from "../domain/message.ts"
import type { Conversation } from "./Conversation.ts"
import type { Loop } from "./loop/LoopDetector.ts"
import { loopNotice, loopStopped, loopWarning } from "./loop/texts.ts"

/** What a loop adds to the usual temperature, and how far that goes. */
const HEAT = 0.3
const HOTTEST = 1
/** The temperature of most servers when nobody sets one. */
const UNSET = 0.7

export class TurnRails {
  private readonly conversation: Conversation
  private readonly settings: Config["Service"]["settings"]
  private readonly emit: (event: AgentEvent) => Effect.Effect<void>
  /** Loops found among the calls that run now. */
  private found: Array<Loop> = []

  constructor(
    conversation: Conversation,
    settings: Config["Service"]["settings"],
    emit: (event: AgentEvent) => Effect.Effect<void>
  ) {
    this.conversation = conversation
    this.settings = settings
    this.emit = emit
    conversation.loops.beginTurn()
  }

  /** Of the next request: higher for those that follow a loop. */
  temperature({ temperature, loopTemperature }: ModelSettings): number | undefined {
    if (!this.settings.rails.adaptiveTemperature || !this.conversation.loops.takeHeat()) return temperature
    const raised = Math.min(HOTTEST, Math.round(((temperature ?? UNSET) + HEAT) * 100) / 100)
    return loopTemperature ?? Math.max(temperature ?? 0, raised)
  }

  /** Takes each result in call order; one that closes a circle says so to the model. */
  review(call: ToolCall, result: ToolMessage): ToolMessage {
    // Calls that cannot be used are counted by themselves.
    if (!this.settings.rails.loopDetector || call.problem !== undefined) return result
    const loop = this.conversation.loops.observe(call, result)
    if (loop === undefined) return result
    this.found.push(loop)
    return { ...result, text: `${result.text}\n${loopNotice(loop)}` }
  }

  /** All results of an answer are there: true when the turn must end. */
  afterTools(): Effect.Effect<boolean> {
    return Effect.gen({ self: this }, function* () {
      const { found } = this
      this.found = []
      this.conversation.loops.answered()
      const stuck = found.find(({ isStuck }) => isStuck)
      if (stuck !== undefined) {
        yield* this.emit({ type: "error", code: "loop", message: loopStopped(stuck) })
        return true
      }
      const fresh = found.find(({ isNew }) => isNew)
      if (fresh !== undefined) {
        yield* this.emit({ type: "warning", code: "loop_detected", message: loopWarning(fresh) })
      }
      return false
    })
  }
}
