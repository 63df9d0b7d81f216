/**
 * Watches one answer while it streams (spec 05): the text, the thinking and each argument of each call are parts of their
 * own, decoded, and no match spans two of them. Pure and synchronous; linear in the stream. What to do about a match is
 * `RulePolicy`'s and the guard's.
 */
import type { LlmEvent } from "../domain/llm.ts"
import { ArgumentReader } from "./argumentReader.ts"
import type { OnMatch } from "./engine/automaton.ts"
import type { MatchCursor } from "./engine/RuleMatcher.ts"
import { watchesCall, watchesTool, type RuleSet } from "./RuleSet.ts"
import type { StreamRule } from "./rule.ts"
import { LONGEST_PATH } from "./scope.ts"

/** Where a match was found. */
export interface Place {
  readonly scope: "text" | "thinking" | "tool"
  readonly tool?: string
  /** The file that the call names. */
  readonly path?: string
  /** The argument, like `content` or `edits[].new`. */
  readonly key?: string
}

export interface RuleMatch extends Place {
  readonly rule: StreamRule
  /** UTF-16 units from the beginning of the part to the end of the match. */
  readonly offset: number
  /** Event of the batch that completed the match; the batch's length when its end did. */
  readonly event: number
  /** UTF-16 units of that event's own text up to the match; 0 unless it is text or thinking. */
  readonly units: number
  /** The part as far as it had come; only with `keepText`. */
  readonly text?: string
}

/** Takes one part as it arrives, and its end. */
export interface PartTap {
  readonly piece: (text: string) => void
  readonly end: () => void
}

/** Takes what rules with `engine: js` watch; they are judged elsewhere, and a match is told whenever it is found. */
export interface PartSink {
  readonly begin: (ids: ReadonlyArray<number>, found: OnMatch) => PartTap
  /** All that was watched so far is void. */
  readonly reset: () => void
}

export interface MonitorOptions {
  readonly rules: RuleSet
  /** Places in `rules` of those that may fire; all when absent. */
  readonly armed?: ReadonlyArray<number>
  readonly launchFolder: string
  readonly sink?: PartSink
  /** Hands the text of the part out with each match, which costs memory: for `maia rules test`. */
  readonly keepText?: boolean
}

/** Arguments that name the file a call is about. */
const PATH_KEYS = new Set(["path", "file_path", "filePath", "filename", "file", "notebook_path"])
/** What is to be replaced was there before: it is not the model's doing. */
const OLD_KEYS = new Set(["old", "edits[].old", "old_string", "edits[].old_string", "old_str", "old_text"])

interface Part {
  readonly cursor: MatchCursor | undefined
  readonly tap: PartTap | undefined
  /** Made once, as pieces are many. */
  readonly onMatch: OnMatch
  /** UTF-16 units before the event at hand. */
  before: number
  length: number
  readonly kept: Array<string> | undefined
}

/** A match in an argument. */
interface Found {
  readonly id: number
  readonly key: string
  readonly offset: number
  readonly text?: string
}

interface Call {
  readonly tool: string
  readonly reader: ArgumentReader
  received: boolean
  path: string | undefined
  isOpen: boolean
  /** Rules that concern it, once the file is named. */
  ids: ReadonlyArray<number> | undefined
  /** Matches of rules about files, found before the file was named. */
  waiting: Array<Found>
}

export class StreamRuleMonitor {
  private readonly options: MonitorOptions
  private readonly armed: ReadonlyArray<number>
  private readonly fired = new Set<number>()
  private readonly textIds: ReadonlyArray<number>
  private readonly thinkingIds: ReadonlyArray<number>
  private readonly toolIds = new Map<string, ReadonlyArray<number>>()
  private text: Part | undefined
  private thinking: Part | undefined
  private readonly calls = new Map<number, Call>()
  private matches: Array<RuleMatch> = []
  private event = 0

  constructor(options: MonitorOptions) {
    this.options = options
    this.armed = options.armed ?? options.rules.rules.map((_, id) => id)
    this.textIds = this.select((rule) => rule.scopes.some(({ kind }) => kind === "text"))
    this.thinkingIds = this.select((rule) => rule.scopes.some(({ kind }) => kind === "thinking"))
  }

  /** Each rule is told once per answer, at its first match. */
  pushAll(events: ReadonlyArray<LlmEvent>): ReadonlyArray<RuleMatch> {
    this.event = 0
    for (const event of events) {
      this.push(event)
      this.event++
    }
    return this.take()
  }

  /** The answer is complete: what depends on its end is decided. Calls that were not completed will not run. */
  end(): ReadonlyArray<RuleMatch> {
    this.event = 0
    this.closeProse()
    this.calls.clear()
    return this.take()
  }

  private take(): ReadonlyArray<RuleMatch> {
    const { matches } = this
    // What was handed out must not grow later: slow rules are told at any time.
    this.matches = []
    return matches
  }

  private push(event: LlmEvent): void {
    switch (event.type) {
      case "text-delta":
        if (this.textIds.length > 0) this.feed((this.text ??= this.open(this.textIds, { scope: "text" })), event.text)
        break
      case "reasoning-delta":
        if (this.thinkingIds.length === 0) break
        this.feed((this.thinking ??= this.open(this.thinkingIds, { scope: "thinking" })), event.text)
        break
      case "tool-call-start":
        this.closeProse()
        this.calls.set(event.index, this.openCall(event.name))
        break
      case "tool-call-delta": {
        const call = this.calls.get(event.index)
        if (call === undefined) break
        call.received = true
        call.reader.feed(event.delta)
        break
      }
      case "tool-call-end":
        this.endCall(event)
        break
      case "discard":
        this.reset()
        break
      default:
        break
    }
  }

