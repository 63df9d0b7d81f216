/** Addresses of the server (spec 01). Pure. */

const trimEnd = (url: string): string => url.replace(/\/+$/, "")

/**
 * Joins without doubling or forgetting the slash (MAIA §7.1). A base that already ends with the first folder of the path
 * (`…/v1` and `/v1/chat/completions`) does not get it twice.
 */
export const joinUrl = (base: string, path: string): string => {
  const root = trimEnd(base.trim())
  if (path === "") return root
  const tail = path.startsWith("/") ? path : `/${path}`
  const first = /^\/[^/]+(?=\/)/.exec(tail)?.[0]
  return first !== undefined && root.endsWith(first) ? root + tail.slice(first.length) : root + tail
}

/** The server itself, where its own pages are (`/props`, `/model/info`): the base without `/v1`. */
export const serverRoot = (base: string): string => trimEnd(trimEnd(base.trim()).replace(/\/v1$/, ""))

/** Docker Model Runner serves the OpenAI routes below `/engines`; users name the server alone. */
export const modelRunnerBase = (url: string): string => {
  const parsed = URL.parse(url.trim())
  if (parsed === null || parsed.pathname !== "/") return url
  const isRunner = parsed.port === "12434" || parsed.hostname === "model-runner.docker.internal"
  return isRunner ? `${trimEnd(url.trim())}/engines` : url
}

const hostOf = (url: string): string => {
  try {
    return new URL(url).hostname.replace(/^\[|\]$/g, "")
  } catch {
    return ""
  }
}

export const isLoopback = (url: string): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0)$/.test(hostOf(url))

/** Loopback, private ranges, names without a dot, `.local` and `.internal`: no public provider. */
export const isLocal = (url: string): boolean => {
  const host = hostOf(url)
  if (host === "") return false
  if (isLoopback(url)) return true
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.)/.test(host)
  if (host.includes(":")) return /^(?:f[cd][0-9a-f]{2}|fe80):/i.test(host)
  return !host.includes(".") || /\.(?:local|lan|internal|home|localdomain)$/.test(host)
}

/** The same address on the machine that runs the container. */
export const onContainerHost = (url: string): string => {
  const parsed = new URL(url)
  parsed.hostname = "host.docker.internal"
  return trimEnd(parsed.toString())
}

const starters: ReadonlyMap<string, string> = new Map([
  ["4000", "litellm --config config.yaml"],
  ["8080", "llama-server -m model.gguf --jinja --port 8080"],
  ["11434", "ollama serve"],
  ["8000", "vllm serve MODEL"],
  ["1234", "lms server start"],
  ["12434", "docker desktop enable model-runner --tcp 12434"],
  ["30000", "python -m sglang.launch_server --model-path MODEL --port 30000"],
  ["1337", "jan serve"]
])

/** The command that usually starts the server of a well-known port. */
export const starterOf = (url: string): string | undefined => {
  if (!isLocal(url)) return undefined
  try {
    return starters.get(new URL(url).port)
  } catch {
    return undefined
  }
}

/** An address fit for people and logs: no user, no password, no query. */
export const shownUrl = (url: string): string => {
  try {
    const parsed = new URL(url)
    return trimEnd(`${parsed.protocol}//${parsed.host}${parsed.pathname}`)
  } catch {
    return url.replaceAll(/[\u0000-\u001f\u007f]/g, " ")
  }
}
