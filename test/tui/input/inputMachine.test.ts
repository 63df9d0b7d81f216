import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Candidate } from "../../../src/tui/input/completion/candidate.ts"
import { expand, plainContent } from "../../../src/tui/input/content.ts"
import { boundaryFrom } from "../../../src/tui/input/graphemes.ts"
import type { InputEvent } from "../../../src/tui/input/inputEvent.ts"
import {
  completionsFound,
  historyLoaded,
  imageMissing,
  setInput,
  stepInput
} from "../../../src/tui/input/inputMachine.ts"
import { EMPTY_INPUT, type InputContext, type InputEffect, type InputState } from "../../../src/tui/input/inputState.ts"
import { press } from "./support.ts"

/** Keys with blanks between them; words in quotes are typed, `paste:…` is pasted. */
const eventsOf = (keys: string): ReadonlyArray<InputEvent> =>
  (keys.match(/'[^']*'|\S+/g) ?? []).flatMap((word): ReadonlyArray<InputEvent> => {
    if (word.startsWith("'")) return Array.from(word.slice(1, -1), press)
    if (word.startsWith("paste:")) return [{ type: "paste", text: word.slice(6).replaceAll("⏎", "\n") }]
    return [press(word)]
  })

class Trial {
  state: InputState
  context: InputContext = { now: 0, width: 40, height: 5, language: "en", busy: false, queued: 0 }
  effects: Array<InputEffect> = []

  constructor(...sent: ReadonlyArray<string>) {
    this.state = historyLoaded(EMPTY_INPUT, sent.map(plainContent))
  }

  with(context: Partial<InputContext>): this {
    this.context = { ...this.context, ...context }
    return this
  }

  keys(keys: string): this {
    for (const event of eventsOf(keys)) this.apply(stepInput(this.state, event, this.context))
    return this
  }

  /** Answers the last question for candidates; an entry that ends with `/` is a folder. */
  offer(...inserts: ReadonlyArray<string>): this {
    const asked = this.effects.findLast((effect) => effect.type === "complete")
    if (asked?.type !== "complete") throw new Error("nothing was asked")
    const candidates = inserts.map((insert): Candidate => ({
      label: insert,
      matched: [],
      insert,
      continues: /\/"?$/.test(insert)
    }))
    this.apply(completionsFound(this.state, asked.token, candidates, this.context))
    return this
  }

  apply({ effects, state }: { readonly state: InputState; readonly effects: ReadonlyArray<InputEffect> }): void {
    this.state = state
    this.effects.push(...effects)
  }

  get shown(): string {
    const { content, cursor } = this.state.buffer
    return `${content.text.slice(0, cursor)}|${content.text.slice(cursor)}`
  }

  /** Kinds of effects since last asked, without those for candidates. */
  get told(): string {
    const told = this.effects.filter(({ type }) => type !== "complete").map(({ type }) => type)
    this.effects = []
    return told.join(" ")
  }

  get sent(): ReadonlyArray<string> {
    return this.effects.flatMap((effect) => (effect.type === "submit" ? [effect.text] : []))
  }
}

const trial = (...sent: ReadonlyArray<string>): Trial => new Trial(...sent)

describe("Enter", () => {
  it("sends the trimmed text and empties the input", () => {
    const run = trial().keys("'  hi there ' enter")
    assert.deepStrictEqual(run.sent, ["hi there"])
    assert.strictEqual(run.shown, "|")
  })

  it("keeps what it sends for later sessions", () =>
    assert.strictEqual(trial().keys("'hi' enter").told, "submit remember"))

  it("sends nothing where there is nothing", () => assert.strictEqual(trial().keys("'   ' enter").told, ""))

  for (const keys of ["S-enter", "M-enter", "C-j", "C-enter"]) {
    it(`${keys} is a line end`, () => assert.strictEqual(trial().keys(`a ${keys} b`).shown, "a\nb|"))
  }

  it("`\\` before it makes it a line end", () => {
    const run = trial().keys("'one\\' enter 'two' enter")
    assert.deepStrictEqual(run.sent, ["one\ntwo"])
  })

  it("sends in the middle of the text too", () => assert.deepStrictEqual(trial().keys("'ab' left enter").sent, ["ab"]))
})

