/** Times as people read them, the same in both languages. Pure. */

/** `0.4 s`, `12 s`, `2 min 05 s`, `1 h 02 min`. Milliseconds in. */
export const duration = (milliseconds: number): string => {
  const ms = Math.max(0, milliseconds)
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`
  return elapsed(Math.round(ms / 1_000) * 1_000)
}

/** The same in whole seconds, for a clock that runs: `0 s`, `12 s`, `2 min 05 s`. */
export const elapsed = (milliseconds: number): string => {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}

/** `2026-11-30 09:05` where the user is; milliseconds since 1970. */
export const localTime = (milliseconds: number): string => {
  const at = new Date(milliseconds)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`
}

const two = (value: number): string => String(value).padStart(2, "0")
