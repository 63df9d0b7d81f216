/**
 * Compiles the executable. `bun scripts/build.ts [TARGET [OUTFILE]]`, for example `bun-linux-arm64-musl dist/maia-arm64`.
 */
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname, resolve } from "node:path"

const [target, outfile = "dist/maia"] = process.argv.slice(2)
await mkdir(dirname(outfile), { recursive: true })

/** `bun-linux-arm64-musl` is served by the package for linux-arm64: its ripgrep is linked statically. */
const [os = process.platform, arch = process.arch] = target?.replace(/^bun-/, "").split("-") ?? []
const platform = `${os === "windows" ? "win32" : os}-${arch}`
const ripgrep = resolve(`node_modules/@vscode/ripgrep-${platform}/bin/rg${platform.startsWith("win32") ? ".exe" : ""}`)

/** Embeds the ripgrep of the target where its package is installed (`bun install --os=… --cpu=…`). */
const embedRipgrep: Bun.BunPlugin = {
  name: "ripgrep",
  setup(build) {
    build.onResolve({ filter: /^maia-asset:ripgrep$/ }, () =>
      existsSync(ripgrep) ? { path: ripgrep, namespace: "asset" } : { path: "none", namespace: "no-asset" }
    )
    build.onLoad({ filter: /.*/, namespace: "asset" }, async ({ path }) => ({
      contents: new Uint8Array(await Bun.file(path).arrayBuffer()),
      loader: "file"
    }))
    build.onLoad({ filter: /.*/, namespace: "no-asset" }, () => ({
      contents: "export default undefined",
      loader: "js"
    }))
  }
}
if (!existsSync(ripgrep)) console.error(`ripgrep for ${platform} is not installed: searches will be slower`)

/** Ink loads React's development tools only when asked to by the environment; the executable has none. */
const noDevtools: Bun.BunPlugin = {
  name: "no-devtools",
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: "none", namespace: "no-devtools" }))
    build.onLoad({ filter: /.*/, namespace: "no-devtools" }, () => ({
      contents: "export default { initialize() {}, connectToDevTools() {} }",
      loader: "js"
    }))
  }
}

const result = await Bun.build({
  plugins: [embedRipgrep, noDevtools],
  // The others are threads: the executable finds them by their path from src/ (process/workerThread.ts).
  entrypoints: ["src/main.ts", "src/tools/web/convertWorker.ts", "src/stream-rules/jsWorker.ts"],
  compile: target === undefined ? { outfile } : { outfile, target: target as Bun.Build.CompileTarget },
  minify: true,
  // What a command does not need stays unread: `--version` starts in half the time.
  splitting: true,
  bytecode: true,
  format: "esm",
  define: { "process.env.NODE_ENV": '"production"' }
})
for (const log of result.logs) console.error(String(log))
if (!result.success) process.exit(1)
console.log(outfile)
