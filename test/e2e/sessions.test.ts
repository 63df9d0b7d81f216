/** Sessions of the compiled executable: forks, moves, locks, damage, folders that cannot be written, and `maia sessions`. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { spawnSync } from "node:child_process"
import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  chunk,
  gate,
  scriptedServer,
  sse,
  textAnswer,
  toolCalls,
  type ScriptedServer
} from "../support/scriptedServer.ts"
import { maia, ofType, sandbox, type Finished, type Sandbox } from "./support.ts"

const file = (box: Sandbox, name: string): string => join(box.folder, ".maia/.sessions", name)

const sessionFiles = (box: Sandbox): ReadonlyArray<string> =>
  readdirSync(file(box, ""))
    .filter((name) => name.endsWith(".jsonl"))
    .sort()

const userTexts = (server: ScriptedServer, n: number): ReadonlyArray<unknown> =>
  (server.chats[n]?.body.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content)

/** Texts of the messages in a session's file, in file order. */
const messageTexts = (box: Sandbox, name: string): ReadonlyArray<unknown> =>
  box
    .session(name)
    .flatMap(({ message }) =>
      typeof message === "object" && message !== null && "text" in message ? [message.text] : []
    )

/** A session of several requests, each answered `answer N`. */
const talk = (box: Sandbox, name: string, ...requests: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const server = yield* scriptedServer((n) => textAnswer(`answer ${n + 1}`))
    for (const request of requests) {
      const done = yield* maia(box, ["run", "-p", request, "--session", name], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
    }
  }).pipe(Effect.scoped)

const warnings = (done: Finished): ReadonlyArray<string> =>
  ofType(done, "warning").map((line) => String(line["message"]))

describe("going on with a session", () => {
  it.live("--fork goes on in a copy; the first one stays as it is", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      yield* talk(box, "work", "one", "two")
      const before = readFileSync(file(box, "work.jsonl"), "utf8")
      const server = yield* scriptedServer([textAnswer("copy")])
      const done = yield* maia(box, ["run", "-p", "three", "--session", "work", "--fork", "-o", "stream-json"], {
        url: server.url
      })
      assert.deepStrictEqual(userTexts(server, 0), ["one", "two", "three"])
      assert.strictEqual(done.lines.at(-1)?.["session"], "work_2")
      assert.strictEqual(readFileSync(file(box, "work.jsonl"), "utf8"), before)
      assert.strictEqual(box.session("work_2")[0]?.["parentSession"], "work")
    }).pipe(Effect.scoped)
  )

  it.live("--at ENTRY goes on from there, in the file or in a copy; nothing is deleted", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      yield* talk(box, "work", "one", "two", "three")
      const entries = box.session("work")
      const answers = entries.filter((entry) => JSON.stringify(entry).includes('"role":"assistant"'))
      const first = String(answers[0]?.["id"])
      const server = yield* scriptedServer((n) => textAnswer(`other ${n}`))
      const at = ["--session", "work", "--at", first]
      yield* maia(box, ["run", "-p", "copied", ...at, "--fork"], { url: server.url })
      assert.deepStrictEqual(userTexts(server, 0), ["one", "copied"])
      yield* maia(box, ["run", "-p", "moved", ...at], { url: server.url })
      assert.deepStrictEqual(userTexts(server, 1), ["one", "moved"])
      const after = box.session("work")
      for (const entry of entries) assert.isTrue(after.some(({ id }) => id === entry["id"]))
      yield* maia(box, ["run", "-p", "on", "--session", "work"], { url: server.url })
      assert.deepStrictEqual(userTexts(server, 2), ["one", "moved", "on"])
    }).pipe(Effect.scoped)
  )

  it.live("--at an entry that is not there: an error that names the entry, and no request", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      yield* talk(box, "work", "one")
      const server = yield* scriptedServer([])
      for (const more of [[], ["--fork"]]) {
        const done = yield* maia(box, ["run", "-p", "x", "--session", "work", "--at", "nowhere", ...more], {
          url: server.url
        })
        assert.strictEqual(done.code, 1)
        assert.include(done.stderr, 'no entry "nowhere"')
      }
      assert.strictEqual(server.chats.length, 0)
    }).pipe(Effect.scoped)
  )

  it.live("a second process on a session in use forks, with a warning; both files are whole", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      yield* talk(box, "work", "one")
      const more = gate()
      const server = yield* scriptedServer((n) =>
        n === 0 ? sse([chunk({ content: "slow" }), more, chunk({}, "stop")]) : textAnswer("quick")
      )
      const first = yield* Effect.forkChild(
        maia(box, ["run", "-p", "first", "--session", "work", "-o", "stream-json"], { url: server.url })
      )
      yield* Effect.promise(() => server.chat(0))
      const second = yield* maia(box, ["run", "-p", "second", "--session", "work", "-o", "stream-json"], {
        url: server.url
      })
      assert.strictEqual(second.code, 0, second.stderr)
      assert.strictEqual(warnings(second).length, 1)
      assert.include(warnings(second)[0], "open in another process")
      const name = String(second.lines.at(-1)?.["session"])
      assert.notStrictEqual(name, "work")
      const renamed = yield* maia(box, ["sessions", "rename", "work", "other"])
      assert.strictEqual(renamed.code, 1)
      assert.include(renamed.stderr, "open in another process")
      const undone = yield* maia(box, ["sessions", "undo", "work"])
      assert.strictEqual(undone.code, 1)
      assert.include(undone.stderr, "nothing was undone")
      more.open()
      const done = yield* Fiber.join(first)
      assert.strictEqual(done.code, 0, done.stderr)
      assert.deepStrictEqual(messageTexts(box, "work"), ["one", "answer 1", "first", "slow"])
      assert.deepStrictEqual(messageTexts(box, name), ["one", "answer 1", "first", "second", "quick"])
    }).pipe(Effect.scoped)
  )
})

