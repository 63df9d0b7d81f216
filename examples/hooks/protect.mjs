// before_tool: keeps the model away from generated files. Exit code 2 blocks; what is on stderr goes to the model.
import { readFileSync } from "node:fs"

const { tool, input } = JSON.parse(readFileSync(0, "utf8"))

if (/(^|\/)(dist|generated)\//.test(String(input.path))) {
  console.error(`${input.path} is generated: change its source and run the build. ${tool} was not run.`)
  process.exit(2)
}
