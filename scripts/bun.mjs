// Runs a script of the project with the pinned Bun, on a machine that has only Node and npm: Bun comes from npm when it
// is missing (as its plain platform package, which needs no install script), then the locked dependencies are installed.
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).engines.bun
const windows = process.platform === "win32"

const versionOf = (bun) => {
  const { stdout, status } = spawnSync(bun, ["--version"], { encoding: "utf8" })
  return status === 0 ? stdout.trim() : undefined
}

const platformPackage = () => {
  const arch = process.arch === "arm64" ? "aarch64" : "x64"
  const musl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime ? "-musl" : ""
  return `@oven/bun-${windows ? "windows" : process.platform}-${arch}${musl}`
}

const findBun = () => {
  if (versionOf("bun") === wanted) return "bun"
  const folder = join(root, ".bun")
  const name = platformPackage()
  const local = join(folder, "node_modules", ...name.split("/"), "bin", windows ? "bun.exe" : "bun")
  if (existsSync(local) && versionOf(local) === wanted) return local
  console.error(`Fetching Bun ${wanted} from npm ...`)
  execFileSync(
    windows ? "npm.cmd" : "npm",
    ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--loglevel=error", `${name}@${wanted}`],
    { stdio: ["ignore", 2, 2], shell: windows }
  )
  if (versionOf(local) !== wanted) throw new Error(`npm brought no Bun ${wanted} at ${local}`)
  return local
}

const bun = findBun()
const env = { ...process.env }
if (bun !== "bun") env.PATH = `${dirname(bun)}${delimiter}${env.PATH}`
const run = (args, stdio) => spawnSync(bun, args, { cwd: root, env, stdio }).status ?? 1
const installed = run(["install", "--frozen-lockfile", "--silent"], ["ignore", 2, 2])
if (installed !== 0) process.exit(installed)
const [script, ...rest] = process.argv.slice(2)
process.exit(run([script, ...rest], "inherit"))