/** Runs maia where the launch folder is a file system of its own, as the mount options say. */
const mounted = (box: Sandbox, prepare: string): ReadonlyArray<string> => [
  "unshare",
  "-Urm",
  "sh",
  "-c",
  `${prepare}; cd ${box.folder}; exec "$@"`,
  "sh"
]

const canMount = spawnSync("unshare", ["-Urm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).status === 0

describe("a folder that cannot be written", () => {
  it.live.skipIf(!canMount)("read-only: one warning, the answer and the exit code as without it", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      yield* talk(box, "work", "one")
      const server = yield* scriptedServer([
        toolCalls([{ name: "Bash", args: { command: "echo hi" } }]),
        textAnswer("went on")
      ])
      const before = readFileSync(file(box, "work.jsonl"), "utf8")
      const done = yield* maia(
        box,
        ["run", "-p", "two", "--session", "work", "--allow", "Bash(echo *)", "-o", "stream-json"],
        {
          url: server.url,
          wrap: mounted(box, `mount --bind ${box.folder} ${box.folder}; mount -o remount,bind,ro ${box.folder}`)
        }
      )
      assert.strictEqual(done.code, 0, done.stderr + done.stdout)
      assert.strictEqual(done.lines.at(-1)?.["text"], "went on")
      assert.strictEqual(warnings(done).length, 1, warnings(done).join("\n"))
      assert.deepStrictEqual(userTexts(server, 1), ["one", "two"])
      assert.strictEqual(readFileSync(file(box, "work.jsonl"), "utf8"), before)
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!canMount)("a full disk: one warning, the turn goes on", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([
        toolCalls([{ name: "Bash", args: { command: "seq 20000" } }]),
        textAnswer("went on")
      ])
      const done = yield* maia(box, ["run", "-p", "two", "--allow", "Bash(seq *)", "-o", "stream-json"], {
        url: server.url,
        wrap: mounted(box, `mount -t tmpfs -o size=16k tmpfs ${box.folder}`)
      })
      assert.strictEqual(done.code, 0, done.stderr + done.stdout)
      assert.strictEqual(done.lines.at(-1)?.["text"], "went on")
      assert.strictEqual(warnings(done).length, 1, warnings(done).join("\n"))
      assert.strictEqual(server.chats.length, 2)
    }).pipe(Effect.scoped)
  )
})

