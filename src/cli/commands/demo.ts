/** `maia demo`: the demonstration model does its job in a sample folder made for it, through the real parts. */
import { Effect } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { DEMO_MODEL } from "../../demo/demoModel.ts"
import { DEMO_PROMPT, DEMO_RULES, makeSampleFolder } from "../../demo/sampleFolder.ts"
import { Output } from "../../process/stdout.ts"
import { Launch } from "../Launch.ts"
import { run } from "./run.ts"

export interface DemoFlags {
  readonly output: "text" | "json" | "stream-json"
}

export const demo = (flags: DemoFlags) =>
  Effect.gen(function* () {
    const { language } = yield* Launch
    const output = yield* Output
    const folder = yield* makeSampleFolder().pipe(Effect.provide(NodeServices.layer), Effect.orDie)
    yield* output.err(
      language === "fr"
        ? `Démonstration : un script joue le modèle, tout le reste est réel. Dossier : ${folder}\n> ${DEMO_PROMPT}\n`
        : `Demonstration: a script plays the model, all the rest is real. Folder: ${folder}\n> ${DEMO_PROMPT}\n`
    )
    return yield* run({
      cwd: folder,
      model: DEMO_MODEL,
      allow: DEMO_RULES,
      deny: [],
      permissions: "ask",
      mode: undefined,
      trust: false,
      prompt: DEMO_PROMPT,
      words: [],
      output: flags.output,
      effort: undefined,
      session: undefined,
      continue: false,
      fork: false,
      at: undefined,
      noSave: false,
      maxIterations: undefined,
      image: [],
      systemAppend: undefined,
      quiet: false,
      ignoreStdin: true
    })
  })
