/** Plays the scripted bad models and writes what became of them into the README. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { agentLayer } from "../src/cli/layers.ts"
import { badModels, playMatrix, VARIANTS } from "../src/eval/bad-models/matrix.ts"
import { readmeTable, withTable } from "../src/eval/bad-models/table.ts"
import { testConfig } from "../src/testing/index.ts"

const config = testConfig({ launchFolder: "/", env: { PATH: process.env["PATH"] }, platform: process.platform })
const rows = await Effect.runPromise(
  playMatrix(
    badModels,
    VARIANTS,
    config,
    (llm) => (own, approver) => agentLayer(own, approver, { trust: false, llm })
  ).pipe(Effect.provide(NodeServices.layer))
)
const written = withTable(await readFile("README.md", "utf8"), readmeTable(rows))
if (written === undefined) throw new Error("README.md has no marks for the table")
await writeFile("README.md", written)
