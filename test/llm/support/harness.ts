/** What the tests of this room share: a `LiteLlm` against a scripted server, and the events of a stream or its failure. */
import { Effect, FileSystem, Layer, Path, Redacted, Stream } from "effect"
import type { Settings } from "../../../src/config/settings.ts"
import type { LlmEvent, LlmRequest } from "../../../src/domain/llm.ts"
import type { LlmError } from "../../../src/llm/errors.ts"
import { LiteLlm } from "../../../src/llm/LiteLlm.ts"
import { layer, layerFetch } from "../../../src/llm/LiteLlmLive.ts"
import { testConfigLayer } from "../../support/testConfig.ts"

export const request = (more: Partial<LlmRequest> = {}): LlmRequest => ({
  model: "test-model",
  system: "You help.",
  messages: [{ role: "user", text: "hello" }],
  tools: [],
  ...more
})

export interface HarnessOptions {
  readonly url: string | undefined
  readonly key?: string
  readonly settings?: Partial<Settings>
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Paths that exist. */
  readonly files?: ReadonlyArray<string>
}

const surroundings = (options: HarnessOptions) =>
  Layer.mergeAll(
    testConfigLayer({
      launchFolder: "/nowhere",
      settings: { LiteLLM_URL: options.url, ...options.settings },
      ...(options.key === undefined ? {} : { apiKey: Redacted.make(options.key) }),
      ...(options.env === undefined ? {} : { env: options.env })
    }),
    FileSystem.layerNoop({ exists: (path) => Effect.succeed(options.files?.includes(path) === true) }),
    Path.layer
  )

/** Over real HTTP, with `FetchHttpClient`. */
export const liveLayer = (options: HarnessOptions): Layer.Layer<LiteLlm> =>
  layerFetch.pipe(Layer.provide(surroundings(options)))

/** Over an `HttpClient` the test hands in. */
export const mockedLayer = (options: HarnessOptions) => layer.pipe(Layer.provide(surroundings(options)))

export interface Collected {
  readonly events: ReadonlyArray<LlmEvent>
  readonly error: LlmError | undefined
}

/** Runs a request to its end: the events that came, and the failure that followed them, if any. */
export const collect = (
  given: LlmRequest = request(),
  onEvent: (event: LlmEvent) => void = () => {}
): Effect.Effect<Collected, never, LiteLlm> =>
  Effect.gen(function* () {
    const llm = yield* LiteLlm
    const events: Array<LlmEvent> = []
    const error = yield* llm.stream(given).pipe(
      Stream.runForEach((event) =>
        Effect.sync(() => {
          events.push(event)
          onEvent(event)
        })
      ),
      Effect.as(undefined),
      Effect.catch((error) => Effect.succeed(error))
    )
    return { events, error }
  })

export const textOf = (events: ReadonlyArray<LlmEvent>): string => {
  let text = ""
  for (const event of events) {
    if (event.type === "discard") text = ""
    if (event.type === "text-delta") text += event.text
  }
  return text
}

export const reasoningOf = (events: ReadonlyArray<LlmEvent>): string => {
  let text = ""
  for (const event of events) {
    if (event.type === "discard") text = ""
    if (event.type === "reasoning-delta") text += event.text
  }
  return text
}

export const callsOf = (events: ReadonlyArray<LlmEvent>) =>
  events.flatMap((event) => (event.type === "tool-call-end" ? [event.call] : []))

export const warningsOf = (events: ReadonlyArray<LlmEvent>) =>
  events.flatMap((event) => (event.type === "warning" ? [event.code] : []))

export const finishOf = (events: ReadonlyArray<LlmEvent>) =>
  events.flatMap((event) => (event.type === "finish" ? [event] : []))[0]
