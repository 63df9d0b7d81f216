/** Sessions as a user plays them: the first start, then everything that a conversation is made of, step after step (spec 07). */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { deadUrl, json, modelList, textAnswer, toolCalls } from "../../support/scriptedServer.ts"
import { CTRL_C, ENTER, ESC, input, open, talk, UP, withServer, type Talk } from "./support.ts"

const parsed = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"))

/** Names of the session files. */
const sessions = (now: Talk): ReadonlyArray<string> =>
  readdirSync(join(now.box.folder, ".maia/.sessions"))
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => file.replace(".jsonl", ""))
    .sort()

/** What the model was sent, a line a message. */
const sent = (now: Talk): string =>
  (now.lastRequest()?.body.messages ?? []).map(({ content, role }) => `${role}: ${String(content)}`).join("\n")

describe("the first start", () => {
  it.live("asks for the server, tries it, says what is wrong, and writes the settings", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const base = yield* withServer({
          server: {
            models: ({ headers }) =>
              headers["authorization"] === "Bearer sk-right"
                ? modelList(["big-model", "test-model"])
                : json(401, { error: { message: "Authentication Error, Invalid proxy server token passed" } })
          }
        })
        const dead = yield* Effect.promise(deadUrl)
        const now = yield* open({ ...base, begins: "Server URL", env: { LITELLM_URL: "", MAIA_MODEL: "" } })
        const answer = Effect.fnUntraced(function* (text: string, shown = text) {
          now.send(`\u0015${text}`)
          yield* now.until(`"${text}" typed`, ({ screen }) => screen().includes(`▸ ${shown}`))
          now.send(ENTER)
        })
        yield* answer("ftp://example.org")
        yield* now.shows("A URL starts with http")
        yield* answer(dead)
        yield* now.shows("API key")
        yield* answer("sk-secret", "•••••••••")
        yield* now.shows("❯ Change the answers")
        yield* now.looksLike("wizard-unreachable.80", "API key")
        now.send(ENTER)
        yield* now.hides("❯ Change the answers")
        yield* answer(base.server.url)
        yield* now.shows("API key (empty")
        yield* answer("sk-wrong", "••••••••")
        yield* now.shows("❯ Change the answers")
        yield* now.looksLike("wizard-refused.80", "API key")
        assert.isFalse(existsSync(join(base.box.home, ".maia/settings.json")), "written before the last answer")
        now.send(ENTER)
        yield* now.hides("❯ Change the answers")
        now.send(ENTER)
        yield* now.shows("API key (empty")
        yield* answer("sk-right", "••••••••")
        yield* now.shows("❯ big-model")
        now.send("j")
        yield* now.shows("❯ test-model")
        now.send(ENTER)
        yield* now.shows("starter set")
        yield* now.looksLike("wizard-rules.80", "ASK")
        now.send("o")
        yield* now.idle
        const settings = parsed(join(base.box.home, ".maia/settings.json"))
        assert.deepInclude(settings, { LiteLLM_URL: base.server.url, LiteLLM_API_Key: "sk-right", model: "test-model" })
        assert.notInclude(now.raw(), "sk-right")
        now.answers(textAnswer("Here I am."))
        yield* now.says("hello")
        yield* now.gets("Here I am.")
        assert.strictEqual(now.lastRequest()?.headers["authorization"], "Bearer sk-right")
      })
    )
  )
})

const SUMMARY = `## Contexte du projet
- un essai
## Objectif actuel
- parler longuement
## Fichiers pertinents
- aucun
## Décisions/Conclusions
- aucune
## Prochaines étapes
- continuer
`

const bash = (command: string) => toolCalls([{ name: "Bash", args: { command } }])
const write = (path: string, content: string) => toolCalls([{ name: "Write", args: { path, content } }])

