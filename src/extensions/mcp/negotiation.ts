/**
 * What passes between Effect's client and a server, made fit for the client. Servers that answer with an older revision of the protocol (quirk): Effect's client takes only the one it asked for, while
 * tools, resources and prompts are the same on the wire since 2024-11-05. The answer is taken as the one that was asked for,
 * and HTTP requests then carry the server's own revision. For odd answers see
 * `oddPayloads.ts`.
 */
import { Effect, Predicate } from "effect"
import type { McpClientError } from "effect/ai/McpClientError"
import type { Transport } from "effect/ai/McpClient"
import type * as McpSchema from "effect/ai/McpSchema"
import { mendResult, mendTools } from "./oddPayloads.ts"

/** Revisions whose tools, resources and prompts are told in the same words. */
const ALIKE = new Set(["2024-11-05", "2025-03-26", "2025-06-18"])

export interface Negotiated {
  /** The server's own revision, once it has answered. */
  version: string | undefined
}

const MENDED: Readonly<Record<string, (result: unknown) => unknown>> = {
  "tools/list": mendTools,
  "tools/call": mendResult
}

const mended = (response: McpSchema.JsonRpcResponse, mend: (result: unknown) => unknown): McpSchema.JsonRpcResponse =>
  response.error === undefined ? { ...response, result: mend(response.result) } : response

export const tolerant = (transport: Transport, negotiated: Negotiated): Transport => ({
  ...transport,
  request: (message, tool): Effect.Effect<McpSchema.JsonRpcResponse, McpClientError> => {
    const answer = transport.request(message, tool)
    const mend = MENDED[message.method]
    if (mend !== undefined) return Effect.map(answer, (response) => mended(response, mend))
    if (message.method !== "initialize") return answer
    return Effect.map(answer, (response) => {
      if (response.error !== undefined || !Predicate.isObject(response.result)) return response
      const { result } = response
      const said = "protocolVersion" in result ? String(result.protocolVersion) : ""
      negotiated.version = said
      if (!ALIKE.has(said)) return response
      return { ...response, result: { ...result, protocolVersion: transport.protocol.protocolVersion } }
    })
  }
})
