/** `maia skills list|show` (spec 08): the skills of this folder and of the user, and what the model is given. */
import { Effect, Layer } from "effect"
import { Config } from "../../config/Config.ts"
import { text } from "../../domain/text.ts"
import { Skills, type ListedSkill } from "../../extensions/skills/Skills.ts"
import { unknownSkill } from "../../extensions/skills/catalogue.ts"
import { permissionsLayer } from "../../permissions/PermissionsLive.ts"
import { FolderTrust } from "../../permissions/trust/FolderTrust.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"

export interface SkillsFlags {
  readonly cwd: string | undefined
  readonly json: boolean
  readonly trust: boolean
}

const layer = (config: Config["Service"], trust: boolean) =>
  Skills.layer.pipe(
    Layer.provide(permissionsLayer),
    Layer.provide(FolderTrust.layer({ thisRun: trust })),
    Layer.provide(Layer.succeed(Config, Config.of(config)))
  )

export const listSkills = (flags: SkillsFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const output = yield* Output
      const { skills, warnings } = yield* Effect.flatMap(Skills, (service) => service.all).pipe(
        Effect.provide(layer(config, flags.trust))
      )
      yield* reportErrors(warnings)
      if (flags.json) {
        yield* output.out(`${JSON.stringify(skills.map(described))}\n`)
        return EXIT.done
      }
      for (const { skill, state } of skills) {
        const words = skill.keywords.length === 0 ? "" : ` [${skill.keywords.join(", ")}]`
        const note = state === "active" ? "" : `  [${STATES[state][config.language]}]`
        yield* output.out(
          `${sanitizeForTerminal(`§${skill.name}  ${skill.level}  ${skill.description}${words}${note}`)}\n`
        )
      }
      return EXIT.done
    })
  )

export const showSkill = (flags: SkillsFlags & { readonly name: string }) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      return yield* show(flags, config).pipe(Effect.provide(layer(config, flags.trust)))
    })
  )

const show = Effect.fnUntraced(function* (flags: SkillsFlags & { readonly name: string }, config: Config["Service"]) {
  const output = yield* Output
  const skills = yield* Skills
  const listed = yield* skills.all
  const name = flags.name.replace(/^§/, "")
  const candidates = listed.skills.filter(({ skill }) => skill.name === name)
  const found = candidates.find(({ state }) => state === "active") ?? candidates[0]
  if (found === undefined) {
    yield* reportErrors([
      ...listed.warnings,
      unknownSkill(
        name,
        listed.skills.map(({ skill }) => skill)
      )
    ])
    return EXIT.error
  }
  if (found.state === "active") {
    const used = yield* Effect.option(skills.use(name, "", { mode: "content", images: true, checkFiles: true }))
    if (used._tag === "Some") yield* reportErrors(used.value.warnings)
  }
  if (flags.json) {
    yield* output.out(`${JSON.stringify({ ...described(found), body: found.skill.body })}\n`)
    return EXIT.done
  }
  const { file, description, keywords, body } = found.skill
  const state = found.state === "active" ? "" : `  [${STATES[found.state][config.language]}]`
  const head = [`${file}${state}`, description, ...(keywords.length === 0 ? [] : [`[${keywords.join(", ")}]`])]
  yield* output.out(`${sanitizeForTerminal([...head, "", body].join("\n"))}\n`)
  return EXIT.done
})

const STATES = {
  hidden: text("another of this name counts", "un autre de ce nom compte"),
  untrusted: text("folder not trusted", "dossier non fiable")
}

const described = ({ skill, state }: ListedSkill) => {
  const { name, description, keywords, level, file } = skill
  return { name, description, keywords, level, file, state }
}
