/**
 * A session of the executable in a pseudo terminal: what the model answers is queued by the test, what the user types goes
 * through the keyboard, and screens are compared with those that are kept (`screens/`).
 */
import { Effect, Schedule, type Scope } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import {
  json,
  scriptedServer,
  type RecordedRequest,
  type ScriptedResponse,
  type ScriptedServer,
  type ServerOptions
} from "../../support/scriptedServer.ts"
import { openTerminal, type TerminalProgram } from "../../support/terminal.ts"
import { environment, MAIA, sandbox, type Sandbox } from "../support.ts"

export const ESC = "\u001b"
export const ENTER = "\r"
export const CTRL_C = "\u0003"
export const CTRL_D = "\u0004"
export const UP = `${ESC}[A`
export const DOWN = `${ESC}[B`

export type Language = "en" | "fr"

/** What an empty input says. */
export const PLACEHOLDER: Readonly<Record<Language, string>> = { en: "Your request", fr: "Votre demande" }

export interface TalkOptions {
  readonly columns?: number
  readonly rows?: number
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly language?: Language
  /** `~/.maia/settings.json`. */
  readonly settings?: unknown
  readonly server?: ServerOptions
  /** Before maia starts. */
  readonly prepare?: (box: Sandbox) => void
  /** Default: the placeholder of the input. */
  readonly begins?: string
}

export interface Talk extends TerminalProgram {
  readonly box: Sandbox
  readonly server: ScriptedServer
  /** What the model gives to the requests that come next, in order. */
  readonly answers: (...responses: ReadonlyArray<ScriptedResponse>) => void
  /** Types a text and waits until it stands in the input. */
  readonly types: (text: string) => Effect.Effect<void>
  /** Types a text and sends it. */
  readonly says: (text: string) => Effect.Effect<void>
  /** Nothing runs, and the input is empty. */
  readonly idle: Effect.Effect<void>
  /** The answer stands there, and nothing runs. */
  readonly gets: (text: string) => Effect.Effect<void>
  /** What the model was sent last. */
  readonly lastMessage: () => unknown
  readonly lastRequest: () => RecordedRequest | undefined
  /** Compares the window, from the last row with `from` on, with the screen kept under this name (`screens/`). */
  readonly looksLike: (name: string, from?: string) => Effect.Effect<void>
}

/** The scripted model and a place for its sessions. */
export const withServer = Effect.fnUntraced(function* (options: TalkOptions = {}) {
  const box = yield* sandbox
  if (options.settings !== undefined) box.settings(options.settings)
  options.prepare?.(box)
  const queue: Array<ScriptedResponse> = []
  const nothing = json(400, { error: { message: "scripted server: nothing to answer", type: "test" } })
  const server = yield* scriptedServer(() => queue.shift() ?? nothing, options.server)
  const answers: Talk["answers"] = (...responses) => void queue.push(...responses)
  return { box, server, answers }
})

/** A session, once its input can be typed in. */
export const talk: (options?: TalkOptions) => Effect.Effect<Talk, never, Scope.Scope> = Effect.fnUntraced(function* (
  options: TalkOptions = {}
) {
  return yield* open({ ...options, ...(yield* withServer(options)) })
})

export const open = Effect.fnUntraced(function* (
  options: TalkOptions & { readonly box: Sandbox; readonly server: ScriptedServer; readonly answers: Talk["answers"] }
) {
  const { answers, args = [], begins, box, columns, env = {}, language = "en", rows, server } = options
  const program = yield* openTerminal([MAIA, ...args], {
    cwd: box.folder,
    env: environment(box, {
      url: server.url,
      env: { LANG: language === "fr" ? "fr_FR.UTF-8" : "C.UTF-8", TZ: "UTC", ...env }
    }),
    ...(columns === undefined ? {} : { columns }),
    ...(rows === undefined ? {} : { rows })
  })
  const self: Talk = extend(program, box, server, answers, language)
  yield* self.shows(begins ?? PLACEHOLDER[language])
  return self
})

