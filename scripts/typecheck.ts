/** Type check and Effect's own lint in one pass; a suggestion counts as a failure. */
import { $ } from "bun"

const checker = (await $`effect-tsgo get-exe-path`.text()).trim()
const { exitCode, stdout } = await $`${checker} -p tsconfig.json`.nothrow().quiet()
const report = stdout.toString()
process.stdout.write(report)
process.exit(exitCode !== 0 || report.trim() !== "" ? 1 : 0)
