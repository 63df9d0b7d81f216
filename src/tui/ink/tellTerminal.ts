/** Writes titles and notices (`store/notices.ts`) to the terminal as the state changes. */
import type { TerminalDevice } from "../../process/terminalDevice.ts"
import { noticeOf, titleOf } from "../store/notices.ts"
import type { UiStore } from "../store/UiStore.ts"

const BEL = "\u0007"

/** The title that was there is kept by the terminal meanwhile. */
export const KEEP_TITLE = "\u001b[22;0t"
export const OLD_TITLE = "\u001b[23;0t"
/** Tells when the window gets and loses the keyboard. */
export const WATCH_FOCUS = "\u001b[?1004h"
export const UNWATCH_FOCUS = "\u001b[?1004l"

export interface Telling {
  /** Somebody else had the terminal: the title is written again. */
  readonly again: () => void
  readonly stop: () => void
}

export const tellTerminal = (store: UiStore, device: TerminalDevice["Service"]): Telling => {
  let before = store.getSnapshot()
  let title = ""
  const tell = (): void => {
    const after = store.getSnapshot()
    const wanted = titleOf(after)
    if (wanted !== title) {
      title = wanted
      device.write(`\u001b]2;${wanted}${BEL}`)
    }
    const notice = noticeOf(before, after)
    // OSC 9 shows it where the terminal can; the bell is for the others.
    if (notice !== undefined) device.write(`\u001b]9;${notice}${BEL}${BEL}`)
    before = after
  }
  tell()
  const again = (): void => {
    title = ""
    tell()
  }
  return { again, stop: store.subscribe(tell) }
}
