/**
 * `npm run test:real`: maia's executable against servers that were not written for it (test/real/README.md): llama.cpp,
 * LiteLLM, and LiteLLM in front of llama.cpp. Says in one line why it did not run where it cannot.
 *
 *     bun scripts/testReal.ts [--within SECONDS] [--require] [vitest's filters]
 *
 * `--within`: seconds that fetching the parts may take (default 900). `--require`: fails where it could not run.
 */
import { $ } from "bun"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fetchParts } from "./real/parts.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { within: { type: "string", default: "900" }, require: { type: "boolean", default: false } }
})

console.log("— real servers")
const found = await fetchParts(Number(values.within))
if ("missing" in found) {
  console.log(`real servers: not run, because ${found.missing}`)
  process.exit(values.require ? 1 : 0)
}

const build = await $`bun scripts/build.ts`.quiet().nothrow()
if (build.exitCode !== 0) {
  console.log(build.stderr.toString())
  console.log("0 passed, 1 failed")
  process.exit(1)
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly success: boolean
}

const folder = await mkdtemp(join(tmpdir(), "maia-real-report-"))
const output = join(folder, "report.json")
const { exitCode } =
  await $`bun --bun vitest run --config vitest.real.config.ts ${positionals} --reporter=verbose --reporter=json --outputFile.json=${output}`
    .env({ ...process.env, MAIA_REAL_PARTS: JSON.stringify(found.parts) })
    .nothrow()
const report = await readFile(output, "utf8").then(
  (source): Report => JSON.parse(source),
  (): Report => ({ numPassedTests: 0, numFailedTests: 1, success: false })
)
await rm(folder, { recursive: true, force: true })
// A file that does not load, or a server that does not start, fails without failing a test.
const failed = report.numFailedTests === 0 && (exitCode !== 0 || !report.success) ? 1 : report.numFailedTests
console.log(`${report.numPassedTests} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
