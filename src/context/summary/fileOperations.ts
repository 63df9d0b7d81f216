/**
 * Which files the summarised work read and changed, over all compactions so far (seed 001, "Contexte des opérations sur
 * fichiers"). Pure.
 */
import { Option, Predicate, Schema } from "effect"
import type { Message } from "../../domain/message.ts"
import { isKnownEntry, type AnyEntry } from "../../sessions/checkEntry.ts"

export interface FileLists {
  /** Without those that were changed too. */
  readonly readFiles: ReadonlyArray<string>
  readonly modifiedFiles: ReadonlyArray<string>
}

type Operation = "read" | "modified"

const TOOLS: ReadonlyMap<string, Operation> = new Map([
  ["Read", "read"],
  ["Write", "modified"],
  ["Edit", "modified"]
])
/** The parameter, and the near names that calls may have. */
const PATH_NAMES = ["path", "file_path", "filePath", "file"] as const

const decodeArguments = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** Collects paths; the order in which they came is kept, the latest use counts. */
export class FileOperations {
  private readonly byPath = new Map<string, Operation>()

  /** Lists of an earlier compaction or branch summary, unless an extension wrote it. */
  addEntry(entry: AnyEntry | undefined): void {
    if (entry === undefined || !isKnownEntry(entry)) return
    if (entry.type !== "compaction" && entry.type !== "branch_summary") return
    if (entry.fromExtension === true || entry.details === undefined) return
    for (const path of entry.details.readFiles) this.add(path, "read")
    for (const path of entry.details.modifiedFiles) this.add(path, "modified")
  }

  /** Calls that were refused or failed touched nothing. */
  addMessages(messages: ReadonlyArray<Message>): void {
    const failed = new Set<string>()
    for (const message of messages) if (message.role === "tool" && message.isError) failed.add(message.toolCallId)
    for (const message of messages) {
      if (message.role !== "assistant") continue
      for (const call of message.toolCalls) {
        const operation = TOOLS.get(call.name)
        if (operation === undefined || failed.has(call.id)) continue
        const input = Option.getOrElse(decodeArguments(call.arguments), (): Record<string, unknown> => ({}))
        const path = PATH_NAMES.map((name) => input[name]).find(Predicate.isString)
        if (path !== undefined && path !== "") this.add(path, operation)
      }
    }
  }

  get lists(): FileLists {
    const of = (wanted: Operation) =>
      [...this.byPath].filter(([, operation]) => operation === wanted).map(([path]) => path)
    return { readFiles: of("read"), modifiedFiles: of("modified") }
  }

  private add(path: string, operation: Operation): void {
    const before = this.byPath.get(path)
    this.byPath.delete(path)
    this.byPath.set(path, before === "modified" ? "modified" : operation)
  }
}

/** Paths shown in a summary; the entry's details keep all of them. */
const SHOWN = 100

/** Tags for the end of a summary; empty where no file was touched. `shown` paths of each list at most, the latest ones. */
export const fileTags = ({ readFiles, modifiedFiles }: FileLists, shown = SHOWN): string =>
  tag("read-files", readFiles, shown) + tag("modified-files", modifiedFiles, shown)

const tag = (name: string, paths: ReadonlyArray<string>, shown: number): string => {
  if (paths.length === 0) return ""
  const left = Math.max(0, paths.length - shown)
  const lines = left > 0 ? [`(and ${left} earlier ones)`] : []
  return `\n\n<${name}>\n${[...lines, ...paths.slice(left).map(oneLine)].join("\n")}\n</${name}>`
}

/** A path is data: it must not look like the end of the list. */
const oneLine = (path: string): string => path.replaceAll(/[\p{Cc}<>]/gu, "?").toWellFormed()

const TAGS = /\s*<(read-files|modified-files)>[\s\S]*?<\/\1>/g

/** A summary without its file tags: they are made anew each time, a model must not copy them. */
export const withoutFileTags = (summary: string): string => summary.replaceAll(TAGS, "").trim()
