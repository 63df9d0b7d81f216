/**
 * Prints the events of a turn in one of the three forms and gives the exit code (spec 02, "Headless").
 */
import { Effect, Stream } from "effect"
import type { AgentEvent } from "../../domain/agent-event.ts"
import type { Text } from "../../domain/text.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { EXIT, exitCodeOf } from "../exitCodes.ts"
import { progressLines } from "./progress.ts"
import { encodeLine, toLine } from "./streamJson.ts"

export interface RenderOptions {
  readonly output: "text" | "json" | "stream-json"
  readonly quiet: boolean
  readonly language: "en" | "fr"
  /** `false` with `--no-save`: the result names no session. */
  readonly saved: boolean
  /** Said before the first event. */
  readonly warnings: ReadonlyArray<Text>
}

export const render = Effect.fn("Headless.render")(function* (
  events: Stream.Stream<AgentEvent>,
  options: RenderOptions
) {
  const output = yield* Output
  let errorCode: string | undefined
  let exitCode: number = EXIT.error
  let session: string | null = null
  const all = Stream.concat(
    Stream.fromIterable(
      options.warnings.map((message): AgentEvent => ({ type: "warning", code: "settings", message }))
    ),
    events
  )
  yield* all.pipe(
    Stream.runForEachArray((batch) => {
      let out = ""
      let err = ""
      for (const event of batch) {
        if (event.type === "started" && options.saved) session = event.session
        if (event.type === "error") errorCode = event.code
        if (event.type === "finished") exitCode = exitCodeOf(event.reason, errorCode)
        if (options.output === "stream-json") {
          const line = toLine(event, { language: options.language, session })
          if (line !== undefined) out += encodeLine(line)
        } else if (event.type === "finished") {
          const { language } = options
          if (options.output === "text") out += answerText(event.text, output.outIsTerminal)
          else {
            const line = toLine(event, { language, session })
            if (line !== undefined) out += encodeLine(line)
          }
        }
        if (options.output !== "stream-json" && (!options.quiet || event.type === "error")) {
          for (const line of progressLines(event, options.language)) err += `${sanitizeForTerminal(line)}\n`
        }
      }
      return Effect.andThen(err === "" ? Effect.void : output.err(err), out === "" ? Effect.void : output.out(out))
    })
  )
  return exitCode
})

/** A terminal must not obey what a model writes; a pipe gets every byte. */
const answerText = (text: string, terminal: boolean): string => {
  if (text === "") return ""
  const whole = text.endsWith("\n") ? text : `${text}\n`
  return terminal ? sanitizeForTerminal(whole) : whole
}
