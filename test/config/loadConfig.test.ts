import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadConfig, type LaunchFlags } from "../../src/config/loadConfig.ts"
import { modelSettings } from "../../src/config/modelSettings.ts"

interface Files {
  readonly [path: string]: unknown
}

/** Runs `use` with a home and a project folder that hold the files. */
const withFiles = <A, E>(files: Files, use: (folders: { home: string; project: string }) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "maia-config-")))
      const folders = { home: join(root, "home"), project: join(root, "project") }
      for (const folder of Object.values(folders)) mkdirSync(join(folder, ".maia"), { recursive: true })
      for (const [path, value] of Object.entries(files)) {
        writeFileSync(join(root, path), typeof value === "string" ? value : JSON.stringify(value))
      }
      return { root, folders }
    }),
    ({ folders }) => use(folders),
    ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )

const load = (folders: { home: string; project: string }, env: Record<string, string> = {}, flags: LaunchFlags = {}) =>
  loadConfig({
    flags: { cwd: folders.project, ...flags },
    env: { HOME: folders.home, ...env },
    platform: "linux",
    version: "1.0.0"
  })

describe("loadConfig", () => {
  it.effect("takes flags over environment over project over user over defaults", () =>
    withFiles(
      {
        "home/.maia/settings.json": {
          LiteLLM_URL: "http://user:1",
          model: "user",
          maxIterations: 3,
          MaxOutputTokens: 7
        },
        "project/.maia/settings.json": { model: "project", maxIterations: 4 }
      },
      (folders) =>
        Effect.gen(function* () {
          const plain = yield* load(folders)
          assert.strictEqual(plain.settings.model, "project")
          assert.strictEqual(plain.settings.maxIterations, 4)
          assert.strictEqual(plain.settings.MaxOutputTokens, 7)
          const env = yield* load(folders, { MAIA_MODEL: "litellm:env", LITELLM_URL: "http://env:2/" })
          assert.strictEqual(env.settings.model, "env")
          assert.strictEqual(env.settings.LiteLLM_URL, "http://env:2")
          assert.deepStrictEqual(env.origins.get("model"), { from: "environment", name: "MAIA_MODEL" })
          const flagged = yield* load(folders, { MAIA_MODEL: "env" }, { model: "flag", maxIterations: 9 })
          assert.strictEqual(flagged.settings.model, "flag")
          assert.strictEqual(flagged.settings.maxIterations, 9)
        })
    )
  )

  it.effect("takes the model from config.json: project, then user, then settings", () =>
    withFiles(
      {
        "home/.maia/settings.json": { model: "settings" },
        "home/.maia/config.json": { model: "user-choice" },
        "project/.maia/config.json": { model: "litellm:org/name:8b" }
      },
      (folders) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* load(folders)).settings.model, "org/name:8b")
        })
    )
  )

  it.effect("uses OPENAI_* only where settings are silent, and drops the customary /v1", () =>
    withFiles({}, (folders) =>
      Effect.gen(function* () {
        const config = yield* load(folders, { OPENAI_BASE_URL: "https://api.example/v1/", OPENAI_API_KEY: "sk-secret" })
        assert.strictEqual(config.settings.LiteLLM_URL, "https://api.example")
        assert.strictEqual(config.apiKey === undefined ? "" : Redacted.value(config.apiKey), "sk-secret")
        assert.notInclude(JSON.stringify({ ...config, env: {} }), "sk-secret")
        assert.notInclude(String(config.apiKey), "sk-secret")
        const both = yield* load(folders, { OPENAI_BASE_URL: "https://a", LITELLM_URL: "http://b" })
        assert.strictEqual(both.settings.LiteLLM_URL, "http://b")
      })
    )
  )

  it.effect("a project cannot say where prompts go", () =>
    withFiles({ "project/.maia/settings.json": { LiteLLM_URL: "http://evil", LiteLLM_API_Key: "k" } }, (folders) =>
      Effect.gen(function* () {
        const config = yield* load(folders)
        assert.strictEqual(config.settings.LiteLLM_URL, undefined)
        assert.strictEqual(config.apiKey, undefined)
        assert.strictEqual(config.warnings.length, 2)
      })
    )
  )

  it.effect("adds the rules of both files and of the flags", () =>
    withFiles(
      {
        "home/.maia/settings.json": { permissions: { allow: ["Read(**)"] } },
        "project/.maia/settings.json": { permissions: { deny: ["Bash(rm *)"] } }
      },
      (folders) =>
        Effect.gen(function* () {
          const config = yield* load(folders, {}, { allow: ["Bash(ls *)"] })
          assert.deepStrictEqual(
            config.rules.map(({ rule, kind, scope }) => [rule, kind, scope]),
            [
              ["Read(**)", "allow", "user"],
              ["Bash(rm *)", "deny", "project"],
              ["Bash(ls *)", "allow", "flag"]
            ]
          )
        })
    )
  )

  it.effect("fails in one line for a wrong value, a bad flag rule and a missing folder", () =>
    withFiles({ "home/.maia/settings.json": '{ "LiteLLM_URL": "localhost" }' }, (folders) =>
      Effect.gen(function* () {
        const wrong = yield* Effect.flip(load(folders))
        assert.match(wrong.message, /settings\.json:1: "LiteLLM_URL" must be a URL .* Example: /)
        const missing = yield* Effect.flip(load({ ...folders, project: `${folders.project}/nowhere` }))
        assert.match(missing.message, /does not exist/)
      })
    )
  )

  it.effect("picks the language of the settings before that of the locale", () =>
    withFiles({ "home/.maia/settings.json": { language: "en" } }, (folders) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* load(folders, { LANG: "fr_FR.UTF-8" })).language, "en")
      })
    )
  )
})

describe("modelSettings", () => {
  it.effect("merges all matching patterns, the most precise winning key by key", () =>
    withFiles(
      {
        "home/.maia/settings.json": {
          models: {
            "*": { temperature: 1, contextWindow: 1 },
            "own*": { contextWindow: 2 },
            "own-model:x": { topP: 0.5 }
          }
        }
      },
      (folders) =>
        Effect.gen(function* () {
          const { settings } = yield* load(folders)
          assert.deepStrictEqual(modelSettings(settings, "Own-model:x"), {
            temperature: 1,
            contextWindow: 2,
            topP: 0.5
          })
          assert.deepStrictEqual(modelSettings(settings, "llama"), { temperature: 1, contextWindow: 1 })
        })
    )
  )
})
