/**
 * Typed failures of the sessions room: one readable line in both languages.
 */
import { Predicate, Schema } from "effect"
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

const SAID: Readonly<Record<string, Text>> = {
  ENOSPC: text("the disk is full", "le disque est plein"),
  EDQUOT: text("the disk quota is used up", "le quota du disque est épuisé"),
  EROFS: text("the disk is read-only", "le disque est en lecture seule"),
  EACCES: text(
    "the folder or the file may not be written",
    "le dossier ou le fichier n'est pas accessible en écriture"
  ),
  EPERM: text("the folder or the file may not be written", "le dossier ou le fichier n'est pas accessible en écriture"),
  EIO: text("the disk reports an error", "le disque signale une erreur")
}

/** Why a file cannot be written, from what the system said; the platform's own words where it said nothing known. */
export const diskProblem = (error: { readonly message: string }): Text => {
  let cause: unknown = error
  for (let depth = 0; depth < 4 && Predicate.isObject(cause); depth++) {
    const known = "code" in cause && typeof cause.code === "string" ? SAID[cause.code] : undefined
    if (known !== undefined) return known
    cause = "reason" in cause ? cause.reason : "cause" in cause ? cause.cause : undefined
  }
  return text(error.message, error.message)
}
