/**
 * `npm test`: type check, lint, format check, build, then unit, property and end-to-end tests (on the compiled
 * executable). Ends with the line `N passed, N failed`.
 */
import { $ } from "bun"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly success: boolean
}

const folder = await mkdtemp(join(tmpdir(), "maia-test-"))
const checks: ReadonlyArray<readonly [name: string, command: ReadonlyArray<string>]> = [
  ["type check", ["bun", "scripts/typecheck.ts"]],
  ["lint", ["oxlint", "--quiet"]],
  ["format", ["oxfmt", "--check"]],
  ["build", ["bun", "scripts/build.ts"]]
]

let passed = 0
let failed = 0
for (const [name, command] of checks) {
  console.log(`— ${name}`)
  const { exitCode } = await $`${command}`.nothrow()
  if (exitCode === 0) passed++
  else failed++
}

console.log("— tests")
const output = join(folder, "report.json")
const only = process.argv.slice(2)
const { exitCode } =
  await $`bun --bun vitest run ${only} --reporter=default --reporter=json --outputFile.json=${output}`.nothrow()
const report = await readFile(output, "utf8").then(
  (source): Report => JSON.parse(source),
  (): Report => ({ numPassedTests: 0, numFailedTests: 1, success: false })
)
passed += report.numPassedTests
failed += report.numFailedTests
// A file that does not load fails without failing a test.
if (failed === 0 && (exitCode !== 0 || !report.success)) failed++
await rm(folder, { recursive: true, force: true })

if (process.env["MAIA_REAL"] === "1" && only.length === 0) {
  const real = await $`bun scripts/testReal.ts`.nothrow()
  if (real.exitCode !== 0) failed++
} else console.log("real servers: not run, because MAIA_REAL is not 1 (npm run test:real runs them)")
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
