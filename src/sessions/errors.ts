/**
 * Typed failures of the sessions room: one readable line in both languages.
 */
import { Schema } from "effect"
import { text, Text } from "../domain/text.ts"

export const SessionErrorCode = Schema.Literals([
  /** The text of the name is not allowed. */
  "invalid_name",
  /** No session, or no entry, of that name. */
  "not_found",
  /** Another running process writes to it. */
  "in_use",
  /** It is there and cannot be understood. */
  "unreadable",
  /** The folder or file cannot be written. */
  "not_writable",
  /** `.maia` is a link that leads out of the launch folder. */
  "outside"
])
export type SessionErrorCode = typeof SessionErrorCode.Type

export class SessionError extends Schema.TaggedError<SessionError>()("SessionError", {
  code: SessionErrorCode,
  /** One line for people. */
  text: Text,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return this.text.en
  }
}

export const entryNotFound = (id: string): SessionError =>
  new SessionError({
    code: "not_found",
    text: text(`There is no entry "${id}" in this session.`, `Pas d'entrée « ${id} » dans cette session.`)
  })