describe("a damaged session", () => {
  it.live("a torn tail and a stretch of NULs: one warning, all whole lines are there, the tail is kept aside", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      yield* talk(box, "work", "one", "two")
      const lines = readFileSync(file(box, "work.jsonl"), "utf8").split("\n")
      const half = Math.ceil(lines.length / 2)
      const damaged = [...lines.slice(0, half), "\0".repeat(4096) + (lines[half] ?? ""), ...lines.slice(half + 1)]
      writeFileSync(file(box, "work.jsonl"), damaged.join("\n"))
      appendFileSync(file(box, "work.jsonl"), '{"id":"abcd1234","parentId":"x","ty')
      const server = yield* scriptedServer([textAnswer("whole")])
      const done = yield* maia(box, ["run", "-p", "three", "--session", "work", "-o", "stream-json"], {
        url: server.url
      })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.deepStrictEqual(userTexts(server, 0), ["one", "two", "three"])
      assert.strictEqual(warnings(done).length, 1, warnings(done).join("\n"))
      const aside = readdirSync(file(box, "")).filter((name) => name.endsWith(".torn"))
      assert.strictEqual(aside.length, 1)
      assert.include(readFileSync(file(box, String(aside[0])), "utf8"), "abcd1234")
      assert.deepStrictEqual(sessionFiles(box), ["work.jsonl"])
    }).pipe(Effect.scoped)
  )

  it.live("cut at any byte of its last lines it opens, with at most the cut entry lost", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      yield* talk(box, "work", "one", "two")
      const whole = readFileSync(file(box, "work.jsonl"))
      const server = yield* scriptedServer(() => textAnswer("on"))
      const cuts = [1, 2, 30, 150, 400].map((bytes) => whole.length - bytes)
      for (const cut of cuts) {
        writeFileSync(file(box, "work.jsonl"), whole)
        truncateSync(file(box, "work.jsonl"), cut)
        const done = yield* maia(box, ["run", "-p", "on", "--session", "work"], { url: server.url })
        assert.strictEqual(done.code, 0, done.stderr)
        assert.include(userTexts(server, server.chats.length - 1).join("\n"), "one")
      }
    }).pipe(Effect.scoped)
  )
})

