/** Whether llama.cpp is at work, by its own page. */
import { Effect, Schedule } from "effect"

interface Slot {
  readonly is_processing: boolean
}

const isBusy = (url: string) =>
  Effect.promise(() =>
    fetch(`${url}/slots`)
      .then((response) => response.json())
      .then((slots: ReadonlyArray<Slot>) => slots.some((slot) => slot.is_processing))
  )

/** Waits until the server is at work, or at rest; fails after half a minute. */
export const becomes = (url: string, busy: boolean) =>
  isBusy(url).pipe(
    Effect.filterOrFail((now) => now === busy),
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1_500 })
  )