describe("G2 pastes", () => {
  it("a paste is a draft, whatever its line ends", () => {
    const run = trial().keys("paste:a⏎b⏎c⏎")
    assert.deepStrictEqual(run.sent, [])
    assert.strictEqual(run.shown, "a\nb\nc\n|")
  })

  it("long ones are numbered tokens, deleted as one and sent whole", () => {
    const long = "x".repeat(1_500)
    const run = trial().keys(`'see ' paste:${long} 'and' paste:${long}y backspace C-_ enter`)
    assert.deepStrictEqual(run.sent, [`see ${long}and${long}y`])
    const [first] = run.state.history.entries
    assert.deepStrictEqual(
      first?.marks.map(({ token }) => token.number),
      [1, 2]
    )
  })

  it("numbers begin again with the next draft", () => {
    const run = trial().keys(`paste:${"x".repeat(1_500)} enter paste:${"y".repeat(1_500)}`)
    assert.deepStrictEqual(
      run.state.buffer.content.marks.map(({ token }) => token.number),
      [1]
    )
  })

  it("opens no list of candidates", () => assert.isUndefined(trial().keys("paste:/he").state.completion))

  it("an image that is none becomes text again", () => {
    const run = trial().keys("'a ' paste:/srv/logo.png 'b'")
    assert.include(run.told, "checkImages")
    run.apply(imageMissing(run.state, 1, run.context))
    assert.strictEqual(run.shown, "a /srv/logo.png b|")
  })
})

describe("Ctrl+C", () => {
  it("clears what is written, and undo brings it back", () => {
    const run = trial().keys("'draft' C-c")
    assert.strictEqual(`${run.shown} ${run.told}`, "| ")
    assert.strictEqual(run.keys("C-_").shown, "draft|")
  })

  it("leaves the second time within two seconds", () => {
    assert.strictEqual(trial().keys("C-c").with({ now: 2_000 }).keys("C-c").told, "leaveHint leave")
    assert.strictEqual(trial().keys("C-c").with({ now: 2_001 }).keys("C-c").told, "leaveHint leaveHint")
    assert.strictEqual(trial().keys("C-c a backspace C-c").told, "leaveHint leaveHint")
  })

  it("stops what runs and keeps the draft", () => {
    const run = trial().with({ busy: true }).keys("'draft' C-c")
    assert.strictEqual(run.told, "interrupt leaveHint")
    assert.strictEqual(run.shown, "draft|")
    assert.strictEqual(trial().with({ busy: true }).keys("C-c C-c").told, "interrupt leaveHint leave")
  })
})

describe("other keys", () => {
  for (const [keys, told] of [
    ["C-d", "leave"],
    ["a C-d", ""],
    ["S-tab", "cycleMode"],
    ["C-o", "expand"],
    ["C-g", "editor"],
    ["C-l", "redraw"],
    ["C-z", "suspend"],
    ["escape", "escapeHint"],
    ["escape escape", "escapeHint editEarlier"],
    ["escape a backspace escape", "escapeHint escapeHint"],
    ["a escape escape", ""],
    ["f5 C-space insert M-q", ""]
  ] as const) {
    it(`${keys}: ${told}`, () => assert.strictEqual(trial().keys(keys).told, told))
  }

  it("Esc stops what runs, and is no first Esc of two", () => {
    const run = trial().with({ busy: true }).keys("escape").with({ busy: false }).keys("escape")
    assert.strictEqual(run.told, "interrupt escapeHint")
  })

  it("Esc Esc must be quick", () => {
    assert.strictEqual(trial().keys("escape").with({ now: 1_500 }).keys("escape").told, "escapeHint escapeHint")
  })

  it("Ctrl+D deletes where there is text", () => assert.strictEqual(trial().keys("'ab' C-a C-d").shown, "|b"))

  it("Ctrl+G gives the editor the whole text, and its answer can be undone", () => {
    const run = trial().keys("'draft' C-g")
    assert.deepStrictEqual(run.effects, [{ type: "editor", text: "draft" }])
    run.apply(setInput(run.state, "two\r\nlines", run.context))
    assert.strictEqual(run.shown, "two\nlines|")
    assert.strictEqual(run.keys("C-_").shown, "draft|")
  })

  it("focus and reports change nothing", () => {
    const { context, state } = trial().keys("'a'")
    for (const event of [{ type: "focus", focused: true } as const, { type: "report", sequence: "x" } as const]) {
      assert.deepStrictEqual(stepInput(state, event, context), { state, effects: [] })
    }
  })
})

