/** Plays tasks through the real composition with a script in place of the model. */
import { Effect } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { agentLayer } from "../../src/cli/layers.ts"
import type { Config } from "../../src/config/Config.ts"
import type { EvalHost } from "../../src/eval/playTask.ts"
import { playTask, type PlayInput } from "../../src/eval/playTask.ts"
import type { EvalTask } from "../../src/eval/task.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { testConfig } from "../support/testConfig.ts"

export const evalConfig: Config["Service"] = testConfig({ launchFolder: "/nowhere", settings: { model: "scripted" } })

export const scriptedHost =
  (script: ScriptedLlm.Script): EvalHost =>
  (config, approver) =>
    agentLayer(config, approver, { trust: false, llm: ScriptedLlm.layer(script, { contextWindow: 100_000 }) })

export const play = (task: EvalTask, script: ScriptedLlm.Script, more: Partial<PlayInput> = {}) =>
  playTask(
    { task, model: "scripted", seconds: 60, config: evalConfig, sandboxed: false, ...more },
    scriptedHost(script)
  ).pipe(Effect.provide(NodeServices.layer))

/** One Bash call for each command, then the answer. */
export const commandsThen = (commands: ReadonlyArray<string>, answer: string): ScriptedLlm.Script => [
  ...commands.map((command) => ScriptedLlm.answer({ calls: [{ name: "Bash", input: { command } }] })),
  ScriptedLlm.answer({ text: answer })
]
