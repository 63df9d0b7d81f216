/** Starts the real servers before all tests, and stops them after. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import type { Parts } from "../../../scripts/real/parts.ts"
import { litellmConfig, type Behind } from "./litellmConfig.ts"
import { freePort, start, type Started } from "./process.ts"
import { scenarios } from "./scenarios.ts"
import { KEY, MODEL } from "./servers.ts"
import { startUpstream } from "./upstream.ts"

const beside = (name: string): string => join(import.meta.dirname, name)

/** Takes `<tool_call>` from the model and gives tools to it; its own template does not. */
const TOOLS = `--template=${beside("chatml-tools.jinja")}`

const llamaServer = (parts: Parts, log: string, window: number, more: ReadonlyArray<string>): Promise<Started> =>
  start({
    command: parts.llamaPython,
    args: [beside("llama_server.py"), `--model=${parts.model}`, `--alias=${MODEL}`, `--ctx=${window}`, ...more],
    log,
    within: 60_000,
    ready: (printed) => Promise.resolve(/^LISTENING (\S+)$/m.exec(printed)?.[1])
  })

const litellmProxy = async (parts: Parts, folder: string, behind: Behind): Promise<Started> => {
  const config = join(folder, "litellm.yaml")
  writeFileSync(config, litellmConfig(behind))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  return start({
    command: parts.litellmPython,
    args: [beside("litellm_proxy.py"), "--config", config, "--host", "127.0.0.1", "--port", String(port)],
    // Prices and windows from the file inside the package, not from the network.
    env: { HOME: folder, LITELLM_LOCAL_MODEL_COST_MAP: "True", LITELLM_MASTER_KEY: KEY },
    log: join(folder, "litellm.log"),
    within: 150_000,
    ready: () =>
      fetch(`${url}/health/liveliness`).then(
        (response) => (response.ok ? url : undefined),
        () => undefined
      )
  })
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const source = process.env["MAIA_REAL_PARTS"]
  if (source === undefined) throw new Error("run it by `npm run test:real`")
  const parts: Parts = JSON.parse(source)
  const folder = mkdtempSync(join(tmpdir(), "maia-real-run-"))
  const started: Array<Started> = []
  const upstream = await startUpstream(scenarios)
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()))
    await upstream.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const llama = await llamaServer(parts, join(folder, "llama.log"), 8_192, [TOOLS])
    started.push(llama)
    const narrow = await llamaServer(parts, join(folder, "narrow.log"), 2_048, [TOOLS, `--api-key=${KEY}`])
    started.push(narrow)
    const plain = await llamaServer(parts, join(folder, "plain.log"), 2_048, [])
    started.push(plain)
    const litellm = await litellmProxy(parts, folder, { llama: llama.url, narrow: narrow.url, upstream: upstream.url })
    started.push(litellm)
    const known = ({ url, log }: Started) => ({ url, log })
    project.provide("servers", {
      llama: known(llama),
      narrow: known(narrow),
      plain: known(plain),
      litellm: known(litellm),
      upstream: upstream.url
    })
  } catch (cause) {
    await stop()
    throw cause
  }
  return stop
}
