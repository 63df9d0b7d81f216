/** What the entry point knows of this process, handed to the commands. */
import { Context, Effect } from "effect"
import { loadConfig, type LaunchFlags } from "../config/loadConfig.ts"

export class Launch extends Context.Service<
  Launch,
  {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly platform: NodeJS.Platform
    readonly version: string
    /** Language of messages that are printed before any settings are read. */
    readonly language: "en" | "fr"
  }
>()("maia/cli/Launch") {}

/** `Config` for this process and these flags. */
export const configFor = Effect.fn("Launch.config")(function* (flags: LaunchFlags) {
  const { env, platform, version } = yield* Launch
  return yield* loadConfig({ flags, env, platform, version })
})
