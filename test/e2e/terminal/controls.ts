/** All control sequences and invisible characters in what a program wrote to its terminal. Pure. */

/** OSC and its kin up to their end, CSI, other escapes, single controls, and characters that hide or turn text. */
const CONTROL =
  // oxlint-disable-next-line no-control-regex
  /\u001b[\]PX^_](?:[^\u0007\u001b]|\u001b(?!\\))*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]?|[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]/g

export const controlsOf = (raw: string): ReadonlyArray<string> => raw.match(CONTROL) ?? []

/** What maia itself may write: colours, moves within its frame, erasing of lines and below, modes, the title, notices. */
const OWN: ReadonlyArray<RegExp> = [
  // Colours and weights, without what hides text (8) or blinks (5, 6).
  /^\u001b\[(?:(?:[0-479]|2[2-9]|[39]\d|4\d|10\d|38;(?:5;\d+|2;\d+;\d+;\d+)|48;(?:5;\d+|2;\d+;\d+;\d+))(?:;|(?=m)))*m$/,
  /^\u001b\[\d*[ABCDEFG]$/,
  /^\u001b\[0?[JK]$|^\u001b\[2K$/,
  /^\u001b\[\?(?:25|1004|2004|2026)[hl]$/,
  /^\u001b\[(?:>1u|<u|2[23];0t)$/,
  /^\u001b\](?:2|9);[^\p{C}]*\u0007$/u,
  /^\u0007$/
]

/** Those that are not maia's own, as JSON. */
export const foreignControls = (raw: string): ReadonlyArray<string> => [
  ...new Set(
    controlsOf(raw)
      .filter((found) => !OWN.some((own) => own.test(found)))
      .map((found) => JSON.stringify(found))
  )
]
