/**
 * Compaction between turns (spec 04; seed §14.3): before a request of the user and after a turn, as the setting says, in place or
 * into a new session. Within a turn `ContextCare` shortens the context in place.
 */
import { Effect } from "effect"
import { text, type Text } from "../domain/text.ts"
import { compactionFailed } from "../context/summary/notices.ts"
import { compactNow, type CompactNowOptions } from "./compactNow.ts"
import { ContextCare } from "./ContextCare.ts"
import type { Conversation } from "./Conversation.ts"

export interface RoomMade {
  /** The one to go on with. */
  readonly conversation: Conversation
  /** What a person should know of it; empty where nothing was done. */
  readonly notes: ReadonlyArray<Text>
  /** Of the context, where it was compacted. */
  readonly tokens?: { readonly tokensBefore: number; readonly tokensAfter: number }
}

/** Never fails: a compaction that does not succeed is a note, and the conversation stays as it was. */
export const compactWhereFull = Effect.fn("Agent.compactWhereFull")(function* (
  conversation: Conversation,
  options: CompactNowOptions & {
    /** What the user is about to say. */
    readonly next?: string
  } = {}
) {
  const care = yield* ContextCare
  const unchanged: RoomMade = { conversation, notes: [] }
  if (!(yield* care.isFull(conversation, options.next))) return unchanged
  return yield* compactNow(conversation, options).pipe(
    Effect.flatMap((done) =>
      Effect.map(done.conversation.session.name, (name): RoomMade => {
        const isNew = done.conversation !== conversation
        const notes = [...(isNew ? [movedTo(name)] : []), ...done.warnings]
        const { tokensAfter, tokensBefore } = done
        return { conversation: done.conversation, notes, tokens: { tokensBefore, tokensAfter } }
      })
    ),
    Effect.catch((error) =>
      Effect.succeed<RoomMade>({
        conversation,
        notes: [compactionFailed("threshold", error.text)]
      })
    )
  )
})

const movedTo = (name: string): Text =>
  text(
    `The conversation was near the end of its context: it goes on from a summary, in the session ${name}.`,
    `La conversation approchait de la fin de son contexte : elle continue à partir d'un résumé, dans la session ${name}.`
  )
