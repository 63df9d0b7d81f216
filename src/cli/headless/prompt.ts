/**
 * The request of a headless run (spec 02): from the flag, the words, or stdin; with both, stdin is joined as data.
 */
import { Effect, Option, Stdio, Stream } from "effect"
import { stdinKind } from "../../process/stdinKind.ts"

export interface PromptSource {
  readonly text: string | undefined
  /** Nothing came on a stdin that might have brought data. */
  readonly gaveUp: boolean
}

/**
 * With a prompt given, how long an open stdin without a byte is waited for: programs that start maia often leave a socket
 * or a pipe open and never write to it.
 */
const PATIENCE = { pipe: "3 seconds", socket: "500 millis" } as const

export const readPrompt = Effect.fn("Headless.readPrompt")(function* (given: string | undefined) {
  const kind = stdinKind()
  if (kind === "terminal" || kind === "none") return { text: given, gaveUp: false } satisfies PromptSource
  if (given === undefined) {
    const piped = yield* readAll
    return { text: piped.trim() === "" ? undefined : piped, gaveUp: false } satisfies PromptSource
  }
  const patient = kind === "file" ? readAll.pipe(Effect.asSome) : readUnlessSilent(PATIENCE[kind])
  const piped = yield* patient
  if (Option.isNone(piped)) return { text: given, gaveUp: true } satisfies PromptSource
  const text = piped.value.trim() === "" ? given : `${given}\n\n<stdin>\n${piped.value}\n</stdin>`
  return { text, gaveUp: false } satisfies PromptSource
})

const stdin = Stream.unwrap(Effect.map(Stdio.Stdio, (stdio) => stdio.stdin))

const readAll = stdin.pipe(Stream.decodeText(), Stream.mkString, Effect.orDie)

/** None where not one byte came in time; once one came, all of it is read. */
const readUnlessSilent = (patience: "3 seconds" | "500 millis") =>
  Effect.gen(function* () {
    const pull = yield* Stream.toPull(stdin.pipe(Stream.decodeText(), Stream.orDie))
    const first = yield* pull.pipe(
      Effect.catchCause(() => Effect.succeed([])),
      Effect.timeoutOption(patience)
    )
    if (Option.isNone(first)) return Option.none<string>()
    const pieces = [...first.value]
    if (pieces.length === 0) return Option.some("")
    yield* Effect.forever(Effect.map(pull, (more) => pieces.push(...more))).pipe(Effect.ignoreCause)
    return Option.some(pieces.join(""))
  }).pipe(Effect.scoped)
