/**
 * Runs the command line: parses it, runs the command, ends with its exit code. A wrong flag is one line on stderr and
 * exit 2; help goes to stdout.
 */
import { Effect, Layer } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { localeLanguage } from "../config/locale.ts"
import { runMain } from "../process/shutdown.ts"
import { Output } from "../process/stdout.ts"
import { commandTree } from "./commandTree.ts"
import type { Say } from "./commandParts.ts"
import { ExitCode } from "./ExitCode.ts"
import { EXIT } from "./exitCodes.ts"
import { expandArguments } from "./expandArguments.ts"
import { Launch } from "./Launch.ts"

export interface MainInput {
  readonly argv: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly version: string
}

/** The whole program; its result is the exit code. */
export const program = (input: MainInput) => {
  const language = localeLanguage(input.env)
  const say: Say = (en, fr) => (language === "fr" ? fr : en)
  const { argv, env, platform, version } = input
  const exit = ExitCode.of({ code: EXIT.done })
  return Command.runWith(commandTree(say), { version })(expandArguments(argv)).pipe(
    Effect.map(() => exit.code),
    Effect.catchIf(CliError.isCliError, () => Effect.succeed(EXIT.usage)),
    Effect.provide(presenter(say)),
    Effect.provideService(ExitCode, exit),
    Effect.provideService(Launch, Launch.of({ env, platform, version, language }))
  )
}

export const main = (input: MainInput): void =>
  runMain(program(input).pipe(Effect.provide(Layer.merge(NodeServices.layer, Output.layer))))

/** Help on stdout; a wrong invocation as one line each on stderr, where no reader of stdout is misled. */
const presenter = (say: Say) =>
  Layer.mergeAll(
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    Layer.effect(
      CliOutput.Presenter,
      Effect.map(Output, (output) => {
        const formatter = CliOutput.defaultFormatter({ colors: false })
        return {
          present: (event: CliOutput.Presenter.Event) => {
            switch (event._tag) {
              case "Help":
                return output.out(`${formatter.formatHelpDoc(event.helpDoc)}\n`)
              case "Version":
                return output.out(`${event.version}\n`)
              case "InvalidInvocation": {
                const hint = `${event.commandPath.join(" ")} --help`
                const lines = event.errors.map((error) => `maia: ${oneLine(error.message)}\n`)
                return output.err(`${lines.join("")}${say("Try", "Voir")}: ${hint}\n`)
              }
            }
          }
        }
      })
    )
  )

const oneLine = (message: string): string => message.replaceAll(/\s*\n\s*/g, " ").trim()
