/** The folders that rules are judged by, as they really are. */
import type { Config } from "../config/Config.ts"
import { ignoresCase, realOrParent } from "../process/paths.ts"
import type { JudgeContext } from "./judgement.ts"

export const placesOf = (config: Config["Service"]): JudgeContext["places"] => ({
  launchFolder: config.launchFolder,
  home: config.home,
  outputDir: realOrParent(config.outputDir),
  ignoreCase: ignoresCase(config.launchFolder)
})
