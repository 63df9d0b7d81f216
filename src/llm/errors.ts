/**
 * Typed failures of a model call (spec 01): one readable line in both languages, and the cause.
 */
import { Schema } from "effect"
import { Text } from "../domain/text.ts"

export const LlmErrorCode = Schema.Literals([
  "unreachable",
  "refused_key",
  "unknown_model",
  "rate_limit",
  "overloaded",
  "context_overflow",
  "bad_request",
  "timeout",
  "stalled",
  "stream_broken",
  "not_openai",
  "server_error",
  "empty_answer",
  "runaway",
  "no_settings"
])
export type LlmErrorCode = typeof LlmErrorCode.Type

export class LlmError extends Schema.TaggedError<LlmError>()("LlmError", {
  code: LlmErrorCode,
  /** One line for people. */
  text: Text,
  status: Schema.optionalKey(Schema.Finite),
  /** Seconds the server asked to wait. */
  retryAfter: Schema.optionalKey(Schema.Finite),
  /** Tokens, where an overflow message says the limit. */
  limit: Schema.optionalKey(Schema.Finite),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return this.text.en
  }
}
