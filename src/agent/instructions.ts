/**
 * Finds the instructions for the model (spec 02): `~/.maia/MAIA.md`, then in the launch folder `MAIA.md`, else `CLAUDE.md`,
 * else `AGENTS.md`. Only the launch folder is looked at.
 */
import { Effect, FileSystem } from "effect"
import { Config } from "../config/Config.ts"
import { text, type Text } from "../domain/text.ts"

export interface Instruction {
  readonly path: string
  readonly content: string
}

export interface Instructions {
  readonly found: ReadonlyArray<Instruction>
  readonly warnings: ReadonlyArray<Text>
}

/** Bytes of one file; more would cost every request too much. */
export const MAX_INSTRUCTION_BYTES = 100_000

const PROJECT_FILES = ["MAIA.md", "CLAUDE.md", "AGENTS.md"]

/** Never fails: a file that cannot be read is a warning. */
export const loadInstructions = Effect.fn("Instructions.load")(function* () {
  const config = yield* Config
  const fs = yield* FileSystem.FileSystem
  const warnings: Array<Text> = []

  const read = Effect.fnUntraced(function* (path: string) {
    const content = yield* fs.readFileString(path).pipe(
      Effect.catch((error) => {
        if (error.reason._tag !== "NotFound") {
          warnings.push(
            text(`${path} could not be read: ${error.message}`, `${path} n'a pas pu être lu : ${error.message}`)
          )
        }
        return Effect.undefined
      })
    )
    if (content === undefined || content.trim() === "") return undefined
    if (content.length <= MAX_INSTRUCTION_BYTES) return { path, content: content.trim() }
    warnings.push(
      text(
        `${path} is longer than ${MAX_INSTRUCTION_BYTES} characters; only its beginning is used.`,
        `${path} dépasse ${MAX_INSTRUCTION_BYTES} caractères ; seul le début est utilisé.`
      )
    )
    return { path, content: content.slice(0, MAX_INSTRUCTION_BYTES).toWellFormed() }
  })

  const found: Array<Instruction> = []
  const global = yield* read(`${config.userDir}/MAIA.md`)
  if (global !== undefined) found.push(global)
  for (const name of PROJECT_FILES) {
    const instruction = yield* read(`${config.launchFolder}/${name}`)
    if (instruction === undefined) continue
    found.push(instruction)
    break
  }
  const result: Instructions = { found, warnings }
  return result
})
