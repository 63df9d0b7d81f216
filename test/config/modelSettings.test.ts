import { assert, describe, it } from "@effect/vitest"
import { modelSettings, parametersOf, resolveModel } from "../../src/config/modelSettings.ts"
import { profiles } from "../../src/config/profiles.ts"
import { defaultSettings, type ModelSettings, type Settings } from "../../src/config/settings.ts"

const withModels = (models: Record<string, ModelSettings>): Settings => ({ ...defaultSettings, models })
const none = withModels({})

describe("the profile of a model", () => {
  for (const [model, name] of [
    ["qwen3:4b", "qwen3"],
    ["Qwen/Qwen3-30B-A3B-Instruct-2507", "qwen3-instruct"],
    ["ollama/qwen3-coder:30b", "qwen3-coder"],
    ["qwen2.5-coder:7b", "qwen2.5"],
    ["hf.co/unsloth/gemma-3-27b-it-GGUF:Q4_K_M", "gemma"],
    ["gemma3:12b", "gemma"],
    ["openai/gpt-oss-20b", "gpt-oss"],
    ["Devstral-Small-2507", "devstral"],
    ["mistral-small3.2", "mistral"],
    ["Mixtral-8x7B-Instruct", "mistral"],
    ["deepseek-r1:8b", "deepseek-r1"],
    ["llama3.1:8b", "llama"],
    ["ai/smollm2", "smollm2"],
    ["SmolLM3-3B", "smollm3"],
    ["phi-4-mini", "phi"],
    ["gpt-5", undefined],
    ["claude-opus-4", undefined],
    ["gemini-3-pro", undefined],
    ["o4-mini", undefined],
    ["graphite", undefined]
  ] as const) {
    it(`${model}: ${name ?? "none"}`, () => assert.strictEqual(resolveModel(none, model).profile?.name, name))
  }

  it("of a hosted model sends nothing that nobody has set", () => {
    assert.deepStrictEqual(modelSettings(none, "gpt-5"), {})
    assert.deepStrictEqual(modelSettings(none, "anthropic/claude-sonnet-4"), {})
  })

  it("has a name of its own", () => {
    const names = profiles.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
  })
})

describe("the size in a model's name", () => {
  for (const [model, billions] of [
    ["qwen3:4b", 4],
    ["qwen3-30b-a3b", 30],
    ["SmolLM2-135M-Instruct", 0.135],
    ["mixtral-8x7b", 56],
    ["llama-3.2-1b", 1],
    ["qwen2.5-coder:1.5b", 1.5],
    ["gpt-4b-turbo-2", 4],
    ["claude-3", undefined],
    ["gpt-5", undefined],
    ["model-v2b3", undefined],
    ["m", undefined]
  ] as const) {
    it(`${model}: ${billions ?? "not said"}`, () => assert.strictEqual(parametersOf(model), billions))
  }

  it("makes small models read files themselves, with short results and the short prompt", () => {
    const { attachments, outputLimit, prompt, tools } = modelSettings(none, "qwen3:4b")
    assert.deepStrictEqual([attachments, outputLimit, prompt], ["path", 8_000, "short"])
    assert.include(tools ?? [], "Edit")
    assert.isUndefined(modelSettings(none, "qwen3:30b").prompt)
  })
})

describe("settings over the profile", () => {
  it("win key by key, the more precise pattern last, and each value has its origin", () => {
    const settings = withModels({ "qwen*": { temperature: 0, topK: 5 }, "qwen3:4b": { topK: 7, prompt: "full" } })
    const { origins, settings: merged } = resolveModel(settings, "qwen3:4b")
    assert.deepStrictEqual([merged.temperature, merged.topK, merged.topP, merged.prompt], [0, 7, 0.95, "full"])
    assert.deepStrictEqual(origins.get("temperature"), { from: "settings", pattern: "qwen*" })
    assert.deepStrictEqual(origins.get("topK"), { from: "settings", pattern: "qwen3:4b" })
    assert.deepStrictEqual(origins.get("topP"), { from: "profile", name: "qwen3" })
    assert.deepStrictEqual(origins.get("outputLimit"), { from: "size", name: "up to 4B" })
  })

  it("choose another profile, or none", () => {
    const chosen = withModels({ "my-model": { profile: "gemma" }, "qwen3:4b": { profile: "none" } })
    assert.strictEqual(modelSettings(chosen, "my-model").topK, 64)
    assert.deepStrictEqual(modelSettings(chosen, "qwen3:4b"), { profile: "none" })
  })
})
