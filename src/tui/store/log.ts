/** Adding to the printed log. Pure. */
import type { LogBody, UiState } from "./state.ts"

/** Prints nothing by itself: renderers print each item once, in order. */
export const append = (state: UiState, ...bodies: ReadonlyArray<LogBody>): UiState => {
  if (bodies.length === 0) return state
  return {
    ...state,
    items: state.items.concat(bodies.map((body, at) => ({ ...body, key: state.nextKey + at }))),
    nextKey: state.nextKey + bodies.length
  }
}
