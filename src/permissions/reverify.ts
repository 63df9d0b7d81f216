/**
 * Closes the gap between a decision and the use of the path (spec 03, "a symlink planted between check and use"): a tool
 * opens first, then asks here whether what it opened is what was judged. Pure.
 */
import type { Decision } from "./Permissions.ts"

/**
 * `opened`: real path of what was opened (`openedPath` of `process/paths.ts`), or of the path just after opening. True
 * where that is the path the decision was made on; false means: close it and decide again.
 */
export const reverify = (decision: Pick<Decision, "realPath">, opened: string): boolean =>
  decision.realPath === undefined || decision.realPath === opened
