/**
 * Programs that run the command in their arguments (spec 03): what stands behind them is judged as well. Data and the little
 * that reads it. Pure.
 */

export interface Unwrapped {
  /** The command inside, as words. */
  readonly argv?: ReadonlyArray<string>
  /** Shell text inside (`sh -c`, `eval`). */
  readonly script?: string
  /** It runs something that cannot be seen here. */
  readonly hidden?: boolean
}

interface Wrapper {
  /** Options that take the next word as their value. */
  readonly values: ReadonlyArray<string>
  /** Words that belong to the wrapper before the command: a duration, a lock file … */
  readonly operands?: number
  /** `NAME=value` words may stand before the command. */
  readonly assignments?: boolean
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { values: ["-u", "--unset", "-C", "--chdir", "-S", "--split-string"], assignments: true },
  sudo: {
    values: [
      "-u",
      "--user",
      "-g",
      "--group",
      "-h",
      "--host",
      "-p",
      "--prompt",
      "-C",
      "-T",
      "-r",
      "-t",
      "-D",
      "-R",
      "-U"
    ],
    assignments: true
  },
  doas: { values: ["-u", "-C"] },
  timeout: { values: ["-k", "--kill-after", "-s", "--signal"], operands: 1 },
  gtimeout: { values: ["-k", "--kill-after", "-s", "--signal"], operands: 1 },
  nohup: { values: [] },
  nice: { values: ["-n", "--adjustment"] },
  ionice: { values: ["-c", "--class", "-n", "--classdata", "-p", "--pid"] },
  chrt: { values: ["-p", "-T", "-P", "-D"], operands: 1 },
  taskset: { values: ["-c"], operands: 1 },
  stdbuf: { values: ["-i", "--input", "-o", "--output", "-e", "--error"] },
  time: { values: ["-f", "--format", "-o", "--output"] },
  command: { values: [] },
  builtin: { values: [] },
  exec: { values: ["-a"] },
  setsid: { values: [] },
  unbuffer: { values: [] },
  flock: { values: ["-w", "--timeout", "-E", "--conflict-exit-code"], operands: 1 },
  watch: { values: ["-n", "--interval"] },
  strace: { values: ["-e", "-o", "-p", "-s", "-u", "-E", "-P", "-a"] },
  ltrace: { values: ["-e", "-o", "-p", "-s", "-u"] },
  chroot: { values: [], operands: 1 },
  unshare: { values: ["-S", "-G", "-R", "-w"] },
  nsenter: { values: ["-t", "--target", "-S", "-G"] },
  busybox: { values: [] },
  toybox: { values: [] },
  xargs: {
    values: ["-a", "--arg-file", "-d", "--delimiter", "-E", "-I", "-L", "-n", "--max-args", "-P", "--max-procs", "-s"]
  },
  parallel: { values: ["-j", "--jobs", "-a", "-I"] },
  caffeinate: { values: ["-t", "-w"] },
  systemd_run: { values: ["-p", "-u"] }
}

/** Wrappers that change nothing about what may happen: a rule for the command inside is enough. */
export const TRANSPARENT = new Set(["timeout", "gtimeout", "nohup", "nice", "stdbuf", "time", "command", "builtin"])

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash"])

export const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1)

/** Undefined for a program that runs nothing of its arguments. `argv[0]` may be a path. */
export const unwrap = (argv: ReadonlyArray<string>): Unwrapped | undefined => {
  const name = baseName(argv[0] ?? "")
  if (SHELLS.has(name)) return unwrapShell(argv)
  if (name === "eval") return { script: argv.slice(1).join(" ") }
  if (name === "find") return unwrapFind(argv)
  if (name === "script") return unwrapScript(argv)
  if (name === "ssh") return sshCommand(argv)
  if (name === "source" || name === ".") return { hidden: true }
  if (name === "trap") return argv.length > 2 ? { script: argv[1] ?? "" } : undefined
  const wrapper = WRAPPERS[name.replace("-", "_")]
  return wrapper === undefined ? undefined : unwrapCommon(name, wrapper, argv)
}

const unwrapCommon = (name: string, wrapper: Wrapper, argv: ReadonlyArray<string>): Unwrapped | undefined => {
  if (name === "command" && /^-[vVp]*[vV]/.test(argv[1] ?? "")) return undefined
  let operands = wrapper.operands ?? 0
  let at = 1
  while (at < argv.length) {
    const word = argv[at] ?? ""
    if (word === "--") {
      at++
      break
    }
    if (name === "env" && /^(?:-S|--split-string)/.test(word)) {
      const attached = word.replace(/^(?:-S|--split-string=?)/, "")
      return { script: [...(attached === "" ? [] : [attached]), ...argv.slice(at + 1)].join(" ") }
    }
    if (name === "flock" && (word === "-c" || word === "--command")) return { script: argv[at + 1] ?? "" }
    if (word.startsWith("-") && word !== "-") {
      at += wrapper.values.includes(word) ? 2 : 1
      continue
    }
    if (wrapper.assignments === true && /^[A-Za-z_]\w*=/.test(word)) {
      at++
      continue
    }
    if (operands > 0) {
      operands--
      at++
      continue
    }
    break
  }
  const inner = argv.slice(at)
  if (inner.length === 0) return undefined
  if (name === "flock" && (inner[0] === "-c" || inner[0] === "--command")) return { script: inner[1] ?? "" }
  if (name === "watch") return { script: inner.join(" ") }
  return { argv: inner }
}

/** `-c` may stand in a group (`-ec`, `-lc`); without it the shell runs a file or its input. */
const unwrapShell = (argv: ReadonlyArray<string>): Unwrapped => {
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? ""
    if (/^-[A-Za-z]*c[A-Za-z]*$/.test(word))
      return { script: argv[at + 1] ?? "", ...(argv[at + 1] === undefined ? { hidden: true } : {}) }
    if (
      word === "-o" ||
      word === "+o" ||
      word === "-O" ||
      word === "+O" ||
      word === "--rcfile" ||
      word === "--init-file"
    )
      at++
    else if (!/^[-+]/.test(word)) break
  }
  if (argv.length === 2 && (argv[1] === "--version" || argv[1] === "--help")) return {}
  return { hidden: true }
}

const unwrapFind = (argv: ReadonlyArray<string>): Unwrapped | undefined => {
  const at = argv.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(word))
  if (at === -1) return undefined
  const end = argv.findIndex((word, index) => index > at && (word === ";" || word === "+"))
  return { argv: argv.slice(at + 1, end === -1 ? undefined : end) }
}

const unwrapScript = (argv: ReadonlyArray<string>): Unwrapped | undefined => {
  const at = argv.findIndex((word) => word === "-c" || word === "--command")
  return at === -1 ? undefined : { script: argv[at + 1] ?? "" }
}

const SSH_VALUES = new Set("BbcDEeFIiJLlmOopQRSWw".split("").map((letter) => `-${letter}`))

/** The command runs elsewhere, but it is a command all the same. */
const sshCommand = (argv: ReadonlyArray<string>): Unwrapped | undefined => {
  let at = 1
  while (at < argv.length && (argv[at] ?? "").startsWith("-")) at += SSH_VALUES.has(argv[at] ?? "") ? 2 : 1
  const remote = argv.slice(at + 1)
  return remote.length === 0 ? undefined : { script: remote.join(" ") }
}
