/**
 * Runs commands in a sandbox (spec 03): bubblewrap on Linux, `sandbox-exec` on macOS. Changes command lines; starts nothing but
 * one test of bubblewrap. Whoever starts a command on behalf of the model asks here first; what the user types is not wrapped.
 *
 * A sandboxed command can write in the launch folder (but not in its `.maia`, `.git/hooks`, `.git/config`), in the folder of
 * whole outputs and in a private `/tmp` that lasts as long as maia; it sees no secrets, no processes but its own, and no
 * network unless `sandboxNetwork` is set. It and all it started end together.
 */
import { enterSandbox, type SandboxUser } from "./users.ts"
import { Context, Effect, Layer, Schema } from "effect"
import { Config } from "../../config/Config.ts"
import { text, Text } from "../../domain/text.ts"
import { bubblewrapCommand, explainBubblewrap } from "./bubblewrap.ts"
import {
  findProgram,
  findSurroundings,
  makeTemporary,
  type Placeholders,
  planSandbox,
  removePlaceholders,
  removeTemporary,
  type Surroundings
} from "./layout.ts"
import type { SandboxPlan } from "./plan.ts"
import { SANDBOX_EXEC, seatbeltCommand } from "./seatbelt.ts"

/** The command must not run. */
export class SandboxUnavailable extends Schema.TaggedError<SandboxUnavailable>()("SandboxUnavailable", { text: Text }) {
  override get message(): string {
    return this.text.en
  }
}

export interface WrappedCommand {
  /** Program and arguments to start in place of the given ones. */
  readonly argv: ReadonlyArray<string>
}

export interface SandboxService {
  /**
   * `cwd`: absolute, where the command will be started. The same command line with `sandbox: off`, and with `auto` where
   * there is no sandbox. Fails with `required` and none, and where this folder cannot be protected.
   */
  readonly wrap: (argv: ReadonlyArray<string>, cwd?: string) => Effect.Effect<WrappedCommand, SandboxUnavailable>
  /** Why commands run without the sandbox that `auto` asks for; to be said once. Tests the sandbox when nothing has yet. */
  readonly warning: Effect.Effect<Text | undefined>
  /** Why this machine has no sandbox; undefined where there is one, and with `sandbox: off`, where nothing is tested. */
  readonly missing: Effect.Effect<Text | undefined>
}

/** Without `sandboxLayer`, commands run as they are. */
export const Sandbox = Context.Reference<SandboxService>("maia/process/Sandbox", {
  defaultValue: () => ({
    wrap: (argv) => Effect.succeed({ argv }),
    warning: Effect.undefined,
    missing: Effect.undefined
  })
})

/** The sandbox the settings ask for. The first use makes a private folder and tests bubblewrap; both go with the scope. */
export const sandboxLayer: Layer.Layer<never, never, Config> = Layer.effect(
  Sandbox,
  Effect.suspend(() => make)
)

type Wrap = (plan: SandboxPlan, argv: ReadonlyArray<string>, cwd: string | undefined) => ReadonlyArray<string>

/** How to wrap, or why nothing can. */
type Found = { readonly wrap: Wrap } | { readonly missing: Text }

const make = Effect.gen(function* () {
  const config = yield* Config
  const { sandbox } = config.settings
  if (sandbox === "off") return Sandbox.defaultValue()
  const placeholders: Placeholders = new Set()
  let temporary: string | undefined
  let user: SandboxUser | undefined
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      removePlaceholders(user === undefined ? placeholders : user.leave(placeholders))
      if (temporary !== undefined) removeTemporary(temporary)
    })
  )
  let around: Surroundings | undefined

  const plan = Effect.gen(function* () {
    const planned = yield* Effect.try({
      try: () => {
        user ??= enterSandbox(config.cacheDir, config.launchFolder)
        temporary ??= makeTemporary(config.env["TMPDIR"] ?? "/tmp")
        around ??= findSurroundings(config)
        return planSandbox(config, around, temporary, placeholders)
      },
      catch: (cause) => new SandboxUnavailable({ text: cannotProtect(filesystemProblem(cause)) })
    })
    if ("problem" in planned) return yield* new SandboxUnavailable({ text: cannotProtect(planned.problem) })
    return planned
  })

  let known: Found | undefined
  const found = Effect.suspend(() =>
    known === undefined
      ? Effect.tap(find(config, plan), (how) => Effect.sync(() => (known = how)))
      : Effect.succeed(known)
  )

  const wrap = Effect.fn("Sandbox.wrap")(function* (argv: ReadonlyArray<string>, cwd?: string) {
    const how = yield* found
    if ("wrap" in how) return { argv: how.wrap(yield* plan, argv, cwd) }
    if (sandbox === "auto") return { argv }
    return yield* new SandboxUnavailable({ text: requiredButMissing(how.missing) })
  })

  const warning = found.pipe(
    Effect.map((how) => (sandbox === "auto" && "missing" in how ? withoutSandbox(how.missing) : undefined)),
    // A folder that cannot be protected is said by each command that is refused.
    Effect.orElseSucceed(() => undefined)
  )

  const missing = found.pipe(
    Effect.map((how) => ("missing" in how ? how.missing : undefined)),
    Effect.catchTag("SandboxUnavailable", (error) => Effect.succeed(error.text))
  )

  return { wrap, warning, missing } satisfies SandboxService
})

