/** Colours by meaning. Pure; `NO_COLOR` and dumb terminals get the text alone. */

export interface Paint {
  readonly info: (text: string) => string
  readonly warn: (text: string) => string
  readonly fail: (text: string) => string
  readonly ask: (text: string) => string
  readonly accent: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly busy: (text: string) => string
  readonly strong: (text: string) => string
  readonly dim: (text: string) => string
}

const code =
  (open: string, close: string) =>
  (text: string): string =>
    `\u001b[${open}m${text}\u001b[${close}m`

export const colours: Paint = {
  info: code("30;44", "39;49"),
  warn: code("30;43", "39;49"),
  fail: code("30;45", "39;49"),
  ask: code("30;46", "39;49"),
  accent: code("92", "39"),
  good: code("32", "39"),
  bad: code("31", "39"),
  busy: code("93", "39"),
  strong: code("1", "22"),
  dim: code("2", "22")
}

const plain = (text: string): string => text

export const noColours: Paint = {
  info: plain,
  warn: plain,
  fail: plain,
  ask: plain,
  accent: plain,
  good: plain,
  bad: plain,
  busy: plain,
  strong: plain,
  dim: plain
}
