/**
 * Entry point. `--version` is answered before anything else is loaded; all the rest is composed in `cli/`.
 */
import { version } from "../package.json"

const [first, ...others] = process.argv.slice(2)

if ((first === "--version" || first === "-V") && others.length === 0) {
  process.stdout.write(`${version}\n`)
} else {
  const input = { argv: process.argv.slice(2), env: { ...process.env }, platform: process.platform, version }
  if (first === "sub-agent") (await import("./cli/subAgent.ts")).subAgentMain(input)
  else (await import("./cli/main.ts")).main(input)
}
