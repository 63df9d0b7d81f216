/** The screen as Ink draws it: printed items once, the live frame below. Decides nothing. */
import { Static, Text, useCursor } from "ink"
import { useSyncExternalStore } from "react"
import type { LogItem } from "../store/state.ts"
import type { UiStore } from "../store/UiStore.ts"
import { safeLine } from "../text/safeText.ts"
import { liveFrame, type LiveFrame } from "../views/live.ts"
import { logLines } from "../views/logItem.ts"
import type { Looks } from "../views/looks.ts"

export interface AppProps {
  readonly store: UiStore
  readonly looks: Looks
  /** Told of every frame that is made. */
  readonly onFrame: (frame: LiveFrame) => void
}

/** A view that fails must not take the screen with it: what it said stands in its place. */
const orSay = <A,>(draw: () => A, instead: (problem: string) => A): A => {
  try {
    return draw()
  } catch (error) {
    return instead(safeLine(`maia: ${String(error)}`))
  }
}

export const App = ({ looks, onFrame, store }: AppProps) => {
  const state = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const frame = orSay(
    () => liveFrame(state, looks.theme),
    (problem) => ({ lines: [problem], cursor: undefined })
  )
  const { setCursorPosition } = useCursor()
  setCursorPosition(frame.cursor)
  onFrame(frame)
  const view = { width: state.size.columns, language: state.language, ...looks }
  return (
    <>
      {/* Ink's type asks for an array it may change; it does not. */}
      <Static items={state.items as Array<LogItem>}>
        {(item) => (
          <Text key={item.key}>{`\n${orSay(
            () => logLines(item, view),
            (problem) => [problem]
          ).join("\n")}`}</Text>
        )}
      </Static>
      <Text wrap="truncate">{frame.lines.join("\n")}</Text>
    </>
  )
}