describe("permission", () => {
  it.live(
    "yes, no with a reason, always here, always everywhere: what was answered holds, in the next session too",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const base = yield* withServer()
          const now = yield* open(base)
          now.answers(bash("echo one"), textAnswer("It ran."))
          yield* now.says("run it")
          yield* now.shows("Allow Bash?")
          now.send(ENTER)
          now.send("x")
          now.send("y")
          yield* now.gets("It ran.")
          assert.include(sent(now), "one")

          now.answers(write("a.txt", "no"), textAnswer("I see."))
          yield* now.says("write it")
          yield* now.shows("Allow Write?")
          now.send("n")
          yield* now.shows("Why not?")
          now.send("use b.txt")
          yield* now.shows("▸ use b.txt")
          now.send(ENTER)
          yield* now.gets("I see.")
          assert.include(String(now.lastMessage()), "use b.txt")
          assert.isFalse(existsSync(join(now.box.folder, "a.txt")))

          now.answers(write("b.txt", "first"), write("b.txt", "second"), textAnswer("Both written."))
          yield* now.says("write twice")
          yield* now.shows("Allow Write?")
          now.send("t")
          yield* now.shows("❯ Write(b.txt)  this session")
          now.send(ENTER)
          yield* now.gets("Both written.")
          assert.strictEqual(now.box.read("b.txt"), "second")

          now.answers(bash("ls -a"), textAnswer("Listed."))
          yield* now.says("list")
          yield* now.shows("Allow Bash?")
          now.send("a")
          yield* now.shows("❯ Bash(ls -a)  this session")
          now.send("jj")
          yield* now.shows("❯ Bash(ls -a)  everywhere")
          now.send(ENTER)
          yield* now.gets("Listed.")
          assert.deepInclude(parsed(join(now.box.home, ".maia/settings.json")), {
            permissions: { allow: ["Bash(ls -a)"] }
          })
          now.answers(bash("ls -a"), textAnswer("Listed again."))
          yield* now.says("again")
          yield* now.gets("Listed again.")
          now.send("\u0004")
          assert.strictEqual(yield* now.exit, 0)

          const next = yield* open(base)
          next.answers(bash("ls -a"), textAnswer("Not asked."))
          yield* next.says("and now")
          yield* next.gets("Not asked.")
          yield* next.says("/permissions")
          yield* next.shows("Bash(ls -a)")
        })
      )
  )

  it.live("Shift+Tab goes through the modes, and the mode holds", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk()
        for (const mode of ["edits accepted", "plan only", "automatic"]) {
          now.send(`${ESC}[Z`)
          yield* now.shows(`test-model · ${mode}`)
        }
        now.answers(bash("echo automatic"), textAnswer("Not asked."))
        yield* now.says("run it")
        yield* now.gets("Not asked.")
        now.send(`${ESC}[Z`)
        yield* now.hides("automatic ")
        now.answers(bash("echo asked"), textAnswer("Fine."))
        yield* now.says("run it")
        yield* now.shows("Allow Bash?")
        now.send(ESC)
        yield* now.gets("Fine.")
      })
    )
  )
})

