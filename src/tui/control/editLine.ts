/** Editing one line of an answer: what a reason, a URL or a name needs. Pure. */
import type { InputEvent } from "../input/inputEvent.ts"
import type { LineInput } from "../store/state.ts"

/** Undefined where the event does nothing here. */
export const editLine = (line: LineInput, event: InputEvent): LineInput | undefined => {
  if (event.type === "paste") return insert(line, event.text.replaceAll(/\s*\n\s*/g, " "))
  if (event.type !== "key") return undefined
  if (event.text !== undefined) return insert(line, event.text)
  const { cursor, text } = line
  const name = event.ctrl ? `ctrl+${event.name}` : event.name
  switch (name) {
    case "backspace":
    case "ctrl+h": {
      const from = lastBreak(text.slice(0, cursor))
      return { text: text.slice(0, from) + text.slice(cursor), cursor: from }
    }
    case "delete":
      return { text: text.slice(0, cursor) + text.slice(nextBreak(text, cursor)), cursor }
    case "left":
    case "ctrl+b":
      return { text, cursor: lastBreak(text.slice(0, cursor)) }
    case "right":
    case "ctrl+f":
      return { text, cursor: nextBreak(text, cursor) }
    case "home":
    case "ctrl+a":
      return { text, cursor: 0 }
    case "end":
    case "ctrl+e":
      return { text, cursor: text.length }
    case "ctrl+u":
      return { text: text.slice(cursor), cursor: 0 }
    case "ctrl+k":
      return { text: text.slice(0, cursor), cursor }
    case "ctrl+w": {
      const kept = text.slice(0, cursor).replace(/\S*\s*$/, "")
      return { text: kept + text.slice(cursor), cursor: kept.length }
    }
    default:
      return undefined
  }
}

const insert = ({ cursor, text }: LineInput, added: string): LineInput => ({
  text: text.slice(0, cursor) + added + text.slice(cursor),
  cursor: cursor + added.length
})

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Offset of the last grapheme of `before`. */
const lastBreak = (before: string): number => {
  let last = 0
  for (const { index } of graphemes.segment(before.slice(-200))) last = index
  return Math.max(0, before.length - 200) + last
}

/** Offset after the grapheme at `cursor`. */
const nextBreak = (text: string, cursor: number): number => {
  for (const { segment } of graphemes.segment(text.slice(cursor, cursor + 200))) return cursor + segment.length
  return text.length
}
