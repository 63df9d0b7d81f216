/** When a request is sent again (spec 01): exponential with jitter, at most five times. Pure. */
import { Schedule } from "effect"

export const MOST_RETRIES = 5

/** Rate limits, overload, broken networks: 0.5 s, 1 s, 2 s, 4 s, 8 s, each give or take a fifth. */
export const serverSchedule = Schedule.exponential("500 millis", 2).pipe(
  Schedule.jittered,
  Schedule.upTo({ times: MOST_RETRIES })
)

/** Nothing listens: a server that is being restarted is back soon, one that was never started should be told soon. */
export const refusedSchedule = Schedule.exponential("200 millis", 1.5).pipe(
  Schedule.jittered,
  Schedule.upTo({ times: MOST_RETRIES })
)
