/** Words the shell expands (`.e*`, `id_?sa`) that are meant for a file with secrets (spec 03). Pure. */
import { mayOverlap } from "./overlap.ts"
import { RUN } from "./shell/words.ts"

/** Names that a glob may be meant for, with an asterisk for the rest. */
const GLOB_TARGETS = [".env", ".env.*", "id_*", "*.pem", "*.key", ".netrc", ".npmrc", ".ssh", ".aws", ".gnupg", ".maia"]

/** Whether a word that the shell expands spells out part of a secret file's name: `.e*`, `id_?sa`, `*.pem`. */
export const mayBeSecret = (shape: string): boolean => {
  const parts = shape.split("/").filter((part) => /[\uE000-\uE002]/.test(part) && /[^\uE000-\uE002]/.test(part))
  return parts.some((part) =>
    GLOB_TARGETS.some((target) => mayOverlap(part, target.replaceAll("*", RUN)) && sharesText(part, target))
  )
}

/** `a*` is not meant for `*.key`: what is spelled out at its start or end must be in the name. */
const sharesText = (part: string, target: string): boolean => {
  const start = /^[^\uE000-\uE002]*/.exec(part)?.[0] ?? ""
  const end = /[^\uE000-\uE002]*$/.exec(part)?.[0] ?? ""
  const [head = "", tail = ""] = target.includes("*") ? target.split("*") : [target, target]
  return (
    (start !== "" && head !== "" && (head.startsWith(start) || start.startsWith(head))) ||
    (end !== "" && tail !== "" && (tail.endsWith(end) || end.endsWith(tail)))
  )
}
