/**
 * Turns host names into addresses. A service of its own so that what is checked and what is connected to can be the same
 * answer, and so that tests give theirs. Uses `node:dns`: the platform layer has no resolver.
 */
import { Context, Effect, Layer, Schema } from "effect"

export class ResolverError extends Schema.TaggedError<ResolverError>()("ResolverError", {
  host: Schema.String,
  /** System code, for example `ENOTFOUND`. */
  code: Schema.String
}) {}

export class Resolver extends Context.Service<
  Resolver,
  {
    /** All addresses of a name, as the system (hosts file included) gives them; at least one. */
    readonly lookup: (host: string) => Effect.Effect<ReadonlyArray<string>, ResolverError>
  }
>()("maia/process/Resolver") {
  static readonly layer = Layer.succeed(
    Resolver,
    Resolver.of({
      lookup: Effect.fn("Resolver.lookup")(function* (
        host: string
      ): Effect.fn.Return<ReadonlyArray<string>, ResolverError> {
        const answers = yield* Effect.tryPromise({
          try: async () => {
            const { lookup } = await import("node:dns/promises")
            return lookup(host, { all: true })
          },
          catch: (cause) => new ResolverError({ host, code: codeOf(cause) })
        })
        if (answers.length === 0) return yield* new ResolverError({ host, code: "ENODATA" })
        return answers.map((answer) => answer.address)
      })
    })
  )
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "EAI_FAIL"
