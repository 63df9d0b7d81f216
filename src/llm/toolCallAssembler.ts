/**
 * Puts tool calls together from their pieces (spec 01). Pure. Calls are given out as they arrive (start, deltas) and once
 * more at the end, whole: nothing may run before that end. What a call lacks is said in its `problem`.
 */
import type { LlmEvent } from "../domain/llm.ts"
import { cut } from "../domain/text.ts"
import type { ToolCall, ToolCallProblem } from "../domain/message.ts"
import type { CallDelta } from "./callDelta.ts"
import { begins, isFragment, mergeName, nameAgain, sameIdNewIndex, type CallSoFar } from "./callRules.ts"
import { JsonScan } from "./jsonScan.ts"
import { RunawayGuard } from "./runawayGuard.ts"
import { parseJson, type Fields } from "./wire.ts"

export interface AssemblerOptions {
  /** Names of the declared tools: they tell a name that is repeated from one that comes in pieces. */
  readonly declared: ReadonlySet<string>
  /** An id for a call that came without one. */
  readonly newId: (n: number) => string
}

/** How the answer ended, as far as its calls are concerned. */
export interface CallsEnding {
  /** The server said that the output limit was reached: the last call is cut, however whole it looks (A12). */
  readonly cut: boolean
}

interface OpenCall extends Omit<CallSoFar, "scan"> {
  readonly order: number
  readonly guard: RunawayGuard
  scan: JsonScan
  id: string
  name: string
  args: string
  extra: Fields | undefined
  functionExtra: Fields | undefined
  started: boolean
  /** Arguments came before the name, or are a `{}` that may be a placeholder: to be given when that is known. */
  pending: string
  again: boolean
  /** Id made up for a call that had none when it was first shown; the server's own wins when it comes later. */
  madeUpId: string
  runaway: string | undefined
}

/** Characters of a runaway call that the repair message can use. */
const RUNAWAY_SAMPLE = 2000

export class ToolCallAssembler {
  readonly #options: AssemblerOptions
  readonly #emit: (event: LlmEvent) => void
  readonly #calls: Array<OpenCall> = []
  readonly #byIndex = new Map<number, OpenCall>()
  readonly #byId = new Map<string, OpenCall>()
  #open: OpenCall | undefined

  constructor(options: AssemblerOptions, emit: (event: LlmEvent) => void) {
    this.#options = options
    this.#emit = emit
  }

  /** Calls that have begun. */
  get count(): number {
    return this.#calls.length
  }

