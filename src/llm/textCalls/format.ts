/** One way to write a tool call as text (spec 06). A parser reads one block of it. Pure. */
import type { Cursor, Parsing } from "./Cursor.ts"
import type { DeclaredTools } from "./DeclaredTools.ts"
import type { FoundCall } from "./foundCall.ts"

export interface TextCallFormat {
  readonly name: string
  /** First characters of a block: text that begins otherwise is never looked at further. */
  readonly starts: string
  /** The block's own marks say that it is a call, so that a broken one goes back to the model instead of to the person. */
  readonly isMarked: boolean
  /** The calls of a block; undefined at the first character that does not fit. */
  readonly parse: (cursor: Cursor, tools: DeclaredTools) => Parsing<ReadonlyArray<FoundCall> | undefined>
}
