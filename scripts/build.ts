/**
 * Compiles the executable. `bun scripts/build.ts [TARGET [OUTFILE]]`, for example `bun-linux-arm64-musl dist/maia-arm64`.
 */
import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"

const [target, outfile = "dist/maia"] = process.argv.slice(2)
await mkdir(dirname(outfile), { recursive: true })

const result = await Bun.build({
  // The second one is a thread: the executable finds it by its path from src/ (process/workerThread.ts).
  entrypoints: ["src/main.ts", "src/tools/web/convertWorker.ts"],
  compile: target === undefined ? { outfile } : { outfile, target: target as Bun.Build.CompileTarget },
  minify: true,
  bytecode: true,
  format: "esm",
  define: { "process.env.NODE_ENV": '"production"' }
})
for (const log of result.logs) console.error(String(log))
if (!result.success) process.exit(1)
console.log(outfile)
