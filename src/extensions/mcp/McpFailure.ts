/** Why something of an MCP server did not work (spec 08): for people in both languages, for the model in English. */
import { Schema } from "effect"
import { Text } from "../../domain/text.ts"

export class McpFailure extends Schema.TaggedError<McpFailure>()("McpFailure", {
  text: Text,
  /** The connection is of no use any more. */
  isGone: Schema.Boolean
}) {
  override get message(): string {
    return this.text.en
  }
}
