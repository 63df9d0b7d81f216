/** `npm start`: compiles `dist/maia` and runs its main job on the embedded demonstration model. */
import { $ } from "bun"

await $`bun scripts/build.ts`
const { exitCode } = await $`dist/maia demo`.nothrow()
process.exit(exitCode)
