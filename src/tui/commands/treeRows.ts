/** The points of a session's tree that a person can go to: each request, and the end of each branch. Pure. */
import type { UserMessage } from "../../domain/message.ts"
import { isKnownEntry, type AnyEntry } from "../../sessions/checkEntry.ts"

export interface RequestPoint {
  readonly id: string
  readonly message: UserMessage
  /** The entry before it and the context that was added for it; `null` stands before the first one. */
  readonly before: string | null
}

export type TreeRow = {
  /** The request's entry, or the last one of the branch. */
  readonly id: string
  /** Where choosing it leads. */
  readonly target: string | null
  /** Branches to the left of it. */
  readonly lane: number
  /** It is on the way to where the conversation stands. */
  readonly isCurrent: boolean
} & (
  | { readonly kind: "request"; readonly message: UserMessage }
  /** The last entry of a branch. */
  | { readonly kind: "end"; readonly text: string }
)

const typedMessage = (entry: AnyEntry): UserMessage | undefined =>
  isKnownEntry(entry) && entry.type === "message" && entry.message.role === "user" && entry.message.origin === undefined
    ? entry.message
    : undefined

/** Requests that the user typed, in the order of the path. */
export const requestsOf = (path: ReadonlyArray<AnyEntry>): ReadonlyArray<RequestPoint> =>
  path.flatMap((entry, at) => {
    const message = typedMessage(entry)
    if (message === undefined) return []
    let before = at - 1
    while (before >= 0 && path[before]?.type === "pending_context") before--
    return [{ id: entry.id, message, before: path[before]?.id ?? null }]
  })

/** In order of the tree: a branch follows the request it leaves from. */
export const treeRows = (entries: ReadonlyArray<AnyEntry>, path: ReadonlyArray<AnyEntry>): ReadonlyArray<TreeRow> => {
  const nodes = entries.filter(({ type }) => type !== "leaf" && type !== "label" && type !== "session_info")
  const known = new Map(nodes.map((entry) => [entry.id, entry]))
  const children = new Map<string, Array<AnyEntry>>()
  for (const entry of nodes) {
    const parent = known.has(entry.parentId) ? entry.parentId : ""
    children.set(parent, [...(children.get(parent) ?? []), entry])
  }
  const current = new Set(path.map(({ id }) => id))
  const rows: Array<TreeRow> = []
  /** Not recursive: a session may be thousands of entries deep. */
  const open: Array<{ readonly entry: AnyEntry; readonly lane: number }> = (children.get("") ?? [])
    .map((entry, at) => ({ entry, lane: at }))
    .reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { entry, lane } = next
    const message = typedMessage(entry)
    const isCurrent = current.has(entry.id)
    if (message !== undefined) {
      rows.push({ id: entry.id, kind: "request", message, lane, isCurrent, target: targetBefore(entry, known) })
    }
    const below = children.get(entry.id) ?? []
    if (below.length === 0 && !(isCurrent && path.at(-1)?.id === entry.id)) {
      rows.push({ id: entry.id, kind: "end", text: endText(entry, known), lane, isCurrent, target: entry.id })
    }
    // The branch that goes on is shown last, so that the others stand beside it.
    for (const [at, child] of [...below.entries()].reverse()) open.push({ entry: child, lane: lane + at })
  }
  return rows
}

const targetBefore = (request: AnyEntry, known: ReadonlyMap<string, AnyEntry>): string | null => {
  let before = known.get(request.parentId)
  while (before?.type === "pending_context") before = known.get(before.parentId)
  return before?.id ?? null
}

/** What was said last on the way to the entry. */
const endText = (leaf: AnyEntry, known: ReadonlyMap<string, AnyEntry>): string => {
  for (let entry: AnyEntry | undefined = leaf; entry !== undefined; entry = known.get(entry.parentId)) {
    if (isKnownEntry(entry) && entry.type === "message" && entry.message.text !== "") return entry.message.text
  }
  return ""
}
