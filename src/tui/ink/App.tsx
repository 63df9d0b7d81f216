/** The screen as Ink draws it: printed items once, the live frame below. Decides nothing. */
import { Static, Text, useCursor } from "ink"
import { useSyncExternalStore } from "react"
import type { LogItem } from "../store/state.ts"
import type { UiStore } from "../store/UiStore.ts"
import { liveFrame } from "../views/live.ts"
import { logLines } from "../views/logItem.ts"
import type { Paint } from "../views/paint.ts"

export const App = ({ paint, store }: { readonly store: UiStore; readonly paint: Paint }) => {
  const state = useSyncExternalStore(store.subscribe, store.getSnapshot)
  const frame = liveFrame(state, paint)
  const { setCursorPosition } = useCursor()
  setCursorPosition(frame.cursor)
  const view = { width: state.size.columns, paint, language: state.language }
  return (
    <>
      <Static items={[...state.items]}>
        {(item: LogItem) => <Text key={item.key}>{`\n${logLines(item, view).join("\n")}`}</Text>}
      </Static>
      <Text wrap="truncate">{frame.lines.join("\n")}</Text>
    </>
  )
}