describe("history", () => {
  it("↑ goes back, ↓ forth to the draft", () => {
    const run = trial("one", "two").keys("'draft' up")
    assert.strictEqual(run.shown, "two|")
    assert.strictEqual(run.keys("up").shown, "one|")
    assert.strictEqual(run.keys("up").shown, "one|")
    assert.strictEqual(run.keys("down down").shown, "draft|")
    assert.strictEqual(run.keys("down").shown, "draft|")
  })

  it("what was sent is there, once", () => {
    const run = trial().keys("'a' enter 'b' enter 'b' enter up up")
    assert.strictEqual(run.shown, "a|")
    assert.strictEqual(run.keys("up").shown, "a|")
  })

  it("what begins with a space is not", () => {
    const run = trial("old").keys("' secret' enter")
    assert.deepStrictEqual(run.sent, ["secret"])
    assert.strictEqual(run.told, "submit")
    assert.strictEqual(run.keys("up").shown, "old|")
  })

  it("entries of several lines are passed with one key each", () => {
    assert.strictEqual(trial("first", "a\nb\nc").keys("up up").shown, "first|")
    assert.strictEqual(trial("first", "a\nb\nc").keys("up up down").shown, "a\nb\nc|")
  })

  it("once the cursor moves, ↑ moves in the text", () => {
    assert.strictEqual(trial("first", "a\nb\nc").keys("up left up").shown, "a\n|b\nc")
    assert.strictEqual(trial("first", "a\nb\nc").keys("up left up up up").shown, "first|")
  })

  it("in a draft of several lines ↑ first moves in it", () => {
    assert.strictEqual(trial("old").keys("'a' C-j 'b' up").shown, "a|\nb")
    assert.strictEqual(trial("old").keys("'a' C-j 'b' up up").shown, "old|")
    assert.strictEqual(trial("old").keys("'a' C-j 'b' up up down").shown, "a\nb|")
  })

  it("PageUp looks for entries that begin alike", () => {
    const run = trial("git log", "ls", "git diff", "git diff", "make").keys("'git' pageup")
    assert.strictEqual(run.shown, "git diff|")
    assert.strictEqual(run.keys("pageup").shown, "git log|")
    assert.strictEqual(run.keys("pagedown pagedown").shown, "git|")
  })

  it("↑ on an empty input takes a queued message back first", () => {
    assert.strictEqual(trial("old").with({ queued: 1 }).keys("up").told, "takeBack")
    assert.strictEqual(trial("old").with({ queued: 1 }).keys("a up").shown, "old|")
  })
})

