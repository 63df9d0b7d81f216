/** Work that the user waits for and can end with Esc: a server that does not answer must not hold the interface. */
import { Effect, Option } from "effect"
import { text, type Text } from "../../domain/text.ts"
import { Ui } from "../Ui.ts"

/** None: the user has ended it, which is said. */
export const stoppable = Effect.fnUntraced(function* <A, E, R>(label: Text, work: Effect.Effect<A, E, R>) {
  const ui = yield* Ui
  const stopped = Effect.as(ui.interrupted, Option.none<A>())
  const done = yield* ui.waiting(label, Effect.raceFirst(Effect.asSome(work), stopped))
  if (Option.isNone(done)) yield* ui.warn(ended)
  return done
})

const ended = text("Stopped.", "Arrêté.")
