/**
 * What stands behind LiteLLM in place of the paid providers: each scenario answers in one provider's own format, so that
 * LiteLLM's translation of it is the real one. A scenario is the first folder of the address.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Seen {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** `true`: the proxy left before the answer was over. */
  aborted?: boolean
}

export interface Upstream {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Answers a request; what it writes and when is its own affair. */
export type Scenario = (response: ServerResponse, seen: Seen) => void | Promise<void>

export interface UpstreamModel {
  /** Model of LiteLLM, and scenario. */
  readonly name: string
  /** `provider/model` of LiteLLM. */
  readonly provider: string
  /** What follows the scenario in `api_base`. */
  readonly base?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly play: Scenario
}

/** Requests so far of one scenario; asked of `/seen/SCENARIO`, since the tests run in another process. */
export const seenBy = (url: string, scenario: string): Promise<ReadonlyArray<Seen>> =>
  fetch(`${url}/seen/${scenario}`).then((response) => response.json())

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString("utf8")
}

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

export const startUpstream = async (scenarios: ReadonlyMap<string, Scenario>): Promise<Upstream> => {
  const seen = new Map([...scenarios.keys()].map((name): [string, Array<Seen>] => [name, []]))
  const server = createServer(async (request, response) => {
    const [, scenario = "", ...rest] = (request.url ?? "").split("/")
    if (scenario === "seen") return void response.end(JSON.stringify(seen.get(rest[0] ?? "") ?? []))
    const play = scenarios.get(scenario)
    // The proxy also looks for a list of models.
    if (play === undefined || request.method !== "POST") return void response.writeHead(404).end()
    const one: Seen = { path: rest.join("/"), body: parse(await readBody(request)) }
    response.on("close", () => {
      one.aborted = !response.writableFinished
    })
    seen.get(scenario)?.push(one)
    await play(response, one)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // `address()` is a string only for pipes.
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

// --- ways to answer ----------------------------------------------------------------------------------------------

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Scenario =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }

/** An error in OpenAI's format. */
export const openAiError = (status: number, message: string, more: object = {}, headers: Record<string, string> = {}) =>
  json(status, { error: { message, type: "invalid_request_error", param: null, code: null, ...more } }, headers)

export const STREAM_END = "data: [DONE]\n\n"

/** A stream of events: objects become `data:` lines, strings go out as they are. `undefined` cuts the socket there. */
export const events =
  (items: ReadonlyArray<object | string | undefined>): Scenario =>
  async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const item of items) {
      if (item === undefined) return void response.socket?.destroy()
      const text = typeof item === "string" ? item : `data: ${JSON.stringify(item)}\n\n`
      await new Promise<void>((resolve) => response.write(text, () => resolve()))
    }
    response.end()
  }

/** A stream in OpenAI's format that goes on until the client leaves. */
export const endless: Scenario = async (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  for (let n = 0; !response.destroyed && n < 3_000; n++) {
    response.write(`data: ${JSON.stringify(chunk({ content: `word${n} ` }))}\n\n`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  response.end()
}

/** A chunk in OpenAI's format. */
export const chunk = (delta: object, finish: string | null = null, more: object = {}): object => ({
  id: "chatcmpl-up",
  object: "chat.completion.chunk",
  created: 1,
  model: "up",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more
})
