/** A view that fails must not take the screen with it: what it said stands in its place. */
import { safeLine } from "../text/safeText.ts"

export const orSay = <A>(draw: () => A, instead: (problem: string) => A): A => {
  try {
    return draw()
  } catch (error) {
    return instead(safeLine(`maia: ${String(error)}`))
  }
}