  private feed(part: Part, text: string): void {
    part.before = part.length
    part.length += text.length
    part.kept?.push(text)
    part.cursor?.feed(text, part.onMatch)
    part.tap?.piece(text)
  }

  private open(ids: ReadonlyArray<number>, place: Place, call?: Call): Part {
    const kept: Array<string> | undefined = this.options.keepText === true ? [] : undefined
    const { rules, sink } = this.options
    const matcher = rules.matcher(ids)
    const slow = sink === undefined ? [] : ids.filter((id) => rules.rule(id)?.engine === "js")
    const found = (id: number, offset: number, units: number) => {
      const where = { offset, ...textOf(kept) }
      if (call === undefined) this.tell(id, { ...place, ...where, event: this.event, units })
      else this.matchedInCall(call, { id, key: place.key ?? "", ...where })
    }
    const foundLate: OnMatch = (id, offset) => {
      this.event = 0
      found(id, offset, 0)
    }
    const part: Part = {
      cursor: matcher.isEmpty ? undefined : matcher.begin(),
      tap: slow.length === 0 ? undefined : sink?.begin(slow, foundLate),
      onMatch: (id, offset) => found(id, offset, Math.max(0, offset - part.before)),
      before: 0,
      length: 0,
      kept
    }
    return part
  }

  private close(part: Part): void {
    part.before = part.length
    part.cursor?.end(part.onMatch)
    part.tap?.end()
  }

  private closeProse(): void {
    if (this.text !== undefined) this.close(this.text)
    if (this.thinking !== undefined) this.close(this.thinking)
    this.text = undefined
    this.thinking = undefined
  }

  private tell(id: number, found: Omit<RuleMatch, "rule">): void {
    const rule = this.options.rules.rule(id)
    if (rule === undefined || this.fired.has(id)) return
    this.fired.add(id)
    this.matches.push({ ...found, rule })
  }

  private openCall(tool: string): Call {
    let part: Part | undefined
    let path: string | undefined
    const call: Call = {
      tool,
      received: false,
      path: undefined,
      isOpen: true,
      ids: undefined,
      waiting: [],
      reader: new ArgumentReader({
        open: (key) => {
          if (PATH_KEYS.has(key)) path = ""
          const ids = OLD_KEYS.has(key) ? [] : this.idsOf(call)
          part = ids.length === 0 ? undefined : this.open(ids, this.placeOf(call, key), call)
        },
        piece: (decoded) => {
          if (path !== undefined && path.length < LONGEST_PATH) path += decoded
          if (part === undefined) return
          this.feed(part, decoded)
        },
        close: () => {
          if (path !== undefined) call.path ??= path
          path = undefined
          if (part !== undefined) this.close(part)
          part = undefined
          this.release(call)
        }
      })
    }
    return call
  }

  private endCall({ index, call: { name, arguments: json } }: LlmEvent & { readonly type: "tool-call-end" }): void {
    const call = this.calls.get(index) ?? this.openCall(name)
    // Some calls are known only as a whole.
    if (!call.received) call.reader.feed(json)
    call.isOpen = false
    this.release(call)
    this.calls.delete(index)
  }

  private matchedInCall(call: Call, found: Found): void {
    const { id, key, ...where } = found
    const rule = this.options.rules.rule(id)
    if (rule === undefined || this.fired.has(id)) return
    const verdict = watchesCall(rule, call, this.options.launchFolder)
    if (verdict === "unknown" && !call.waiting.some((other) => other.id === id)) call.waiting.push(found)
    if (verdict === "yes") this.tell(id, { ...where, ...this.placeOf(call, key), event: this.event, units: 0 })
  }

  /** Judges the matches that waited for the file's name, once it is known or cannot come any more. */
  private release(call: Call): void {
    if (call.waiting.length === 0 || (call.path === undefined && call.isOpen)) return
    const { waiting } = call
    call.waiting = []
    for (const found of waiting) this.matchedInCall(call, found)
  }

  private placeOf({ tool, path }: Call, key: string): Place {
    return { scope: "tool", tool, ...(path === undefined ? {} : { path }), key }
  }

  /** Rules that may concern the call, as far as is known. */
  private idsOf(call: Call): ReadonlyArray<number> {
    let ids = this.toolIds.get(call.tool)
    if (ids === undefined) {
      ids = this.select((rule) => watchesTool(rule, call.tool))
      this.toolIds.set(call.tool, ids)
    }
    if (call.path === undefined) return ids
    const { launchFolder, rules } = this.options
    return (call.ids ??= ids.filter((id) => {
      const rule = rules.rule(id)
      return rule !== undefined && watchesCall(rule, call, launchFolder) === "yes"
    }))
  }

  private select(wanted: (rule: StreamRule) => boolean): ReadonlyArray<number> {
    return this.armed.filter((id) => {
      const rule = this.options.rules.rule(id)
      return rule !== undefined && wanted(rule)
    })
  }

  private reset(): void {
    this.text = undefined
    this.thinking = undefined
    this.calls.clear()
    this.matches = []
    this.fired.clear()
    this.options.sink?.reset()
  }
}

const textOf = (kept: ReadonlyArray<string> | undefined): { readonly text?: string } =>
  kept === undefined ? {} : { text: kept.join("") }