describe("a conversation", () => {
  it.live("@file, !command and §skill go with the request", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({
          args: ["--trust"],
          prepare: (box) => {
            box.write("secret.txt", "the word is heron")
            box.write(
              ".maia/skills/greet/SKILL.md",
              "---\nname: greet\ndescription: Says hello\n---\nGreet $ARGUMENTS warmly.\n"
            )
          }
        })
        yield* now.says("!echo from the shell; ls")
        yield* now.shows("secret.txt")
        yield* now.idle
        now.answers(textAnswer("Read."))
        yield* now.types("what is in @sec")
        yield* now.shows("❯ secret.txt")
        now.send("\t")
        yield* now.until("completed", (program) => (input(program)[0] ?? "").endsWith("@secret.txt"))
        now.send(ENTER)
        yield* now.gets("Read.")
        assert.include(sent(now), "the word is heron")
        assert.include(sent(now), "from the shell")
        now.answers(textAnswer("Hello Ada."))
        yield* now.says("§greet Ada")
        yield* now.gets("Hello Ada.")
        assert.include(String(now.lastMessage()), "warmly")
        yield* now.says("§")
        yield* now.shows("Says hello")
        yield* now.idle
        yield* now.says("/modle")
        yield* now.gets("Did you mean /model?")
      })
    )
  )

  it.live("Ctrl+O shows the last output whole; an earlier message is edited by Esc Esc; /undo takes files back", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({ args: ["--mode", "auto"] })
        now.answers(bash("seq 1 60"), textAnswer("Counted."))
        yield* now.says("count")
        yield* now.gets("Counted.")
        assert.notInclude(now.lines().join("\n"), "\n  30\n")
        now.send("\u000f")
        yield* now.until("all of it", ({ lines }) => lines().includes("30"))

        now.answers(write("made.txt", "by the model\n"), textAnswer("Made it."))
        yield* now.says("make a file")
        yield* now.gets("Made it.")
        assert.isTrue(existsSync(join(now.box.folder, "made.txt")))
        yield* now.says("/undo")
        yield* now.shows("+ by the model")
        yield* now.shows("❯ The conversation only")
        now.send("j")
        yield* now.shows("❯ The conversation and 1 file")
        now.send(ENTER)
        yield* now.shows("▸ make a file")
        assert.isFalse(existsSync(join(now.box.folder, "made.txt")))
        now.send(CTRL_C)
        yield* now.idle

        now.send(ESC)
        yield* now.shows("Esc again")
        now.send(ESC)
        yield* now.shows("❯ count")
        now.send(ENTER)
        yield* now.shows("▸ count")
        now.answers(textAnswer("A new branch."))
        yield* now.types(" to ten")
        now.send(ENTER)
        yield* now.gets("A new branch.")
        assert.include(sent(now), "user: count to ten")
        assert.notInclude(sent(now), "make a file")

        yield* now.says("/tree")
        yield* now.shows("Go to")
        yield* now.shows("count to ten")
        yield* now.shows("make a file")
        now.send(ESC)
        yield* now.idle
      })
    )
  )

  it.live("/rename, /new, /load, /fork, /clear: each session keeps what was said in it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk()
        now.answers(textAnswer("The first answer."))
        yield* now.says("the first question")
        yield* now.gets("The first answer.")
        yield* now.says("/rename alpha")
        yield* now.gets("The session is now called alpha.")
        assert.include(now.raw(), "maia · alpha", "the title of the window")

        yield* now.says("/new")
        yield* now.until("another session", ({ raw }) =>
          /maia · session_/.test(raw().slice(raw().lastIndexOf("alpha")))
        )
        yield* now.idle
        now.answers(textAnswer("The second answer."))
        yield* now.says("the second question")
        yield* now.gets("The second answer.")
        assert.notInclude(sent(now), "the first question")

        yield* now.says("/load alpa")
        yield* now.gets("Near names: alpha")
        yield* now.says("/load")
        yield* now.shows("the first question")
        yield* now.shows("❯ session_")
        now.send("j")
        yield* now.shows("❯ alpha")
        now.send(ENTER)
        yield* now.until(
          "what was said",
          ({ lines }) => lines().filter((row) => row === "The first answer.").length === 2
        )
        yield* now.idle
        yield* now.says("/fork")
        yield* now.until("a copy", ({ raw }) => /maia · alpha_2|maia · alpha__?\d/.test(raw()))
        yield* now.idle
        now.answers(textAnswer("The third answer."))
        yield* now.says("the third question")
        yield* now.gets("The third answer.")
        assert.include(sent(now), "the first question")
        assert.strictEqual(sessions(now).length, 3, sessions(now).join())
        assert.notInclude(JSON.stringify(now.box.session("alpha")), "the third question")

        yield* now.says("/clear")
        yield* now.gets("The conversation starts anew.")
        now.answers(textAnswer("The fourth answer."))
        yield* now.says("the fourth question")
        yield* now.gets("The fourth answer.")
        assert.notInclude(sent(now), "the first question")
      })
    )
  )

  it.live("/compact, /model, /export, /copy, and -c goes on where it was left", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const base = yield* withServer({
          server: {
            models: ["test-model", "other-model"],
            modelInfo: { data: [{ model_name: "test-model", model_info: { max_input_tokens: 40_000 } }] }
          }
        })
        const now = yield* open(base)
        now.answers(textAnswer("A **long** answer of many words. ".repeat(40)))
        yield* now.says("speak at length")
        yield* now.gets("A long answer")
        yield* now.says("/copy")
        yield* now.gets("Copied")
        const [, copied = ""] = /\u001b\]52;c;([^\u0007]*)\u0007/.exec(now.raw()) ?? []
        assert.include(Buffer.from(copied, "base64").toString(), "A **long** answer")
        now.answers(textAnswer(SUMMARY))
        yield* now.says("/compact --new-session the birds")
        yield* now.gets("The conversation goes on in")
        assert.include(now.lines().join("\n"), "• parler longuement", "the summary is shown")
        assert.isTrue(now.server.chats.some(({ text }) => text.includes("the birds")))
        assert.match(sessions(now).join(), /__1/)
        yield* now.says("/model other-modl")
        yield* now.gets("Near names: other-model")
        yield* now.says("/model OTHER")
        yield* now.until("the other model", ({ screen }) => screen().some((row) => row.startsWith("other-model")))
        now.answers(textAnswer("From the other."))
        yield* now.says("go on")
        yield* now.gets("From the other.")
        assert.strictEqual(now.lastRequest()?.body.model, "other-model")
        assert.include(sent(now), "parler longuement")
        assert.notInclude(sent(now), "speak at length")
        yield* now.says("/export md talk.md")
        yield* now.gets("Written:")
        assert.include(now.box.read("talk.md"), "From the other.")
        yield* now.says("/exit")
        assert.strictEqual(yield* now.exit, 0)

        const next = yield* open({ ...base, args: ["-c", "and what now?"] })
        next.answers(textAnswer("We went on."))
        yield* next.gets("We went on.")
        assert.include(sent(next), "parler longuement")
        assert.include(next.lines().join("\n"), "› go on")
        assert.include(next.lines().join("\n"), "• parler longuement", "the summary is shown again")
      })
    )
  )

  it.live("at the iteration limit the user may go on", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({ args: ["--mode", "auto"], settings: { maxIterations: 2 } })
        now.answers(bash("echo 1"), bash("echo 2"), textAnswer("Two of four are done."))
        yield* now.says("do four things")
        yield* now.shows("Go on?")
        now.answers(bash("echo 3"), textAnswer("All four are done."))
        now.send("y")
        yield* now.gets("All four are done.")
        assert.include(now.lines().join("\n"), "Two of four are done.")
      })
    )
  )

  it.live("Ctrl+G writes the request in the editor", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({ env: { EDITOR: `sh -c 'printf " and more\\nlines" >> "$1"' sh` } })
        yield* now.types("begun here")
        now.send("\u0007")
        yield* now.until(
          "the text of the editor",
          (program) => input(program).join("|") === "begun here and more|lines"
        )
        now.answers(textAnswer("Read."))
        now.send(ENTER)
        yield* now.gets("Read.")
        assert.strictEqual(now.lastMessage(), "begun here and more\nlines")
        now.send(UP)
        yield* now.until("the same again", (program) => input(program).join("|") === "begun here and more|lines")
        assert.include(now.raw(), "\u001b[?2004h")
        assert.isFalse(now.isCooked())
      })
    )
  )
})
