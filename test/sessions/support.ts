/**
 * What the session tests share: a service over a temporary folder, and short ways to write messages.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, Path, type Scope } from "effect"
import type { EntryBody } from "../../src/domain/entry.ts"
import type { AssistantMessage, Message, ToolMessage, UserMessage } from "../../src/domain/message.ts"
import { isKnownEntry, type AnyEntry } from "../../src/sessions/checkEntry.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { sessionsLayer } from "../../src/sessions/SessionsLive.ts"
import { testConfigLayer, type TestConfig } from "../support/testConfig.ts"

export const user = (text: string, origin?: UserMessage["origin"]): UserMessage => ({
  role: "user",
  text,
  ...(origin === undefined ? {} : { origin })
})

export const assistant = (text: string, ...callIds: ReadonlyArray<string>): AssistantMessage => ({
  role: "assistant",
  text,
  toolCalls: callIds.map((id) => ({ id, name: "Read", arguments: '{"path":"a"}' })),
  model: "m"
})

export const toolResult = (toolCallId: string, text = `result ${toolCallId}`): ToolMessage => ({
  role: "tool",
  toolCallId,
  toolName: "Read",
  text,
  isError: false
})

export const message = (value: Message): EntryBody => ({ type: "message", message: value })

/** The texts of the messages on a path; undefined for other entries. */
export const textsOf = (path: ReadonlyArray<AnyEntry>): ReadonlyArray<string | undefined> =>
  path.map((entry) => (isKnownEntry(entry) && entry.type === "message" ? entry.message.text : undefined))

export interface Place {
  readonly folder: string
  /** Path of a file in the sessions folder. */
  readonly file: (name: string) => string
  /** Runs with a `Sessions` service over the folder, as one process would. */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, Sessions | Scope.Scope | FileSystem.FileSystem | Path.Path>,
    options?: { readonly fs?: FileSystem.FileSystem; readonly config?: Partial<TestConfig> }
  ) => Effect.Effect<A, E, FileSystem.FileSystem | Path.Path>
}

/** A temporary launch folder. */
export const makePlace = Effect.gen(function* () {
  const real = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* Effect.flatMap(real.makeTempDirectoryScoped({ prefix: "maia-sessions-" }), real.realPath)
  const place: Place = {
    folder,
    file: (name) => path.join(folder, ".maia", ".sessions", name),
    run: (effect, options) => {
      const fs = Layer.succeed(FileSystem.FileSystem, options?.fs ?? real)
      const services = sessionsLayer.pipe(
        Layer.provide(testConfigLayer({ launchFolder: folder, ...options?.config })),
        Layer.provideMerge(fs)
      )
      return effect.pipe(Effect.scoped, Effect.provide(services))
    }
  }
  return place
})

/** Runs a test with a temporary folder; its failures are the test's. */
export const withPlace = <A, E>(
  test: (place: Place) => Effect.Effect<A, E, FileSystem.FileSystem | Path.Path | Scope.Scope>
): Effect.Effect<A> =>
  Effect.scoped(Effect.flatMap(makePlace, test)).pipe(Effect.provide(NodeServices.layer), Effect.orDie)
