/** What the keyboard and the terminal bring, decoded (spec 07 "Input"). Data only. */

export interface KeyEvent {
  readonly type: "key"
  /**
   * The key: `a` … `z` (small also where `shift` is set), another character as typed, or `space`, `enter`, `tab`,
   * `escape`, `backspace`, `delete`, `insert`, `up`, `down`, `left`, `right`, `home`, `end`, `pageup`, `pagedown`,
   * `clear`, `f1` … `f35`.
   */
  readonly name: string
  /** What it types, nearly always one code point; only without `ctrl` and `alt`. */
  readonly text?: string
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

/** Text that came at once. Line ends are `\n`; no other control character but tab. */
export interface PasteEvent {
  readonly type: "paste"
  readonly text: string
}

/** The window got or lost the keyboard. */
export interface FocusEvent {
  readonly type: "focus"
  readonly focused: boolean
}

/** An answer of the terminal (device, colour, mode, mouse): never text. */
export interface ReportEvent {
  readonly type: "report"
  /** The whole sequence; at most 4 096 characters of it. */
  readonly sequence: string
}

export type InputEvent = KeyEvent | PasteEvent | FocusEvent | ReportEvent

export interface Modifiers {
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

export const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false, shift: false }

/** A key that types nothing. */
export const key = (name: string, modifiers: Partial<Modifiers> = {}): KeyEvent => ({
  type: "key",
  name,
  ...NO_MODIFIERS,
  ...modifiers
})

/** One typed character (a code point). */
export const typed = (text: string): KeyEvent => {
  const lower = text.toLowerCase()
  const shift = lower !== text
  return { type: "key", name: text === " " ? "space" : lower, text, ...NO_MODIFIERS, shift }
}

/** A character key with modifiers: what it types is lost where Ctrl or Alt is held. */
export const character = (text: string, modifiers: Modifiers): KeyEvent =>
  modifiers.ctrl || modifiers.alt
    ? key(text === " " ? "space" : text.toLowerCase(), {
        ...modifiers,
        shift: modifiers.shift || text !== text.toLowerCase()
      })
    : { ...typed(text), shift: modifiers.shift || text !== text.toLowerCase() }
