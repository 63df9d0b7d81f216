/** A scripted bad model: one skill spoiled by one kind of failure. */
import type { ModelSettings, Settings } from "../../config/settings.ts"
import { text, type Text } from "../../domain/text.ts"
import type { EvalTask } from "../task.ts"
import { plainly, type Call, type Skill, type Step } from "./skill.ts"
import type { View } from "./view.ts"
import type { Reply } from "./wire.ts"

export interface BadModel {
  readonly name: string
  readonly about: Text
  readonly task: EvalTask
  readonly settings?: Partial<Settings>
  readonly modelSettings?: ModelSettings
  /**
   * The next answer. It may use only what stands in `view`: a model that was not told how to do better goes on as before.
   */
  readonly reply: (view: View) => Reply
}

type Spoil = (call: Call, view: View) => Reply

/** Where the skill would make a call, the spoiled form is sent instead. */
export const spoiled = (
  name: string,
  about: readonly [en: string, fr: string],
  skill: Skill,
  spoil: Spoil,
  more: Pick<BadModel, "settings" | "modelSettings"> = {}
): BadModel => ({
  name,
  about: text(...about),
  task: skill.task,
  ...more,
  reply: (view) => {
    const step = view.mayCall ? skill.step(view) : { say: "I could not finish." }
    return "say" in step ? plainly(step) : spoil(step.call, view)
  }
})

/** The same call the way it should be. */
export const rightly = (call: Call): Reply => plainly({ call })

/** A model whose steps are its own. */
export const stepping = (
  name: string,
  about: readonly [en: string, fr: string],
  task: EvalTask,
  step: (view: View) => Step | Reply,
  more: Pick<BadModel, "settings" | "modelSettings"> = {}
): BadModel => ({
  name,
  about: text(...about),
  task,
  ...more,
  reply: (view) => {
    if (!view.mayCall) return { text: "I could not finish." }
    const next = step(view)
    return "say" in next || "call" in next ? plainly(next) : next
  }
})