const find = Effect.fnUntraced(function* (
  { env, launchFolder, platform }: Config["Service"],
  plan: Effect.Effect<SandboxPlan, SandboxUnavailable>
): Effect.fn.Return<Found, SandboxUnavailable> {
  if (platform === "darwin") {
    const program = findProgram("sandbox-exec", ["/usr/bin"], launchFolder)
    return program === SANDBOX_EXEC ? { wrap: seatbeltCommand } : { missing: notInstalled(SANDBOX_EXEC) }
  }
  if (platform !== "linux") return { missing: noneFor(platform) }
  const folders = [...(env["PATH"] ?? "").split(":"), "/usr/bin", "/usr/local/bin", "/bin"]
  const program = findProgram("bwrap", folders, launchFolder)
  if (program === undefined) return { missing: notInstalled("bubblewrap") }
  const wrap: Wrap = (planned, argv, cwd) => bubblewrapCommand(program, planned, argv, cwd)
  const failed = yield* probe(wrap(yield* plan, ["/bin/sh", "-c", ":"], launchFolder))
  return failed === undefined ? { wrap } : { missing: explainBubblewrap(failed) }
})

/** Milliseconds; measured: 5. */
const probeLimit = 5_000

/**
 * What it printed, where it does not work. Raw `Bun.spawn`: one process, its error output and its exit, without a scope.
 */
const probe = (command: ReadonlyArray<string>): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    try {
      const child = Bun.spawn([...command], {
        stdio: ["ignore", "ignore", "pipe"],
        timeout: probeLimit,
        killSignal: "SIGKILL",
        env: { LC_ALL: "C" }
      })
      const printed = await new Response(child.stderr).text()
      return (await child.exited) === 0 ? undefined : printed
    } catch (cause) {
      return cause instanceof Error ? cause.message : String(cause)
    }
  })

const filesystemProblem = (cause: unknown): Text => {
  const said = cause instanceof Error ? cause.message : String(cause)
  return text(`the folder cannot be prepared (${said})`, `le dossier ne peut pas être préparé (${said})`)
}

const cannotProtect = (why: Text): Text =>
  text(
    `This folder cannot be protected in the sandbox: ${why.en}. Or set "sandbox": "off" in ~/.maia/settings.json.`,
    `Ce dossier ne peut pas être protégé dans le bac à sable : ${why.fr}. Ou réglez "sandbox": "off" dans ~/.maia/settings.json.`
  )

const requiredButMissing = (why: Text): Text =>
  text(
    `The settings require a sandbox ("sandbox": "required"), but ${why.en}. No command is run without it.`,
    `Les réglages exigent un bac à sable ("sandbox": "required"), mais ${why.fr}. Aucune commande n'est exécutée sans lui.`
  )

const withoutSandbox = (why: Text): Text =>
  text(
    `Commands run without a sandbox ("sandbox": "auto"): ${why.en}.`,
    `Les commandes s'exécutent sans bac à sable ("sandbox": "auto") : ${why.fr}.`
  )

const notInstalled = (program: string): Text => text(`${program} is not installed`, `${program} n'est pas installé`)

const noneFor = (platform: string): Text => text(`there is none for ${platform}`, `il n'y en a pas pour ${platform}`)
