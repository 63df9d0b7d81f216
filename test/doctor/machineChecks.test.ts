import { assert, describe, it } from "@effect/vitest"
import { text } from "../../src/domain/text.ts"
import {
  badSettings,
  judgeSandbox,
  judgeSearch,
  judgeSettings,
  judgeTerminal,
  judgeTrust
} from "../../src/doctor/machineChecks.ts"
import { testConfig } from "../support/testConfig.ts"

const terminal = { isTerminal: true, isInputTerminal: true, columns: 120, rows: 40 }
const utf8 = { LANG: "en_US.UTF-8", TERM: "xterm-256color" }

describe("maia doctor, the terminal", () => {
  it("names size and colours", () => {
    const found = judgeTerminal(terminal, { ...utf8, COLORTERM: "truecolor" })
    assert.strictEqual(found.status, "ok")
    assert.include(found.message.en, "120×40, 16 million colours")
  })

  it("honours NO_COLOR", () => {
    assert.include(judgeTerminal(terminal, { ...utf8, NO_COLOR: "1" }).message.en, "no colours")
  })

  for (const [symptom, facts, env, words] of [
    ["too small", { ...terminal, columns: 40 }, utf8, /40×40/],
    ["no UTF-8", terminal, { LANG: "C" }, /UTF-8/],
    ["LC_ALL wins over LANG", terminal, { LANG: "en_US.UTF-8", LC_ALL: "C" }, /UTF-8/],
    ["dumb", terminal, { ...utf8, TERM: "dumb" }, /TERM=dumb/],
    ["nobody can type", { ...terminal, isInputTerminal: false }, utf8, /input/]
  ] as const) {
    it(`warns: ${symptom}`, () => {
      const found = judgeTerminal(facts, env)
      assert.strictEqual(found.status, "warning")
      assert.match(found.message.en, words)
      assert.isDefined(found.advice)
    })
  }

  it("is left out where the output is a file", () => {
    assert.strictEqual(judgeTerminal({ ...terminal, isTerminal: false }, utf8).status, "skipped")
  })
})

describe("maia doctor, sandbox, search, trust, settings", () => {
  const missing = text("bubblewrap is not installed", "bubblewrap n'est pas installé")

  it("a sandbox that is required and missing fails, one that would be used warns, one that is off is information", () => {
    assert.strictEqual(judgeSandbox("required", missing).status, "failure")
    assert.strictEqual(judgeSandbox("auto", missing).status, "warning")
    assert.strictEqual(judgeSandbox("off", missing).status, "ok")
    assert.include(judgeSandbox("off", undefined).advice?.en, '"sandbox": "auto"')
    assert.strictEqual(judgeSandbox("auto", undefined).status, "ok")
  })

  it("a missing ripgrep warns", () => {
    assert.strictEqual(judgeSearch(undefined).status, "warning")
    assert.strictEqual(judgeSearch("/usr/bin/rg").status, "ok")
  })

  it("an untrusted folder warns and names what is ignored", () => {
    const report = {
      folder: "/p",
      parts: [{ name: "settings.json", state: "new" as const }],
      problem: undefined,
      content: new Map()
    }
    const found = judgeTrust({ ...report, status: "untrusted" })
    assert.strictEqual(found.status, "warning")
    assert.include(found.message.en, "settings.json")
    assert.strictEqual(judgeTrust({ ...report, parts: [], status: "trusted" }).status, "ok")
    assert.strictEqual(judgeTrust({ ...report, parts: [], status: "nothing-to-trust" }).status, "ok")
  })

  it("settings: problems fail, warnings warn, nothing set warns", () => {
    assert.strictEqual(badSettings([text("a", "b"), text("c", "d")]).message.en, "a c")
    const plain = testConfig({ launchFolder: "/p" })
    assert.strictEqual(judgeSettings(plain).status, "warning")
    const set = { ...plain, origins: new Map([["model", { from: "environment", name: "MAIA_MODEL" } as const]]) }
    assert.strictEqual(judgeSettings(set).status, "ok")
    assert.strictEqual(judgeSettings({ ...set, warnings: [missing, missing] }).message.en, `${missing.en} (+1)`)
  })
})
