/**
 * The entries of one session in memory: all of them in file order, by id, and the path from the first one to the leaf. Adding
 * costs the same however long the session is. Pure: no files, no services.
 */
import type { SessionHeader } from "../domain/entry.ts"
import { isKnownEntry, type AnyEntry } from "./checkEntry.ts"

/** These say something about the session and are no part of the conversation: they do not move the leaf. */
const isAside = (type: string): boolean => type === "leaf" || type === "label" || type === "session_info"

export class SessionTree {
  private readonly all: Array<AnyEntry> = []
  private readonly byId = new Map<string, AnyEntry>()
  private readonly labelled = new Map<string, string>()
  private leafId: string | null = null
  private line: Array<AnyEntry> = []
  private lineIsStale = false
  readonly rootId: string

  constructor(header: SessionHeader) {
    this.rootId = header.id
  }

  /** In file order; grows in place. */
  get entries(): ReadonlyArray<AnyEntry> {
    return this.all
  }

  get labels(): ReadonlyMap<string, string> {
    return this.labelled
  }

  /** Where the next entry goes; `null` stands before the first one. */
  get leaf(): string | null {
    return this.leafId
  }

  /** What the next entry has for `parentId`. */
  get parentForNext(): string {
    return this.leafId ?? this.rootId
  }

  has(id: string): boolean {
    return this.byId.has(id)
  }

  get(id: string): AnyEntry | undefined {
    return this.byId.get(id)
  }

  /** From the first entry to the leaf; grows in place until the leaf moves. */
  get path(): ReadonlyArray<AnyEntry> {
    if (this.lineIsStale) {
      this.line = this.pathTo(this.leafId)
      this.lineIsStale = false
    }
    return this.line
  }

  /** From the first entry to the given one. */
  pathTo(id: string | null): Array<AnyEntry> {
    const found: Array<AnyEntry> = []
    let entry = id === null ? undefined : this.byId.get(id)
    while (entry !== undefined) {
      found.push(entry)
      entry = this.byId.get(entry.parentId)
    }
    return found.reverse()
  }

  /** The entry's parent must be here already, or be the header: that makes a cycle impossible. */
  add(entry: AnyEntry): void {
    this.all.push(entry)
    this.byId.set(entry.id, entry)
    if (isAside(entry.type)) return this.note(entry)
    const follows = entry.parentId === this.parentForNext
    this.leafId = entry.id
    if (follows && !this.lineIsStale) this.line.push(entry)
    else this.lineIsStale = true
  }

  private note(entry: AnyEntry): void {
    if (!isKnownEntry(entry)) return
    if (entry.type === "leaf") {
      if (entry.targetId !== null && !this.byId.has(entry.targetId)) return
      if (entry.targetId === this.leafId) return
      this.leafId = entry.targetId
      this.lineIsStale = true
    } else if (entry.type === "label") {
      if (entry.label === null) this.labelled.delete(entry.targetId)
      else this.labelled.set(entry.targetId, entry.label)
    }
  }
}
