/**
 * The list of candidates as it is drawn (spec 07 "Input"): a window of rows around the selected one, labels in a column,
 * details behind them. Pure; colours are the view's.
 */
import { cellWidth, truncate } from "../../text/width.ts"
import type { CompletionState } from "../inputState.ts"
import type { Candidate } from "./candidate.ts"

export interface PopupSpan {
  readonly kind: "label" | "matched" | "detail"
  readonly text: string
}

export interface PopupRow {
  readonly selected: boolean
  /** Together at most as wide as the box. */
  readonly spans: ReadonlyArray<PopupSpan>
}

export interface Popup {
  readonly rows: ReadonlyArray<PopupRow>
  /** Candidates that cannot be seen. */
  readonly above: number
  readonly below: number
}

/** Cells between label and detail. */
const GAP = 2
/** Share of the box that labels may take where there are details. */
const LABELS = 0.6

/** No rows: nothing is drawn. */
export const popupOf = (
  { candidates, selected }: CompletionState,
  { height, width }: { readonly width: number; readonly height: number }
): Popup => {
  const rows = Math.max(1, Math.min(height, candidates.length))
  const above = Math.max(0, Math.min(selected - Math.floor(rows / 2), candidates.length - rows))
  const visible = candidates.slice(above, above + rows)
  const hasDetails = visible.some(({ detail }) => detail !== undefined && detail !== "")
  const most = hasDetails ? Math.max(8, Math.floor(width * LABELS)) : width
  const column = Math.min(most, Math.max(0, ...visible.map(({ label }) => cellWidth(label))))
  return {
    rows: visible.map((candidate, at) => ({
      selected: above + at === selected,
      spans: [...labelSpans(candidate, Math.min(column, width)), ...detailSpans(candidate, column, width)]
    })),
    above,
    below: candidates.length - above - visible.length
  }
}

/** Of a path that is too long, the end says more than the beginning. */
const labelSpans = ({ label, matched }: Candidate, width: number): ReadonlyArray<PopupSpan> => {
  if (cellWidth(label) > width) {
    return [{ kind: "label", text: truncate(label, width, label.includes("/") ? "start" : "end") }]
  }
  const marks = new Set(matched)
  const spans: Array<{ readonly kind: PopupSpan["kind"]; text: string }> = []
  for (let at = 0; at < label.length; at++) {
    const kind = marks.has(at) ? "matched" : "label"
    const last = spans.at(-1)
    if (last?.kind === kind) last.text += label.charAt(at)
    else spans.push({ kind, text: label.charAt(at) })
  }
  return spans
}

const detailSpans = ({ detail, label }: Candidate, column: number, width: number): ReadonlyArray<PopupSpan> => {
  const room = width - column - GAP
  if (detail === undefined || detail === "" || room < 4) return []
  const blanks = " ".repeat(Math.max(0, column - cellWidth(label)) + GAP)
  return [{ kind: "detail", text: blanks + truncate(detail, room) }]
}