describe("Ctrl+R", () => {
  const run = () => trial("make test", "git log", "Make it", "git diff").keys("'draft' C-r")

  it("finds while typing, newest first", () => {
    assert.strictEqual(run().keys("'git'").shown, "|git diff")
    assert.strictEqual(run().keys("'git' C-r").shown, "|git log")
    assert.strictEqual(run().keys("'git' C-r C-s").shown, "|git diff")
    assert.strictEqual(run().keys("'it'").shown, "g|it diff")
  })

  it("capitals count only where the query has some", () => {
    assert.strictEqual(run().keys("'make'").shown, "|Make it")
    assert.strictEqual(run().keys("'make' C-r").shown, "|make test")
  })

  it("Enter takes what is shown and sends nothing", () => {
    const done = run().keys("'log' enter")
    assert.strictEqual(done.shown, "git |log")
    assert.deepStrictEqual(done.sent, [])
    assert.deepStrictEqual(done.keys("enter").sent, ["git log"])
  })

  for (const key of ["escape", "C-c", "C-g"]) {
    it(`${key} brings the draft back`, () => {
      const done = run().keys(`'git' ${key}`)
      assert.strictEqual(`${done.shown} ${done.told}`, "draft| ")
      assert.isUndefined(done.state.search)
    })
  }

  it("another key takes it and does its work", () => assert.strictEqual(run().keys("'log' end X").shown, "git logX|"))

  it("says where nothing is found, keeps what was", () => {
    const done = run().keys("'gitx'")
    assert.strictEqual(done.told, "bell")
    assert.strictEqual(done.keys("backspace").shown, "|git diff")
    assert.strictEqual(done.keys("backspace backspace backspace").shown, "draft|")
  })

  it("undo brings the draft back after taking an entry", () =>
    assert.strictEqual(run().keys("'log' enter C-_").shown, "draft|"))
})

describe("completion", () => {
  it("opens while typing, Tab accepts", () => {
    const run = trial().keys("'/he'").offer("/help", "/hello").keys("tab")
    assert.strictEqual(run.shown, "/help |")
    assert.deepStrictEqual(run.keys("enter").sent, ["/help"])
  })

  it("arrows choose, around the ends", () => {
    const open = () => trial("old").keys("'/he'").offer("/help", "/hello")
    assert.strictEqual(open().keys("down tab").shown, "/hello |")
    assert.strictEqual(open().keys("up tab").shown, "/hello |")
    assert.strictEqual(open().keys("down down enter").shown, "/help |")
  })

  it("Enter accepts what is not complete, and sends what is", () => {
    assert.strictEqual(trial().keys("'/he'").offer("/help").keys("enter").shown, "/help |")
    assert.deepStrictEqual(trial().keys("'/help'").offer("/help", "/helper").keys("enter").sent, ["/help"])
    assert.deepStrictEqual(trial().keys("'/unknown'").offer().keys("enter").sent, ["/unknown"])
  })

  it("Enter does not wait for candidates", () => {
    assert.deepStrictEqual(trial().keys("'/he' enter").sent, ["/he"])
    assert.deepStrictEqual(trial().keys("'/h'").offer("/help").keys("'x' enter").sent, ["/hx"])
  })

  it("Tab does: it accepts when they come", () => {
    assert.strictEqual(trial().keys("'/he' tab").offer("/help").shown, "/help |")
    assert.strictEqual(trial().keys("'/he' tab").offer().told, "bell")
  })

  it("a single sigil is sent", () => {
    assert.deepStrictEqual(trial().keys("§").offer("§review").keys("enter").sent, ["§"])
    assert.deepStrictEqual(trial().keys("'see @'").offer("@a").keys("enter").sent, ["see @"])
  })

  it("a folder is complete as it stands, until an arrow chooses in it", () => {
    assert.deepStrictEqual(trial().keys("'see @src/'").offer("@src/a.ts").keys("enter").sent, ["see @src/"])
    assert.strictEqual(trial().keys("'see @src/'").offer("@src/a.ts").keys("down enter").shown, "see @src/a.ts |")
  })

  it("a word after `@ ` is a word unless chosen", () => {
    assert.deepStrictEqual(trial().keys("'meet @ no'").offer("@notes.md").keys("enter").sent, ["meet @ no"])
    assert.strictEqual(trial().keys("'meet @ no'").offer("@notes.md").keys("tab").shown, "meet @notes.md |")
  })

  it("Esc closes it, until another word begins", () => {
    const run = trial().keys("'see @sr'").offer("@src/").keys("escape")
    assert.isUndefined(run.state.completion)
    assert.strictEqual(run.told, "")
    assert.isUndefined(run.keys("'c'").state.completion)
    assert.isDefined(run.keys("' @x'").state.completion)
    assert.isDefined(trial().keys("'@sr'").offer("@src/").keys("escape tab").state.completion)
  })

  it("Esc with an empty list is the usual Esc", () =>
    assert.strictEqual(trial().with({ busy: true }).keys("'/x'").offer().keys("escape").told, "interrupt"))

  it("a folder goes on, also in quotes", () => {
    const run = trial().keys("'@sr'").offer("@src/").keys("tab")
    assert.strictEqual(run.shown, "@src/|")
    assert.strictEqual(run.offer("@src/a.ts").keys("tab").shown, "@src/a.ts |")
    const quoted = trial().keys("'@my'").offer('@"my docs/"').keys("tab")
    assert.strictEqual(quoted.shown, '@"my docs/|"')
    assert.strictEqual(quoted.offer('@"my docs/a b.md"').keys("tab").shown, '@"my docs/a b.md" |')
  })

  it("replaces the whole word and adds no second space", () => {
    const run = trial().keys("'see @sr now' left left left left").keys("'c'").offer("@src/a.ts").keys("tab")
    assert.strictEqual(run.shown, "see @src/a.ts| now")
  })

  it("answers for what is no longer typed are dropped", () => {
    const run = trial().keys("'/h'")
    const [asked] = run.effects
    run.keys("'e'").offer("/help")
    if (asked?.type === "complete") run.apply(completionsFound(run.state, asked.token, [], run.context))
    assert.strictEqual(run.state.completion?.candidates.length, 1)
  })

  it("old candidates stay while new ones are looked for", () => {
    const run = trial().keys("'/h'").offer("/help").keys("'e'")
    assert.strictEqual(run.state.completion?.candidates.length, 1)
    assert.isTrue(run.state.completion?.waiting)
  })

  it("closes when the cursor leaves", () => {
    assert.isUndefined(trial().keys("'/he'").offer("/help").keys("C-a").state.completion)
    assert.isUndefined(trial().keys("'/he'").offer("/help").keys("backspace backspace backspace").state.completion)
    assert.isUndefined(trial().keys("'/he'").offer("/help").keys("C-c").state.completion)
  })

  it("arguments of a command are offered, and never taken by Enter alone", () => {
    const run = trial().keys("'/model gp'").offer("gpt-x").keys("enter")
    assert.deepStrictEqual(run.sent, ["/model gp"])
    assert.strictEqual(trial().keys("'/model gp'").offer("gpt-x").keys("tab").shown, "/model gpt-x |")
  })
})

