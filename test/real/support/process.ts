/**
 * A server started for the tests: its address, its log, and its end. It lives until its standard input closes, so that
 * neither a killed test run nor a crash leaves it behind.
 */
import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { createServer } from "node:net"

export interface Started {
  /** `http://127.0.0.1:PORT`, no slash at the end. */
  readonly url: string
  /** File that holds what the server printed. */
  readonly log: string
  readonly stop: () => Promise<void>
}

export interface StartOptions {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly log: string
  /** Milliseconds until it must answer. */
  readonly within: number
  /** The address, as soon as the server answers; undefined until then. */
  readonly ready: (log: string) => Promise<string | undefined>
}

export const start = async (options: StartOptions): Promise<Started> => {
  const output = openSync(options.log, "a", 0o600)
  const child = spawn(options.command, options.args, {
    stdio: ["pipe", output, output],
    env: { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", ...options.env }
  })
  closeSync(output)
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve())
    child.once("error", () => resolve())
  })
  const stop = () => {
    child.stdin?.end()
    const last = setTimeout(() => child.kill("SIGKILL"), 5_000)
    return ended.finally(() => clearTimeout(last))
  }
  const limit = Date.now() + options.within
  while (child.exitCode === null && child.signalCode === null && Date.now() < limit) {
    const url = await options.ready(readFileSync(options.log, "utf8"))
    if (url !== undefined) return { url, log: options.log, stop }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await stop()
  throw new Error(`${options.args.join(" ")} does not answer:\n${readFileSync(options.log, "utf8").slice(-4_000)}`)
}

/** A port that is free now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port"))
      )
    })
  })
