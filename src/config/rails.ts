/**
 * The guard rails for small models (spec 06), each of which can be switched off by itself (`rails` in the user's settings)
 * so that `maia eval` can measure what it is worth. All are on by default; nobody else should need these keys.
 */
export interface Rails {
  /** Repeated calls are noticed, told to the model, and end the turn when nothing changes. */
  readonly loopDetector: boolean
  /** After a loop the next requests use a higher temperature. */
  readonly adaptiveTemperature: boolean
  /** A whole answer that is a tool call written as text becomes that call. */
  readonly textToolCalls: boolean
  /** Arguments of the wrong JSON type that can mean only one thing are put right (a number as text). */
  readonly argumentRepair: boolean
  /** Near names: of parameters (`cmd` for `command`), and the hint for an invented tool (`shell`: `Bash`). */
  readonly aliases: boolean
  /** A cut or malformed call goes back to the model with what was wrong; an answer cut by the limit is marked. */
  readonly cutCalls: boolean
  /** A failed call answers what to do: expected arguments, near names, the nearest lines. Off: only that it failed. */
  readonly repairTexts: boolean
  /** The text of an edit is found in spite of white space and of line numbers that were copied along. */
  readonly looseEdits: boolean
  /** The same call twice in one answer runs once. */
  readonly duplicateCalls: boolean
  /** An answer that repeats the same text without end is stopped. */
  readonly repetition: boolean
}

export const allRails: Rails = {
  loopDetector: true,
  adaptiveTemperature: true,
  textToolCalls: true,
  argumentRepair: true,
  aliases: true,
  cutCalls: true,
  repairTexts: true,
  looseEdits: true,
  duplicateCalls: true,
  repetition: true
}

/** Their names. */
// The keys of a literal object are its names.
export const RAILS = Object.keys(allRails) as ReadonlyArray<keyof Rails>