describe("laws", () => {
  const events = fc.oneof(
    fc.constantFrom(
      ..."a / @ § \\ é 語 👩 ' \"".split(" ").map(press),
      ...(
        "enter tab S-tab up down left right home end backspace delete escape pageup pagedown C-a C-e C-b C-f C-w C-u C-k C-y C-t " +
        "C-d C-h C-p C-n C-r C-s C-c C-g C-_ C-j M-b M-f M-d M-backspace space"
      )
        .split(" ")
        .map(press)
    ),
    fc.constantFrom(
      { type: "paste" as const, text: "x".repeat(1_500) },
      { type: "paste" as const, text: "a\nb @src" },
      { type: "paste" as const, text: "/a.png" }
    )
  )

  it("any keys: the cursor is between graphemes, marks are on tokens, what is sent is the draft", () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 60 }), fc.boolean(), (run, answers) => {
        const tried = trial("old", "a\nb", "@x y")
        for (const [index, event] of run.entries()) {
          const before = tried.state.buffer.content
          const { effects, state } = stepInput(tried.state, event, { ...tried.context, now: index * 300 })
          for (const effect of effects) {
            if (effect.type === "submit") assert.strictEqual(effect.text, expand(before).trim())
          }
          tried.apply({ state, effects })
          if (answers && effects.some(({ type }) => type === "complete")) tried.offer("@src/", '@"a b"')
          const { content, cursor } = tried.state.buffer
          assert.strictEqual(boundaryFrom(content, cursor), cursor)
          for (const { at } of content.marks) assert.strictEqual(content.text[at], "\ufffc")
        }
      }),
      { numRuns: 1_500 }
    )
  })
})
