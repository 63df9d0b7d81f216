/** All quirks, in the order they are applied. */
import { maxCompletionTokens } from "./maxCompletionTokens.ts"
import { noThinking } from "./noThinking.ts"
import { promptProgress } from "./promptProgress.ts"
import type { Quirk } from "./quirk.ts"
import { repetitionPenalty } from "./repetitionPenalty.ts"

export { refusedIn, refusedParameters } from "./refusedParameters.ts"
export type { Quirk, Server, ServerKind } from "./quirk.ts"

export const quirks: ReadonlyArray<Quirk> = [promptProgress, noThinking, maxCompletionTokens, repetitionPenalty]
