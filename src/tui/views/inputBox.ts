/** The input between its dashed borders (MAIA §15.5), with its list of candidates. Pure. */
import { popupOf, type PopupSpan } from "../input/completion/popup.ts"
import { layoutInput } from "../input/layout.ts"
import type { Span } from "../input/layout.ts"
import type { Text } from "../../domain/text.ts"
import type { Language, UiState } from "../store/state.ts"
import type { Theme } from "../text/theme.ts"
import { cellWidth, truncate } from "../text/width.ts"
import type { Part } from "./live.ts"
import * as phrases from "./phrases.ts"

const BORDER = "┈"
/** Cells of the prompt. */
const PROMPT = 2
/** Rows of the list of candidates. */
const LIST_ROWS = 8

/** Columns and most rows of the text. */
export const inputBox = (size: UiState["size"]): { readonly width: number; readonly height: number } => ({
  width: Math.max(4, size.columns - PROMPT),
  height: Math.max(1, Math.min(12, Math.floor(size.rows / 3)))
})

export const inputPart = (state: UiState, room: number, theme: Theme): Part => {
  const { input, language, size } = state
  const width = size.columns
  const placeholder = fitting(helpFor(state), inputBox(size).width, language)
  const { content, cursor } = input.buffer
  const laid = layoutInput(content, cursor, { ...inputBox(size), language, top: input.top, placeholder })
  const border = theme.accent(BORDER.repeat(width))
  const rows = laid.rows.map((spans, at) => {
    const prompt = at === 0 && laid.top === 0 ? `${theme.accent("▸")} ` : "  "
    return prompt + spans.map((span) => drawn(span, theme)).join("")
  })
  const lines = [topBorder(state, border, theme), ...rows, border]
  return {
    lines: [...lines, ...candidateLines(state, Math.max(0, room - lines.length), theme)],
    cursor: { x: PROMPT + laid.cursor.column, y: 1 + laid.cursor.row }
  }
}

/** What the keys do now. */
const helpFor = ({ queue, turn, waiting }: UiState): ReadonlyArray<Text> => {
  if (turn === undefined && waiting === undefined) return phrases.inputHelp
  if (queue.length > 0) return phrases.queuedHelp
  return turn === undefined ? phrases.waitingHelp : phrases.steerHelp
}

/** The first that has room, else the last; the caret needs a cell too. */
const fitting = (helps: ReadonlyArray<Text>, width: number, language: Language): string => {
  const said = helps.map((help) => help[language])
  return said.find((help) => cellWidth(help) < width) ?? said.at(-1) ?? ""
}

const drawn = ({ kind, text }: Span, theme: Theme): string =>
  kind === "text" ? text : kind === "token" ? theme.link(text) : theme.dim(text)

/** While searching the border says what for. */
const topBorder = ({ input, language, size }: UiState, border: string, theme: Theme): string =>
  input.search === undefined
    ? border
    : theme.accent(
        truncate(
          `${BORDER}${BORDER} ${phrases.search(input.search.query)[language]} ${BORDER.repeat(size.columns)}`,
          size.columns
        )
      )

const candidateLines = ({ input, size }: UiState, room: number, theme: Theme): ReadonlyArray<string> => {
  const list = input.completion
  if (list === undefined || list.candidates.length === 0 || room <= 0) return []
  const popup = popupOf(list, { width: size.columns - PROMPT, height: Math.min(LIST_ROWS, room) })
  return popup.rows.map(({ selected, spans }) => {
    const line = spans.map(({ kind, text }) => popupSpan(kind, text, selected, theme)).join("")
    return `${selected ? theme.accent("❯") : " "} ${line}`
  })
}

const popupSpan = (kind: PopupSpan["kind"], text: string, selected: boolean, theme: Theme): string => {
  if (kind === "detail") return theme.dim(text)
  const label = kind === "matched" ? theme.underline(text) : text
  return selected ? theme.strong(label) : label
}
