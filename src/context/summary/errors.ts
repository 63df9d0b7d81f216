/** Why there is no summary. Nothing of the conversation has changed then (spec 04, fixed point 2). */
import { Schema } from "effect"
import { Text } from "../../domain/text.ts"

export const SummaryErrorCode = Schema.Literals(["nothing", "cancelled", "bad_summary", "model", "remote"])

export class SummaryError extends Schema.TaggedError<SummaryError>()("SummaryError", {
  code: SummaryErrorCode,
  /** One line for people. */
  text: Text,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return this.text.en
  }
}