const extend = (
  program: TerminalProgram,
  box: Sandbox,
  server: ScriptedServer,
  answers: Talk["answers"],
  language: Language
): Talk => {
  const types = (text: string) =>
    Effect.suspend(() => {
      program.send(text)
      return program.until(`"${text}" typed`, (now) => squeezed(input(now).join("")).includes(squeezed(text)))
    })
  const idle = program.until("an input that waits", (now) => isIdle(now, language))
  return {
    ...program,
    box,
    server,
    answers,
    types,
    idle,
    says: (text) =>
      Effect.andThen(
        types(text),
        Effect.sync(() => program.send(ENTER))
      ),
    gets: (text) => Effect.andThen(program.shows(text), idle),
    lastRequest: () => server.chats.at(-1),
    lastMessage: () => server.chats.at(-1)?.body.messages?.at(-1)?.content,
    looksLike: (name, from = "") => looksLike({ program, box, file: `screens/${name}.txt`, from })
  }
}

/** A screen may come in several drawings: it has time to become the one that is kept. */
const looksLike = Effect.fnUntraced(function* (shot: {
  readonly program: TerminalProgram
  readonly box: Sandbox
  readonly file: string
  readonly from: string
}) {
  const { box, file, from, program } = shot
  const now = () => settled(program, box, from)
  const kept = yield* Effect.try(() => readFileSync(join(import.meta.dirname, file), "utf8")).pipe(
    Effect.orElseSucceed(() => "")
  )
  yield* Effect.sync(now).pipe(
    Effect.repeat({ while: (screen) => screen !== kept, schedule: Schedule.spaced("20 millis") }),
    Effect.timeoutOption("5 seconds")
  )
  yield* Effect.promise(() => expect(now()).toMatchFileSnapshot(`./${file}`))
})

const isBorder = (row: string): boolean => row.startsWith("┈┈┈")

/** The rows of the input, between its borders, without the prompt. */
export const input = ({ screen }: TerminalProgram): ReadonlyArray<string> => {
  const rows = screen()
  const last = rows.findLastIndex(isBorder)
  const first = rows.slice(0, Math.max(0, last)).findLastIndex(isBorder)
  return first < 0 ? [] : rows.slice(first + 1, last).map((row) => row.slice(2).trimEnd())
}

/** Without the blanks at which lines are broken. */
const squeezed = (text: string): string => text.replaceAll(/\s/g, "")

const SPINNERS = /[⢄⢂⢁⡁⡈⡐⡠]/u

const isIdle = (program: TerminalProgram, language: Language): boolean =>
  (input(program)[0] ?? "").startsWith(PLACEHOLDER[language]) && !program.screen().some((row) => SPINNERS.test(row))

/** Said only where an answer takes its time. */
const isPassing = (row: string): boolean => row === "Thinking …"

/** The window without what differs from one run to the next; blanks keep the width of what is replaced. */
const settled = ({ screen }: TerminalProgram, box: Sandbox, from: string): string => {
  const whole = screen().filter((row) => !isPassing(row))
  const rows = whole.slice(Math.max(0, from === "" ? 0 : whole.findLastIndex((row) => row.includes(from)))).map((row) =>
    row
      .replaceAll(box.root, "/".padEnd(box.root.length, "x"))
      .replaceAll(/127\.0\.0\.1:\d{5}/g, "127.0.0.1:00000")
      .replaceAll(
        /\d{4}-\d\d-\d\d([T _-])\d\d([:_-])\d\d(?:([:_-])\d\d)?/g,
        (_found, day, hour, minute = "") => `2026-01-01${day}00${hour}00${minute === "" ? "" : `${minute}00`}`
      )
      .replaceAll(/[⢄⢂⢁⡁⡈⡐⡠]/gu, "⢄")
      .replaceAll(/\d+(?:\.\d)? s\b/g, "0 s")
      // The system prompt holds the folder and the date: their tokens differ.
      .replaceAll(/ +■+ [\d.k]+ \/ ([\d.k]+) · \d+%/g, "  ■ 0k / $1 · 0%")
      .replaceAll(/( {2})[\d.]+k · \d+%/g, "$10k · 0%")
  )
  return `${rows.join("\n").trimEnd()}\n`
}
