/** The library's `Config` for tests, on this machine's platform and with its PATH, so that programs can be started. */
import { Layer } from "effect"
import { Config } from "../../src/config/Config.ts"
import { testConfig as plainConfig, type TestConfig } from "../../src/testing/testConfig.ts"

export type { TestConfig }

export const testConfig = (options: TestConfig): Config["Service"] => {
  const config = plainConfig({ platform: process.platform, ...options })
  return options.env === undefined ? { ...config, env: { ...config.env, PATH: process.env["PATH"] } } : config
}

export const testConfigLayer = (options: TestConfig) => Layer.succeed(Config, Config.of(testConfig(options)))
