/** The live part of the screen as Ink draws it. Decides nothing. */
import { Text, useCursor } from "ink"
import { useSyncExternalStore } from "react"
import type { UiStore } from "../store/UiStore.ts"
import { liveFrame, type LiveFrame } from "../views/live.ts"
import type { Looks } from "../views/looks.ts"
import { orSay } from "../views/orSay.ts"

export interface AppProps {
  readonly store: UiStore
  readonly looks: Looks
  /** Told of every frame that is made. */
  readonly onFrame: (frame: LiveFrame) => void
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
  return <Text wrap="truncate">{frame.lines.join("\n")}</Text>
}
