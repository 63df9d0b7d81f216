/** Real commands in a real sandbox, and why there is none where it cannot be. */
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Sandbox, sandboxLayer } from "../../../src/process/sandbox/Sandbox.ts"
import { testConfigLayer, type TestConfig } from "../../support/testConfig.ts"

export interface Folders {
  readonly root: string
  readonly home: string
  readonly project: string
}

/** Not in `/tmp`, which is another one in the sandbox. */
export const folders = Effect.acquireRelease(
  Effect.sync((): Folders => {
    const root = fs.realpathSync(fs.mkdtempSync("/var/tmp/maia-sandbox-test-"))
    fs.mkdirSync(path.join(root, "home"))
    fs.mkdirSync(path.join(root, "project"))
    return { root, home: path.join(root, "home"), project: path.join(root, "project") }
  }),
  ({ root }) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
)

/** Printed once; undefined where the sandbox can be tested. */
export const noSandbox: string | undefined = ((): string | undefined => {
  if (process.platform !== "linux") return "bubblewrap is for Linux"
  try {
    const tried = Bun.spawnSync([
      "bwrap",
      "--unshare-pid",
      "--unshare-net",
      "--ro-bind",
      "/",
      "/",
      "--proc",
      "/proc",
      "true"
    ])
    return tried.success ? undefined : tried.stderr.toString().trim()
  } catch (cause) {
    return String(cause)
  }
})()

export type Options = Partial<TestConfig["settings"]> & Partial<Pick<TestConfig, "platform" | "env">>

export const sandboxed = ({ home, project }: Folders, { platform, env, ...settings }: Options = {}) =>
  // Fresh: a test may start a second one inside the first.
  Layer.fresh(sandboxLayer).pipe(
    Layer.provide(
      testConfigLayer({
        launchFolder: project,
        home,
        settings: { sandbox: "required", ...settings },
        ...(platform === undefined ? {} : { platform }),
        ...(env === undefined ? {} : { env })
      })
    )
  )

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a bash command the way a caller does, to its end. */
export const run = Effect.fnUntraced(function* (at: Folders, command: string) {
  const sandbox = yield* Sandbox
  const { argv } = yield* sandbox.wrap(["bash", "--noprofile", "--norc", "-c", command], at.project)
  return yield* Effect.promise(async (): Promise<Ran> => {
    const child = Bun.spawn([...argv], {
      cwd: at.project,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: at.home, SSH_AUTH_SOCK: "/tmp/agent" }
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    return { code: await child.exited, out, err }
  })
})
