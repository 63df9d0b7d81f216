/** `maia tools list|run` (spec 08): the custom tools of this folder, and trying one without a model. */
import { Effect } from "effect"
import { text, type Text } from "../../domain/text.ts"
import { CustomTools } from "../../extensions/customTools/CustomTools.ts"
import type { Parameter, ToolDefinition } from "../../extensions/customTools/definition.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { DEFAULT_OUTPUT_LIMIT } from "../../tools/outputLimit.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { headlessApprover } from "../headless/HeadlessApprover.ts"
import { configFor } from "../Launch.ts"
import { agentLayer } from "../layers.ts"

export interface ToolsFlags {
  readonly cwd: string | undefined
  readonly trust: boolean
}

export const listTools = (flags: ToolsFlags & { readonly json: boolean }) =>
  withLayers(
    flags,
    Effect.gen(function* () {
      const output = yield* Output
      const { find } = yield* CustomTools
      const { definitions, warnings } = yield* find
      const active = yield* Effect.flatten(TrustState)
      yield* reportErrors(warnings)
      if (definitions.length > 0 && !active) yield* reportErrors([notTrusted])
      if (flags.json) {
        yield* output.out(
          `${JSON.stringify(definitions.map((definition) => ({ ...described(definition), active })))}\n`
        )
        return EXIT.done
      }
      for (const { description, name, parameters } of definitions) {
        const line = `${[name, ...parameters.map(usage)].join(" ")}  ${description.split("\n", 1)[0] ?? ""}`
        yield* output.out(`${sanitizeForTerminal(line)}\n`)
      }
      return EXIT.done
    })
  )

export const runTool = (flags: ToolsFlags & { readonly name: string; readonly values: ReadonlyArray<string> }) =>
  withLayers(
    flags,
    Effect.gen(function* () {
      const output = yield* Output
      const { find, toTool } = yield* CustomTools
      const { definitions, warnings } = yield* find
      const definition = definitions.find(({ name }) => name === flags.name)
      if (definition === undefined) {
        yield* reportErrors([...warnings, unknownTool(flags.name, definitions)])
        return EXIT.error
      }
      if (!(yield* Effect.flatten(TrustState))) {
        yield* reportErrors([notTrusted])
        return EXIT.refused
      }
      const bad = flags.values.find((value) => !/^[^=]+=/.test(value))
      if (bad !== undefined) {
        yield* reportErrors([notAValue(bad, definition)])
        return EXIT.usage
      }
      const input = Object.fromEntries(
        flags.values.map((value) => [value.slice(0, value.indexOf("=")), value.slice(value.indexOf("=") + 1)])
      )
      const call = yield* Effect.result(toTool(definition).prepare(input))
      if (call._tag === "Failure") {
        yield* reportErrors([text(call.failure.message, call.failure.message)])
        return EXIT.usage
      }
      const context = {
        callId: "",
        progress: () => Effect.void,
        outputLimit: DEFAULT_OUTPUT_LIMIT,
        model: { id: "", images: false }
      }
      const result = yield* call.success
        .run(context)
        .pipe(Effect.catchTag("ToolFailure", ({ message }) => Effect.succeed({ text: message, isError: true })))
      const shown = output.outIsTerminal ? sanitizeForTerminal(result.text) : result.text
      yield* result.isError === true ? output.err(`${sanitizeForTerminal(result.text)}\n`) : output.out(`${shown}\n`)
      return result.isError === true ? EXIT.error : EXIT.done
    })
  )

const withLayers = <R>(flags: ToolsFlags, use: Effect.Effect<number, never, R | CustomTools>) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      return yield* use.pipe(
        Effect.provide(agentLayer(config, headlessApprover("deny"), { trust: flags.trust })),
        Effect.scoped
      )
    })
  )

const usage = ({ choices, default: standard, name, type }: Parameter): string => {
  const value = choices === undefined ? type : choices.join("|")
  return standard === undefined ? `${name}=${value}` : `[${name}=${String(standard)}]`
}

const described = ({ description, file, name, parameters, timeout }: ToolDefinition) => ({
  name,
  description,
  file,
  timeout,
  parameters: parameters.map((parameter) => ({
    name: parameter.name,
    type: parameter.type,
    ...(parameter.description === undefined ? {} : { description: parameter.description }),
    ...(parameter.choices === undefined ? {} : { enum: parameter.choices }),
    ...(parameter.default === undefined ? {} : { default: parameter.default })
  }))
})

const notTrusted = text(
  "This folder is not trusted, so its tools are not run. Start maia there and answer the question, or use --trust for one run.",
  "Ce dossier n'est pas considéré comme fiable : ses outils ne sont pas lancés. Lancez-y maia et répondez à la question, ou utilisez --trust pour une exécution."
)

const unknownTool = (name: string, known: ReadonlyArray<ToolDefinition>): Text => {
  const names = known.map((definition) => definition.name).join(", ")
  return text(
    `There is no custom tool "${name}". ${names === "" ? "This folder has none (.maia/tools/NAME/TOOL.json)." : `Available: ${names}`}`,
    `Il n'y a pas d'outil personnalisé « ${name} ». ${names === "" ? "Ce dossier n'en a aucun (.maia/tools/NOM/TOOL.json)." : `Disponibles : ${names}`}`
  )
}

const notAValue = (given: string, definition: ToolDefinition): Text => {
  const example = [definition.name, ...definition.parameters.map(usage)].join(" ")
  return text(
    `${JSON.stringify(given)}: expected NAME=VALUE. Usage: maia tools run ${example}`,
    `${JSON.stringify(given)} : NOM=VALEUR attendu. Usage : maia tools run ${example}`
  )
}
