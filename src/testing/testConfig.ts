/**
 * A `Config` for tests: given folders and settings; no file and no environment is read.
 */
import { Layer } from "effect"
import { Config } from "../config/Config.ts"
import { defaultSettings, type Settings } from "../config/settings.ts"

export type TestConfig = Partial<Omit<Config["Service"], "settings">> & {
  readonly launchFolder: string
  readonly settings?: Partial<Settings>
}

export const testConfig = (options: TestConfig): Config["Service"] => {
  const home = options.home ?? `${options.launchFolder}/.home`
  const { settings, ...rest } = options
  return {
    home,
    userDir: `${home}/.maia`,
    projectDir: `${options.launchFolder}/.maia`,
    outputDir: `${home}/.cache/maia/output`,
    cacheDir: `${home}/.cache/maia`,
    env: { HOME: home },
    platform: "linux",
    apiKey: undefined,
    origins: new Map(),
    rules: [],
    extensionSettings: [],
    warnings: [],
    language: "en",
    version: "0.0.0",
    ...rest,
    settings: { ...defaultSettings, ...settings }
  }
}

export const testConfigLayer = (options: TestConfig) => Layer.succeed(Config, Config.of(testConfig(options)))
