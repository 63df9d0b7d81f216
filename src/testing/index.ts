/** `maia/testing`: what a test needs to run maia's layers without a server. */
export * as ScriptedLlm from "./ScriptedLlm.ts"
export { testConfig, testConfigLayer, type TestConfig } from "./testConfig.ts"
