/** `maia mcp list|show` (spec 08): which servers answer, and what they offer. */
import { Effect } from "effect"
import { DEMO_MODEL } from "../../demo/demoModel.ts"
import { text } from "../../domain/text.ts"
import { Extensions } from "../../extensions/Extensions.ts"
import { McpServers } from "../../extensions/mcp/McpServers.ts"
import type { ServerStatus } from "../../extensions/mcp/McpServer.ts"
import { sanitizeForTerminal } from "../../process/sanitizeForTerminal.ts"
import { Output } from "../../process/stdout.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { headlessApprover } from "../headless/HeadlessApprover.ts"
import { configFor } from "../Launch.ts"
import { agentLayer } from "../layers.ts"

interface McpFlags {
  readonly cwd: string | undefined
  readonly json: boolean
  readonly trust: boolean
}

const withServers = <A, E, R>(flags: McpFlags, use: (french: boolean) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    // No server of models is needed to look at these.
    const config = yield* configFor({ cwd: flags.cwd, model: DEMO_MODEL })
    yield* reportErrors(config.warnings)
    return yield* Effect.gen(function* () {
      const { load } = yield* Extensions
      yield* reportErrors((yield* load).warnings)
      return yield* use(config.language === "fr")
    }).pipe(Effect.provide(agentLayer(config, headlessApprover("deny"), { trust: flags.trust })), Effect.scoped)
  })

/** Exit code 1 where one could not be started. */
export const listServers = (flags: McpFlags) =>
  withReadableFailures(
    withServers(flags, (french) =>
      Effect.gen(function* () {
        const servers = yield* McpServers
        const output = yield* Output
        const found = yield* servers.start()
        if (flags.json) yield* output.out(`${JSON.stringify(found, null, 2)}\n`)
        else if (found.length === 0) yield* output.out(french ? "Aucun serveur MCP.\n" : "No MCP servers.\n")
        else for (const one of found) yield* output.out(`${line(one, french)}\n`)
        return found.every(({ state }) => state === "ready") ? EXIT.done : EXIT.error
      })
    )
  )

const line = ({ name, problem, state, tools, type }: ServerStatus, french: boolean): string => {
  const what = french ? `${tools} outils` : `${tools} tools`
  const why = problem === undefined ? "" : `  ${sanitizeForTerminal(french ? problem.fr : problem.en)}`
  return `${name}  ${type}  ${state}  ${what}${why}`
}

export const showServer = (flags: McpFlags & { readonly server: string }) =>
  withReadableFailures(
    withServers(flags, (french) =>
      Effect.gen(function* () {
        const servers = yield* McpServers
        const output = yield* Output
        const [status] = yield* servers.start(flags.server)
        if (status === undefined) {
          const known = (yield* servers.status).map(({ name }) => name).join(", ")
          yield* reportErrors([
            text(
              `There is no MCP server "${flags.server}". Known: ${known === "" ? "none" : known}.`,
              `Il n'y a pas de serveur MCP « ${flags.server} ». Connus : ${known === "" ? "aucun" : known}.`
            )
          ])
          return EXIT.usage
        }
        if (status.state !== "ready") {
          const nothing = { tools: [], prompts: [], resources: [] }
          const shown = flags.json ? JSON.stringify({ ...status, ...nothing }, null, 2) : line(status, french)
          yield* output.out(`${shown}\n`)
          return EXIT.error
        }
        const extensions = yield* Extensions
        const prefix = `mcp__${flags.server}__`
        const tools = (yield* extensions.tools).filter(({ name }) => name.startsWith(prefix))
        const prompts = yield* servers.prompts(flags.server)
        const resources = yield* servers.resources(flags.server)
        if (flags.json) {
          const shown = tools.map(({ description, name, parameters }) => ({ name, description, parameters }))
          yield* output.out(`${JSON.stringify({ ...status, tools: shown, prompts, resources }, null, 2)}\n`)
          return EXIT.done
        }
        yield* output.out(`${line(status, french)}\n`)
        for (const { description, name } of tools) {
          yield* output.out(`  ${name}  ${sanitizeForTerminal(description.split("\n", 1)[0] ?? "")}\n`)
        }
        for (const { arguments: args, name } of prompts) {
          const names = args.map((one) => (one.required ? one.name : `[${one.name}]`)).join(" ")
          yield* output.out(`  /${prefix}${sanitizeForTerminal(`${name} ${names}`).trim()}\n`)
        }
        for (const { uri } of resources.slice(0, 100)) {
          yield* output.out(`  @${flags.server}:${sanitizeForTerminal(uri)}\n`)
        }
        return EXIT.done
      })
    )
  )
