/**
 * Text for people, in both languages of the interface. The front end picks one (`i18n/`).
 * Text for the model is never a `Text`: it is written once, in English (spec README, "language of the interface").
 */
import { Schema } from "effect"

export const Text = Schema.Struct({ en: Schema.String, fr: Schema.String })
export interface Text {
  readonly en: string
  readonly fr: string
}

/** Builds a text for people. */
export const text = (en: string, fr: string): Text => ({ en, fr })

/** Cuts to at most `max` UTF-16 units without splitting a surrogate pair. */
export const cut = (value: string, max: number): string => {
  if (value.length <= max) return value
  const last = value.charCodeAt(max - 1)
  return value.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}
