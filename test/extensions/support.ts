/** Folders on disk for tests of extensions: a home, a parent folder and a launch folder, gone with the scope. */
import { Effect, Layer, type Scope } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { TestConfig } from "../../src/testing/testConfig.ts"
import { nothing } from "../../src/extensions/Extensions.ts"
import { McpServers } from "../../src/extensions/mcp/McpServers.ts"
import { permissionsLayer } from "../../src/permissions/PermissionsLive.ts"
import { TrustState } from "../../src/permissions/trust/TrustState.ts"
import { testConfigLayer } from "../support/testConfig.ts"

export interface Folders {
  readonly root: string
  readonly home: string
  /** The folder above the launch folder. */
  readonly parent: string
  readonly project: string
  /** Writes a file below `root`. */
  readonly write: (file: string, content: string | Uint8Array, mode?: number) => string
}

export const folders: Effect.Effect<Folders, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync((): Folders => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "maia-ext-")))
    const home = path.join(root, "home")
    const parent = path.join(root, "parent")
    const project = path.join(parent, "project")
    for (const folder of [home, parent, project]) fs.mkdirSync(folder)
    const write = (file: string, content: string | Uint8Array, mode = 0o644) => {
      const absolute = path.join(root, file)
      fs.mkdirSync(path.dirname(absolute), { recursive: true })
      fs.writeFileSync(absolute, content, { mode })
      return absolute
    }
    return { root, home, parent, project, write }
  }),
  ({ root }) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
)

export interface Around {
  readonly trusted?: boolean
  readonly config?: Partial<TestConfig>
}

/** Config, rules, trust and the platform, for what is provided with it. */
export const around = ({ home, project }: Folders, { trusted = true, config = {} }: Around = {}) =>
  permissionsLayer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        testConfigLayer({ launchFolder: project, home, ...config }),
        NodeServices.layer,
        Layer.succeed(TrustState, Effect.succeed(trusted))
      )
    )
  )

/** No MCP server is in the settings. */
export const noServers = Layer.mock(McpServers, {
  status: Effect.succeed([]),
  kind: { name: "MCP", load: Effect.succeed(nothing) }
})
