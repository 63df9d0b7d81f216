/**
 * Cheap structural checks of session lines. They run once per line when a session opens, so they look at the types of the
 * fields that others rely on and at nothing deeper (spec 10: 5 000 messages under 200 ms). Pure.
 */
import { Predicate } from "effect"
import type { Entry, UnknownEntry } from "../domain/entry.ts"

/** Any line of a session: a known entry, or one kept as it is. */
export type AnyEntry = Entry | UnknownEntry

/**
 * Type under which a line of a known type with unusable fields is kept in memory. The line itself is in `original`, and that
 * is what a fork writes.
 */
export const MALFORMED = "malformed"

type Fields = Readonly<Record<string, unknown>>

const isText = Predicate.isString
const isList = Array.isArray as (value: unknown) => value is ReadonlyArray<unknown>
// `isObject` takes arrays for no objects; a line that passes is indexed by its field names only.
const isFields = (value: unknown): value is Fields => Predicate.isObject(value)

const optional =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || check(value)

const isAttachments = (value: unknown): boolean =>
  isList(value) && value.every((item) => isFields(item) && isText(item["mediaType"]) && isText(item["data"]))

const isToolCall = (value: unknown): boolean =>
  isFields(value) && isText(value["id"]) && isText(value["name"]) && isText(value["arguments"])

const isMessage = (value: unknown): boolean => {
  if (!isFields(value) || !isText(value["text"])) return false
  switch (value["role"]) {
    case "user":
      return optional(isAttachments)(value["attachments"])
    case "assistant": {
      const calls = value["toolCalls"]
      return isList(calls) && calls.every(isToolCall) && optional(isReasoning)(value["reasoning"])
    }
    case "tool":
      return (
        isText(value["toolCallId"]) &&
        isText(value["toolName"]) &&
        typeof value["isError"] === "boolean" &&
        optional(isAttachments)(value["attachments"])
      )
    default:
      return false
  }
}

const isReasoning = (value: unknown): boolean => isFields(value) && isText(value["text"]) && isText(value["field"])

const isPrunedResult = (value: unknown): boolean => isFields(value) && isText(value["entryId"]) && isText(value["text"])

const isTodo = (value: unknown): boolean => isFields(value) && isText(value["content"]) && isText(value["status"])

const isFileLists = (value: unknown): boolean =>
  isFields(value) &&
  [value["readFiles"], value["modifiedFiles"]].every((list) => isList(list) && list.every((file) => isText(file)))

const isTextOrNull = (value: unknown): boolean => value === null || isText(value)

const isTexts = (value: unknown): boolean => isList(value) && value.every((item) => isText(item))

const checks: Readonly<Record<Entry["type"], (entry: Fields) => boolean>> = {
  message: (entry) => isMessage(entry["message"]),
  model_change: (entry) => isText(entry["model"]),
  compaction: (entry) =>
    isText(entry["summary"]) &&
    isText(entry["firstKeptEntryId"]) &&
    typeof entry["tokensBefore"] === "number" &&
    optional(isFileLists)(entry["details"]),
  branch_summary: (entry) =>
    isText(entry["summary"]) && isText(entry["fromId"]) && optional(isFileLists)(entry["details"]),
  stream_rule_injection: (entry) => isTexts(entry["rules"]) && typeof entry["turn"] === "number",
  custom: (entry) => isText(entry["customType"]),
  custom_message: (entry) => isText(entry["customType"]) && isText(entry["text"]),
  label: (entry) => isText(entry["targetId"]) && isTextOrNull(entry["label"]),
  session_info: (entry) => isText(entry["name"]),
  pending_context: (entry) => isText(entry["text"]) && optional(isAttachments)(entry["attachments"]),
  todo: (entry) => {
    const items = entry["items"]
    return isList(items) && items.every(isTodo)
  },
  leaf: (entry) => isTextOrNull(entry["targetId"]),
  prune: (entry) => {
    const results = entry["results"]
    return isList(results) && results.every(isPrunedResult)
  },
  clear: () => true
}

const isKnownType = (type: string): type is Entry["type"] => Object.hasOwn(checks, type)

/** Whether this version knows the entry's type. What a loaded session holds under a known type has been checked. */
export const isKnownEntry = (entry: AnyEntry): entry is Entry => isKnownType(entry.type)

/** The line as an entry, `id`, `parentId`, `time` and `type` being given; unusable fields make it a `malformed` one. */
export const toEntry = (
  fields: Fields,
  base: { readonly id: string; readonly parentId: string; readonly time: string; readonly type: string }
): AnyEntry => {
  if (isKnownType(base.type) && !checks[base.type](fields)) {
    return { id: base.id, parentId: base.parentId, time: base.time, type: MALFORMED, original: { ...fields, ...base } }
  }
  // The checks above are what makes it an entry; the object keeps the fields that this version does not know.
  return { ...fields, ...base } as AnyEntry
}
