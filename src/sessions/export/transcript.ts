/**
 * The path of a session as what a reader sees: requests, answers, calls with their results, notes. Pure, and free of any
 * markup: the writers of each format do that.
 */
import type { SessionHeader } from "../../domain/entry.ts"
import type { Attachment, ToolCall, ToolMessage } from "../../domain/message.ts"
import { text, type Text } from "../../domain/text.ts"
import { isKnownEntry, type AnyEntry } from "../checkEntry.ts"

/** What an export shows. */
export interface Exportable {
  readonly name: string
  readonly header: SessionHeader
  /** From the first entry to the leaf. */
  readonly path: ReadonlyArray<AnyEntry>
}

export type Block =
  | {
      readonly kind: "user"
      readonly time: string
      readonly text: string
      /** Not typed by the user, but added for the model. */
      readonly added: boolean
      readonly attachments: ReadonlyArray<Attachment>
    }
  | {
      readonly kind: "assistant"
      readonly time: string
      readonly text: string
      readonly reasoning: string
      readonly model: string
      readonly error: string
    }
  | {
      readonly kind: "tool"
      readonly time: string
      readonly name: string
      /** Indented JSON, or what was received where it was none. */
      readonly input: string
      /** Undefined when there is none. */
      readonly result: string | undefined
      readonly isError: boolean
    }
  | { readonly kind: "note"; readonly time: string; readonly title: Text; readonly text: string }

/** Everything but line ends and tabs that a terminal or a browser would act upon. */
const ESCAPES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Text without terminal escapes, control characters and half surrogates. */
export const readable = (value: string): string => value.replace(/\r\n/g, "\n").replace(ESCAPES, "").toWellFormed()

const indented = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

const note = (time: string, title: Text, body = ""): Block => ({ kind: "note", time, title, text: readable(body) })

const toolBlock = (time: string, call: ToolCall, result: ToolMessage | undefined): Block => ({
  kind: "tool",
  time,
  name: readable(call.name),
  input: readable(call.problem === undefined ? indented(call.arguments) : call.problem.received),
  result: result === undefined ? undefined : readable(result.text),
  isError: result?.isError ?? false
})

/** For each assistant entry, the results of its calls, in call order. Ids may be used again later on. */
const resultsOf = (path: ReadonlyArray<AnyEntry>): ReadonlyMap<string, ReadonlyArray<ToolMessage | undefined>> => {
  const found = new Map<string, Array<ToolMessage | undefined>>()
  let calls: ReadonlyArray<ToolCall> = []
  let results: Array<ToolMessage | undefined> = []
  for (const entry of path) {
    if (!isKnownEntry(entry) || entry.type !== "message") continue
    const { message } = entry
    if (message.role === "assistant") {
      calls = message.toolCalls
      results = calls.map(() => undefined)
      found.set(entry.id, results)
    } else if (message.role === "tool") {
      const index = calls.findIndex((call, at) => call.id === message.toolCallId && results[at] === undefined)
      if (index >= 0) results[index] = message
    }
  }
  return found
}

const blocksOf = (entry: AnyEntry, results: ReadonlyArray<ToolMessage | undefined>): ReadonlyArray<Block> => {
  if (!isKnownEntry(entry)) return []
  const { time } = entry
  switch (entry.type) {
    case "message": {
      const { message } = entry
      if (message.role === "tool") return []
      if (message.role === "user") {
        const attachments = message.attachments ?? []
        return [{ kind: "user", time, text: readable(message.text), added: message.origin !== undefined, attachments }]
      }
      const answer: Block = {
        kind: "assistant",
        time,
        text: readable(message.text),
        reasoning: readable(message.reasoning?.text ?? ""),
        model: readable(message.model ?? ""),
        error: readable(message.error ?? "")
      }
      const calls = message.toolCalls.map((call, index) => toolBlock(time, call, results[index]))
      return answer.text === "" && answer.reasoning === "" && answer.error === "" ? calls : [answer, ...calls]
    }
    case "custom_message":
      return entry.display === false
        ? []
        : [{ kind: "user", time, text: readable(entry.text), added: true, attachments: [] }]
    case "pending_context":
      return [{ kind: "user", time, text: readable(entry.text), added: true, attachments: entry.attachments ?? [] }]
    case "compaction":
      return [note(time, text("Context compacted", "Contexte compacté"), entry.summary)]
    case "branch_summary":
      return [note(time, text("Summary of another branch", "Résumé d'une autre branche"), entry.summary)]
    case "model_change":
      return [note(time, text(`Model: ${readable(entry.model)}`, `Modèle : ${readable(entry.model)}`))]
    case "clear":
      return [note(time, text("Context cleared", "Contexte vidé"))]
    default:
      return []
  }
}

export const toBlocks = ({ header, path }: Exportable): ReadonlyArray<Block> => {
  const results = resultsOf(path)
  const blocks = path.flatMap((entry) => blocksOf(entry, results.get(entry.id) ?? []))
  return header.startContext === undefined
    ? blocks
    : [note(header.time, text("Starting context", "Contexte de départ"), header.startContext), ...blocks]
}