  /** True when the arguments have run away and the generation must end. */
  push(delta: CallDelta): boolean {
    if (isEmpty(delta)) return false
    const call = this.#route(delta)
    this.#open = call
    if (delta.index !== undefined) this.#byIndex.set(delta.index, call)
    if (call.id === "" && delta.id !== "") call.id = delta.id
    if (delta.id !== "") this.#byId.set(delta.id, call)
    call.name = mergeName(call.name, delta.name, this.#options.declared)
    if (delta.extra !== undefined) call.extra = { ...call.extra, ...delta.extra }
    if (delta.functionExtra !== undefined) call.functionExtra = { ...call.functionExtra, ...delta.functionExtra }
    this.#append(call, delta)
    return call.runaway !== undefined
  }

  /** The whole calls, in the order they began. */
  end(ending: CallsEnding): void {
    const used = new Set<string>()
    for (const call of this.#calls) {
      this.#start(call)
      this.#flush(call)
      const isLast = call === this.#calls.at(-1)
      this.#emit({ type: "tool-call-end", index: call.order, call: this.#whole(call, ending.cut && isLast, used) })
    }
  }

  #route(delta: CallDelta): OpenCall {
    const { declared } = this.#options
    const known = delta.id === "" ? undefined : this.#byId.get(delta.id)
    const onIndex = delta.index === undefined ? (known ?? this.#open) : this.#byIndex.get(delta.index)
    // Where index and id point at different calls, the id is right.
    const candidate = onIndex !== undefined && onIndex.id !== "" ? (known ?? onIndex) : onIndex
    if (candidate === undefined) {
      if (isFragment(delta) && this.#open !== undefined) return this.#open
      if (known !== undefined && sameIdNewIndex(known, delta)) return known
      return this.#begin()
    }
    if (candidate.again && delta.name === "" && delta.args !== "") {
      const second = this.#begin()
      second.name = candidate.name
      return second
    }
    if (begins(candidate, delta, declared)) return this.#begin()
    if (delta.id === "" && nameAgain(candidate, delta)) candidate.again = true
    return candidate
  }

  #begin(): OpenCall {
    const call: OpenCall = {
      order: this.#calls.length,
      guard: new RunawayGuard(),
      scan: new JsonScan(),
      id: "",
      name: "",
      args: "",
      extra: undefined,
      functionExtra: undefined,
      started: false,
      pending: "",
      again: false,
      madeUpId: "",
      runaway: undefined
    }
    this.#calls.push(call)
    return call
  }

  #append(call: OpenCall, delta: CallDelta): void {
    const piece = newPart(call, delta)
    if (piece !== "") {
      if (call.args === "{}" && piece.trimStart().startsWith("{")) {
        // Some servers open a call with an empty object and stream the real arguments after it.
        call.args = ""
        call.pending = ""
        call.scan = new JsonScan()
      }
      call.args += piece
      call.scan.feed(piece)
      call.pending += piece
      call.runaway = call.guard.push(piece)
    }
    if (call.name === "") return
    if (!call.started && (call.args !== "" || this.#isSettled(call.name))) this.#start(call)
    if (call.started && call.args !== "{}") this.#flush(call)
  }

  /** A declared name that is not the beginning of another one. */
  #isSettled(name: string): boolean {
    if (!this.#options.declared.has(name)) return false
    for (const other of this.#options.declared) if (other !== name && other.startsWith(name)) return false
    return true
  }

  #start(call: OpenCall): void {
    if (call.started) return
    call.started = true
    if (call.id === "") call.madeUpId = this.#options.newId(call.order)
    this.#emit({ type: "tool-call-start", index: call.order, id: call.id || call.madeUpId, name: call.name })
  }

  #flush(call: OpenCall): void {
    if (call.pending === "") return
    this.#emit({ type: "tool-call-delta", index: call.order, delta: call.pending })
    call.pending = ""
  }

  #whole(call: OpenCall, wasCut: boolean, used: Set<string>): ToolCall {
    const given = call.id || call.madeUpId
    const id = used.has(given) ? `${given}_${call.order}` : given
    used.add(id)
    const args = call.args.trim()
    const isNone = args === "" || args === "null"
    const problem = problemOf(call, wasCut, isNone || parseJson(args) !== undefined)
    return {
      id,
      name: call.name,
      arguments: problem !== undefined || isNone ? "{}" : args,
      ...(problem === undefined ? {} : { problem }),
      ...(call.extra === undefined ? {} : { extra: call.extra }),
      ...(call.functionExtra === undefined ? {} : { functionExtra: call.functionExtra })
    }
  }
}

/** Neither id, name, arguments nor anything to keep: an entry that only opens a place. */
const isEmpty = (delta: CallDelta): boolean =>
  isFragment(delta) && delta.args === "" && delta.extra === undefined && delta.functionExtra === undefined

/** What a piece adds: servers repeat the arguments whole at the end, or send all of them so far each time. */
const newPart = (call: OpenCall, delta: CallDelta): string => {
  const { args } = delta
  if (args === "" || call.args === "" || call.args === "{}") return args === call.args ? "" : args
  if (delta.whole) return ""
  if (args.length < call.args.length || !args.startsWith("{")) return isRepeat(call, args) ? "" : args
  if (args.startsWith(call.args)) return args.slice(call.args.length)
  return isRepeat(call, args) ? "" : args
}

/** The same value once more, perhaps spaced otherwise. A short piece is not looked at, so that the work stays linear. */
const isRepeat = (call: OpenCall, args: string): boolean => {
  if (call.scan.state !== "complete" || args.length * 3 < call.args.length || !args.trimStart().startsWith("{"))
    return false
  const [before, after] = [parseJson(call.args), parseJson(args)]
  return before !== undefined && after !== undefined && JSON.stringify(before) === JSON.stringify(after)
}

const problemOf = (call: OpenCall, wasCut: boolean, isValid: boolean): ToolCallProblem | undefined => {
  const problem = (kind: ToolCallProblem["kind"], detail: string, received = call.args): ToolCallProblem => ({
    kind,
    detail,
    received
  })
  if (call.runaway !== undefined) {
    const sample = cut(call.args, RUNAWAY_SAMPLE)
    return problem("runaway", `The generation was stopped because ${call.runaway}; nothing was run.`, sample)
  }
  if (wasCut || (!isValid && call.scan.state === "open")) {
    return problem(
      "cut",
      "The call was cut at the output token limit before it was complete; nothing was run. Send less in one call."
    )
  }
  if (!isValid) return problem("malformed", "The arguments are not valid JSON; nothing was run.")
  if (call.name === "") return problem("no-name", "The call has no tool name; nothing was run.")
  return undefined
}