describe("maia sessions", () => {
  const withSessions = Effect.gen(function* () {
    const box = yield* sandbox
    yield* talk(box, "parser work", "one", "<b>two</b>")
    yield* talk(box, "other", "three")
    return box
  })

  it.live("list, show and export in every form", () =>
    Effect.gen(function* () {
      const box = yield* withSessions
      const list = yield* maia(box, ["sessions", "list"])
      assert.deepStrictEqual(
        list.stdout
          .trim()
          .split("\n")
          .map((line) => line.slice(0, 11).trim()),
        ["other", "parser work"]
      )
      const names = JSON.parse((yield* maia(box, ["sessions", "list", "--json"])).stdout)
      assert.deepStrictEqual(
        names.map((one: { readonly name: string }) => one.name),
        ["other", "parser work"]
      )
      const shown = yield* maia(box, ["sessions", "show", "PARSER work"])
      assert.include(shown.stdout, "answer 2")
      const markdown = yield* maia(box, ["sessions", "export", "parser work"])
      assert.include(markdown.stdout, "answer 1")
      const json = yield* maia(box, ["sessions", "export", "parser work", "--format", "json"])
      assert.include(JSON.stringify(JSON.parse(json.stdout)), "answer 2")
      const html = yield* maia(box, ["sessions", "export", "parser work", "-f", "html", "--to", "out.html"])
      assert.strictEqual(html.code, 0, html.stderr)
      const page = box.read("out.html")
      assert.include(page, "answer 2")
      assert.notInclude(page, "<b>two</b>")
      assert.notMatch(page, /(?:src|href)="https?:/)
    }).pipe(Effect.scoped)
  )

  it.live("rename and delete; a taken name gets a suffix", () =>
    Effect.gen(function* () {
      const box = yield* withSessions
      const renamed = yield* maia(box, ["sessions", "rename", "other", "parser work"])
      assert.strictEqual(renamed.stdout, "parser work_2\n")
      assert.deepStrictEqual(sessionFiles(box), ["parser work.jsonl", "parser work_2.jsonl"])
      assert.strictEqual((yield* maia(box, ["sessions", "delete", "parser work_2"])).code, 0)
      assert.deepStrictEqual(sessionFiles(box), ["parser work.jsonl"])
    }).pipe(Effect.scoped)
  )

  it.live("a wrong name: near names are told, nothing is done; a name that is a path is no name", () =>
    Effect.gen(function* () {
      const box = yield* withSessions
      for (const words of [
        ["show", "parser wrok"],
        ["rename", "parser wrok", "x"],
        ["delete", "parser wrok"],
        ["export", "parser wrok"],
        ["undo", "parser wrok"]
      ]) {
        const done = yield* maia(box, ["sessions", ...words])
        assert.strictEqual(done.code, 1, words.join(" "))
        assert.include(done.stderr, "parser work")
        assert.strictEqual(done.stdout, "")
      }
      for (const name of ["../../etc/passwd", "a/b", ".hidden"]) {
        assert.strictEqual((yield* maia(box, ["sessions", "show", name])).code, 1)
        assert.strictEqual((yield* maia(box, ["sessions", "rename", "other", name])).code, 1)
      }
      assert.deepStrictEqual(sessionFiles(box), ["other.jsonl", "parser work.jsonl"])
    }).pipe(Effect.scoped)
  )
})

describe("maia sessions undo", () => {
  /** Two turns; the second changes a.txt and makes b.txt. */
  const edited = Effect.gen(function* () {
    const box = yield* sandbox
    box.write("a.txt", "old\n")
    yield* talk(box, "work", "one")
    const server = yield* scriptedServer([
      toolCalls([{ name: "Read", args: { path: "a.txt" } }]),
      toolCalls([
        { id: "e", name: "Edit", args: { path: "a.txt", edits: [{ old: "old", new: "new" }] } },
        { id: "w", name: "Write", args: { path: "b.txt", content: "made\n" } }
      ]),
      textAnswer("changed")
    ])
    const done = yield* maia(box, ["run", "-p", "change it", "--session", "work", "--permissions", "allow"], {
      url: server.url
    })
    assert.strictEqual(done.code, 0, done.stderr)
    assert.strictEqual(box.read("a.txt"), "new\n")
    return box
  })

  const nextRequest = (box: Sandbox) =>
    Effect.gen(function* () {
      const server = yield* scriptedServer([textAnswer("on")])
      yield* maia(box, ["run", "-p", "next", "--session", "work"], { url: server.url })
      return userTexts(server, 0)
    })

  it.live("moves before the last request and says what the files would become, without touching them", () =>
    Effect.gen(function* () {
      const box = yield* edited
      const done = yield* maia(box, ["sessions", "undo", "work"])
      assert.strictEqual(done.code, 0, done.stderr)
      assert.include(done.stdout, "change it")
      assert.include(done.stdout, "a.txt: put back")
      assert.include(done.stdout, "b.txt: removed")
      assert.include(done.stdout, "+old")
      assert.strictEqual(box.read("a.txt"), "new\n")
      assert.deepStrictEqual(yield* nextRequest(box), ["one", "next"])
    }).pipe(Effect.scoped)
  )

  it.live("--dry-run changes nothing", () =>
    Effect.gen(function* () {
      const box = yield* edited
      const before = readFileSync(file(box, "work.jsonl"), "utf8")
      const done = yield* maia(box, ["sessions", "undo", "work", "--files", "--dry-run"])
      assert.strictEqual(done.code, 0, done.stderr)
      assert.include(done.stdout, "Would undo: change it")
      assert.strictEqual(box.read("a.txt"), "new\n")
      assert.strictEqual(readFileSync(file(box, "work.jsonl"), "utf8"), before)
    }).pipe(Effect.scoped)
  )

  it.live("--files puts them back", () =>
    Effect.gen(function* () {
      const box = yield* edited
      const done = yield* maia(box, ["sessions", "undo", "work", "--files"])
      assert.strictEqual(done.code, 0, done.stderr)
      assert.strictEqual(box.read("a.txt"), "old\n")
      assert.throws(() => box.read("b.txt"))
      assert.deepStrictEqual(yield* nextRequest(box), ["one", "next"])
    }).pipe(Effect.scoped)
  )

  it.live("a file that someone else changed is left alone without --force", () =>
    Effect.gen(function* () {
      const box = yield* edited
      box.write("a.txt", "mine\n")
      const done = yield* maia(box, ["sessions", "undo", "work", "--files"])
      assert.strictEqual(done.code, 1)
      assert.include(done.stderr, "a.txt was left as it is")
      assert.strictEqual(box.read("a.txt"), "mine\n")
      assert.throws(() => box.read("b.txt"))
    }).pipe(Effect.scoped)
  )

  it.live("and is put back with it", () =>
    Effect.gen(function* () {
      const box = yield* edited
      box.write("a.txt", "mine\n")
      const done = yield* maia(box, ["sessions", "undo", "work", "--files", "--force"])
      assert.strictEqual(done.code, 0, done.stderr)
      assert.strictEqual(box.read("a.txt"), "old\n")
    }).pipe(Effect.scoped)
  )

  it.live("a session with nothing to undo says so", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      yield* talk(box, "work", "one")
      assert.strictEqual((yield* maia(box, ["sessions", "undo", "work"])).code, 0)
      const again = yield* maia(box, ["sessions", "undo", "work"])
      assert.strictEqual(again.code, 1)
      assert.include(again.stderr, "no request to undo")
    }).pipe(Effect.scoped)
  )
})
