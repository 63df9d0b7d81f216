/**
 * Draws a store as plain lines that are never drawn over (spec 07, `MAIA_A11Y`, `TERM=dumb`): finished items, one line when
 * something begins, each question once. Knows no terminal: it is given what writes.
 */
import type { LiveTool, Question, UiState } from "../store/state.ts"
import type { UiStore } from "../store/UiStore.ts"
import { safeLine } from "../text/safeText.ts"
import { toolSubject } from "../text/toolTitle.ts"
import type { Looks } from "../views/looks.ts"
import { logLines } from "../views/logItem.ts"
import * as phrases from "../views/phrases.ts"
import { questionText } from "./questionText.ts"

const PROMPT = "> "

export class Printer {
  private readonly write: (text: string) => void
  private readonly looks: Looks
  private printed = 0
  /** What was told of the running turn. */
  private turn: number | undefined
  private tools = new Set<string>()
  private waiting: string | undefined
  private question: Question | undefined
  private hint: string | undefined
  /** The prompt is the last thing that was written. */
  private prompted = false

  constructor(store: UiStore, looks: Looks, write: (text: string) => void) {
    this.write = write
    this.looks = looks
    const print = (): void => this.print(store.getSnapshot())
    store.subscribe(print)
    print()
  }

  /** The user has ended a line: what comes next begins on a new one. */
  lineEnded(): void {
    this.prompted = false
  }

  private print(state: UiState): void {
    const lines = [...this.items(state), ...this.beginnings(state), ...this.asked(state)]
    if (lines.length > 0) {
      this.write(`${this.prompted ? "\n" : ""}${lines.join("\n")}\n`)
      this.prompted = false
    }
    // The shell's prompt begins a line of its own.
    if (this.prompted && state.closed) {
      this.write("\n")
      this.prompted = false
    }
    if (this.prompted || state.closed || !(state.listening || state.question !== undefined)) return
    this.write(PROMPT)
    this.prompted = true
  }

  private view(state: UiState) {
    return { width: Math.max(20, state.size.columns), language: state.language, ...this.looks }
  }

  private items(state: UiState): ReadonlyArray<string> {
    const fresh = state.items.slice(this.printed)
    this.printed = state.items.length
    // What the user typed is on the screen already.
    return fresh.flatMap((item) => {
      if (item.type === "user" && !item.steering) return []
      // A picture is noise to who hears it.
      if (item.type === "banner") return [`Maia ${item.version}`, safeLine(item.folder)]
      return ["", ...logLines(item, this.view(state))]
    })
  }

  private beginnings({ hint, language, turn, waiting }: UiState): ReadonlyArray<string> {
    const lines: Array<string> = []
    if (turn?.startedAt !== this.turn && turn !== undefined) lines.push(`${phrases.thinking[language]} …`)
    this.turn = turn?.startedAt
    if (turn === undefined) this.tools = new Set()
    for (const tool of turn?.tools ?? []) {
      if (tool.phase !== "running" || this.tools.has(tool.id)) continue
      this.tools.add(tool.id)
      lines.push(toolLine(tool, language))
    }
    if (waiting !== undefined && waiting !== this.waiting) lines.push(`${safeLine(waiting)} …`)
    this.waiting = waiting
    if (hint !== undefined && hint.text !== this.hint) lines.push(hint.text)
    this.hint = hint?.text
    return lines
  }

  private asked(state: UiState): ReadonlyArray<string> {
    const { question } = state
    if (question === this.question) return []
    this.question = question
    return question === undefined ? [] : ["", ...questionText(question, this.view(state))]
  }
}

const toolLine = ({ input, name }: LiveTool, language: UiState["language"]): string => {
  const { name: shown, subject } = toolSubject(name, input, language)
  return `${shown} ${subject} …`
}
