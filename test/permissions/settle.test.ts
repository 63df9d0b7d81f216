/** Questions one at a time, and what an answer settles for those who wait (spec 03). */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import type { PermissionAnswer } from "../../src/domain/agent-event.ts"
import { text } from "../../src/domain/text.ts"
import { Approver } from "../../src/permissions/Approver.ts"
import { Permissions, type PermissionCall, type Rule } from "../../src/permissions/Permissions.ts"
import { permissionsLayer } from "../../src/permissions/PermissionsLive.ts"
import { makeQuestionTurns } from "../../src/permissions/QuestionTurns.ts"
import { settle, type Judges } from "../../src/permissions/settle.ts"
import { testConfigLayer, type TestConfig } from "../support/testConfig.ts"

interface Asked {
  readonly question: string
  readonly subject: string
  readonly answer: (answer: PermissionAnswer | { readonly answer: "unavailable" }) => Effect.Effect<void>
}

/** A person whom the test speaks for. */
const judges = (options: Partial<TestConfig> = {}) =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const waiting: Array<Deferred.Deferred<Asked>> = []
    const approver = Approver.of({
      ask: (_tool, question) =>
        Effect.gen(function* () {
          const answered = yield* Deferred.make<PermissionAnswer | { readonly answer: "unavailable" }>()
          const one: Asked = {
            question: question.asker?.en ?? "",
            subject: question.subject,
            answer: (given) => Effect.asVoid(Deferred.succeed(answered, given))
          }
          const next = waiting.shift()
          if (next === undefined) asked.push(one)
          else yield* Deferred.succeed(next, one)
          return yield* Deferred.await(answered)
        })
    })
    const layer = permissionsLayer.pipe(Layer.provide(testConfigLayer({ launchFolder: "/nowhere/app", ...options })))
    const permissions = yield* Effect.provide(Permissions, yield* Layer.build(layer))
    const next = Effect.gen(function* () {
      const known = asked.shift()
      if (known !== undefined) return known
      const deferred = yield* Deferred.make<Asked>()
      waiting.push(deferred)
      return yield* Deferred.await(deferred)
    })
    const all: Judges = { permissions, approver, turns: makeQuestionTurns() }
    return { judges: all, next, asked }
  })

const bash = (command: string): PermissionCall => ({ tool: "Bash", input: { command }, fallback: "ask" })
const rule = (kind: Rule["kind"], said: string): Rule => ({
  text: said,
  kind,
  scope: "user",
  file: "AGENT.md",
  line: 1
})

describe("settle", () => {
  it.effect("asks one after the other, and an always settles the call that waits", () =>
    Effect.gen(function* () {
      const person = yield* judges()
      const run = (command: string) =>
        Effect.forkChild(settle(person.judges, bash(command)), { startImmediately: true })
      const first = yield* run("make a")
      const second = yield* run("make a")
      const third = yield* run("make b")
      const question = yield* person.next
      assert.deepStrictEqual([question.subject, person.asked.length], ["make a", 0])
      yield* question.answer({ answer: "always", rule: "Bash(make a)", scope: "session" })
      assert.deepStrictEqual(yield* Fiber.join(first), { outcome: "allow", rule: "Bash(make a)" })
      assert.deepStrictEqual(yield* Fiber.join(second), { outcome: "allow", rule: "Bash(make a)" })
      const other = yield* person.next
      assert.strictEqual(other.subject, "make b")
      yield* other.answer({ answer: "no", reason: "not now" })
      assert.deepStrictEqual(yield* Fiber.join(third), { outcome: "no", reason: "not now" })
    })
  )

  it.effect("who gives up waiting lets the next one ask", () =>
    Effect.gen(function* () {
      const person = yield* judges()
      const first = yield* Effect.forkChild(settle(person.judges, bash("one")), { startImmediately: true })
      const second = yield* Effect.forkChild(settle(person.judges, bash("two")), { startImmediately: true })
      yield* person.next
      yield* Fiber.interrupt(first)
      const question = yield* person.next
      assert.strictEqual(question.subject, "two")
      yield* question.answer({ answer: "unavailable" })
      assert.deepStrictEqual(yield* Fiber.join(second), { outcome: "unavailable", rule: "Bash(two)" })
    })
  )

  it.effect("says who asks", () =>
    Effect.gen(function* () {
      const person = yield* judges()
      const asker = text("sub-agent reviewer", "sous-agent reviewer")
      const fiber = yield* Effect.forkChild(settle(person.judges, bash("one"), { asker }))
      const question = yield* person.next
      assert.strictEqual(question.question, "sub-agent reviewer")
      yield* question.answer({ answer: "yes" })
      assert.deepStrictEqual(yield* Fiber.join(fiber), { outcome: "allow" })
    })
  )

  it.effect("further rules only forbid: they deny and ask, and never allow", () =>
    Effect.gen(function* () {
      const rules = [
        { rule: "Bash(echo *)", kind: "allow" as const, scope: "user" as const, file: "settings.json", line: 1 },
        { rule: "Bash(echo push)", kind: "deny" as const, scope: "user" as const, file: "settings.json", line: 2 }
      ]
      const { judges: both } = yield* judges({ rules })
      const decide = (command: string, more: ReadonlyArray<Rule>) =>
        Effect.map(both.permissions.decide(bash(command), more), ({ decision }) => decision)
      assert.strictEqual(yield* decide("echo a", []), "allow")
      assert.strictEqual(yield* decide("echo a", [rule("ask", "Bash")]), "ask")
      assert.strictEqual(yield* decide("echo a", [rule("deny", "Bash(echo a)")]), "deny")
      assert.strictEqual(yield* decide("ls", [rule("allow", "Bash(ls)"), rule("allow", "Bash")]), "ask")
      assert.strictEqual(yield* decide("echo push", [rule("allow", "Bash(echo push)")]), "deny")
    }).pipe(Effect.scoped)
  )
})

describe("a rule that asks", () => {
  it.effect("no rule was of use and one was recommended; an always was offered that changed nothing", () =>
    Effect.gen(function* () {
      const { judges: all, next } = yield* judges()
      const work = settle(all, bash("git push"), { more: [rule("ask", "Bash(git push*)")] })
      const offered: Array<ReadonlyArray<string>> = []
      const question = yield* Effect.forkChild(
        settle(all, bash("git push"), {
          more: [rule("ask", "Bash(git push*)")],
          onAsk: ({ suggestions }) => Effect.sync(() => void offered.push(suggestions))
        })
      )
      yield* Effect.flatMap(next, ({ answer }) => answer({ answer: "unavailable" }))
      assert.deepStrictEqual(yield* Fiber.join(question), { outcome: "unavailable", askedBy: "Bash(git push*)" })
      assert.deepStrictEqual(offered, [[]])
      const yes = yield* Effect.forkChild(work)
      yield* Effect.flatMap(next, ({ answer }) => answer({ answer: "yes" }))
      assert.strictEqual((yield* Fiber.join(yes)).outcome, "allow")
    }).pipe(Effect.scoped)
  )
})
