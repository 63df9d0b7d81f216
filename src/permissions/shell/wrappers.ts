/**
 * Finds the command or the shell text in the arguments of a program that runs them (spec 03, field case C9). Options are
 * read as the program reads them; where that is not sure, every reading is given. Pure.
 */
import { OTHER_SHELLS, REDEFINES, SHELLS, TRANSPARENT, WRAPPERS, type Wrapper } from "./wrapperTable.ts"

export interface Inner {
  /** Index of the word where the command begins. */
  readonly from?: number
  /** Index behind its last word. */
  readonly to?: number
  /** Shell text, and the words it is made of. */
  readonly script?: string
  readonly words?: readonly [from: number, to: number]
  /** Only one possible reading: rules that forbid look at it, nothing has to allow it. */
  readonly isGuess?: true
  /** Arguments are added that nobody sees. */
  readonly adds?: true
}

export interface Unwrapped {
  readonly inner: ReadonlyArray<Inner>
  /** It runs something that cannot be seen here. */
  readonly isHidden?: true
  /** It runs what it reads from its input. */
  readonly readsInput?: true
}

const NOTHING: Unwrapped = { inner: [] }

export const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1)

/** `argv[0]` may be a path. */
export const unwrap = (argv: ReadonlyArray<string>): Unwrapped => {
  const name = baseName(argv[0] ?? "")
  if (SHELLS.has(name) || OTHER_SHELLS.has(name)) return unwrapShell(argv, OTHER_SHELLS.has(name))
  switch (name) {
    case "eval":
      return { inner: [scriptOf(argv, argv[1] === "--" ? 2 : 1)] }
    case "trap": {
      const at = argv[1] === "--" ? 2 : 1
      return argv.length > at + 1 ? { inner: [scriptOf(argv, at, at + 1)] } : NOTHING
    }
    case "source":
    case ".":
      return {
        inner: [],
        isHidden: true,
        ...(/^\/dev\/(?:stdin|fd\/)/.test(argv[1] ?? "") ? { readsInput: true } : {})
      }
    case "find":
    case "gfind":
      return { inner: findCommands(argv) }
    case "fd":
    case "fdfind":
      return fdCommand(argv)
    case "script":
      return { inner: optionScripts(argv, { short: "cTtIOBEmo", long: "command", code: "-c --command" }) }
    case "ssh":
      return sshCommand(argv)
    case "git":
      return { inner: gitAliases(argv) }
    case "jobs":
      return { inner: behind(argv, "-x") }
    // `ip netns exec NAME command`
    case "ip":
      return { inner: behind(argv, "exec", 2) }
    case "start-stop-daemon":
      return { inner: behind(argv, "--exec -x --startas -a").map((one) => ({ ...one, isGuess: true as const })) }
    case "mapfile":
    case "readarray":
      return { inner: optionScripts(argv, { short: "dnOsuCc", code: "-C" }) }
    case "at":
    case "batch":
    case "crontab":
      return { inner: [], readsInput: true }
  }
  // The loader of programs runs the one in its arguments.
  if (/^ld(?:-linux[\w-]*|-musl[\w-]*|64)?\.so(?:\.\d+)?$/.test(name)) return { inner: [{ from: 1 }], isHidden: true }
  if (REDEFINES.has(name)) {
    const guesses = argv.slice(1).map((word, at): Inner => ({
      script: word.slice(word.indexOf("=") + 1),
      words: [at + 1, at + 2],
      isGuess: true
    }))
    return argv.length === 1 ? NOTHING : { inner: guesses, isHidden: true }
  }
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  if (wrapper === undefined) return NOTHING
  if (name === "command" && /^-p*[vV]/.test(argv[1] ?? "")) return NOTHING
  const inner = commands(argv, wrapper, name)
  return { inner, ...(wrapper.readsInput === true && inner.length === 0 ? { readsInput: true } : {}) }
}

/** Says nothing of its own about what may happen, and writes no file: the rule for the command inside is enough. */
export const isTransparent = (argv: ReadonlyArray<string>): boolean => {
  const [name = ""] = argv
  if (!TRANSPARENT.has(name)) return false
  const { inner } = unwrap(argv)
  const [only] = inner
  if (inner.length !== 1 || only?.from === undefined) return false
  return name !== "time" || !argv.slice(1, only.from).some((word) => /^-[a-z]*o|^--o/.test(word))
}

const scriptOf = (argv: ReadonlyArray<string>, from: number, to = argv.length): Inner => ({
  script: argv.slice(from, to).join(" "),
  words: [from, to]
})

interface Parsed {
  /** Index of the first word that is no option and no value of one. */
  readonly at: number
  readonly scripts: ReadonlyArray<Inner>
  /** Other indices where the words may begin, as an unknown option may take a value. */
  readonly others: ReadonlyArray<number>
  readonly letters: string
}

const words = (list: string | undefined): ReadonlyArray<string> =>
  list === undefined || list === "" ? [] : list.split(" ")

/** Reads options from `start` on, as getopt does: grouped letters, attached values, abbreviated long names. */
const options = (argv: ReadonlyArray<string>, start: number, wrapper: Wrapper): Parsed => {
  const scripts: Array<Inner> = []
  const others: Array<number> = []
  const long = words(wrapper.long)
  const flags = words(wrapper.flags)
  const code = words(wrapper.code)
  let letters = ""
  let at = start
  const addScript = (option: string, value: string, index: number): void => {
    if (!code.includes(option)) return
    const rest = option === "-S" || option === "--split-string" ? argv.slice(index + 1) : []
    scripts.push({ script: [value, ...rest].join(" "), words: [index, rest.length > 0 ? argv.length : index + 1] })
  }
  for (; at < argv.length; at++) {
    const word = argv[at] ?? ""
    if (word === "--") {
      at++
      break
    }
    if (word === "-" && wrapper.dash === true) continue
    if (word === "-" || !word.startsWith("-")) {
      if (wrapper.assignments === true && /^[A-Za-z_]\w*=/.test(word)) continue
      break
    }
    if (word.startsWith("--")) {
      const equals = word.indexOf("=")
      const typed = word.slice(2, equals === -1 ? undefined : equals)
      const name = long.find((one) => one === typed) ?? long.find((one) => one.startsWith(typed))
      if (equals !== -1) addScript(`--${name ?? typed}`, word.slice(equals + 1), at)
      else if (flags.some((one) => one.startsWith(typed))) continue
      else if (name === undefined) others.push(at + 2)
      else {
        at++
        addScript(`--${name}`, argv[at] ?? "", at)
      }
      continue
    }
    for (let index = 1; index < word.length; index++) {
      const letter = word[index] ?? ""
      letters += letter
      if (wrapper.short?.includes(letter) !== true) continue
      const attached = word.slice(index + 1)
      if (attached === "") at++
      addScript(`-${letter}`, attached === "" ? (argv[at] ?? "") : attached, at)
      break
    }
  }
  return { at, scripts, others, letters }
}

const optionScripts = (argv: ReadonlyArray<string>, wrapper: Wrapper): ReadonlyArray<Inner> => {
  const found: Array<Inner> = []
  // Options may also stand behind other words (`script file -c 'rm x'`).
  for (let start = 1; start < argv.length;) {
    const parsed = options(argv, start, wrapper)
    found.push(...parsed.scripts)
    start = Math.max(parsed.at, start) + 1
  }
  return found
}

const commands = (argv: ReadonlyArray<string>, wrapper: Wrapper, name: string): ReadonlyArray<Inner> => {
  const first = options(argv, 1, wrapper)
  let parsed = first
  if (wrapper.sub !== undefined) {
    if (!words(wrapper.sub).includes(argv[first.at] ?? "")) return []
    parsed = options(argv, first.at + 1, wrapper)
  }
  if (parsed.scripts.length > 0) return parsed.scripts
  const late = wrapper.isLate === true ? optionScripts(argv.slice(parsed.at), wrapper) : []
  const scripts = late.map((one) => shift(one, parsed.at))
  if (wrapper.onlyCode === true) return scripts
  const starts = [parsed.at, ...parsed.others].map((at) => behindOperands(argv, at, wrapper))
  const found = [...new Set(starts)].flatMap((from, index): ReadonlyArray<Inner> => {
    if (from >= argv.length) return []
    const guess = index > 0 || scripts.length > 0 ? { isGuess: true as const } : {}
    const adds = wrapper.adds === true ? { adds: true as const } : {}
    if (wrapper.isText !== true || (name === "watch" && parsed.letters.includes("x")))
      return [{ from, ...guess, ...adds }]
    if (name !== "hyperfine") return [{ ...scriptOf(argv, from), ...guess, ...adds }]
    return argv.slice(from).map((script, at) => ({ script, words: [from + at, from + at + 1] as const }))
  })
  // `bwrap --bind a b cmd` and the like: options with several values. Any word may be where the command begins.
  if (name !== "bwrap" && name !== "gdb" && name !== "firejail") return [...scripts, ...found]
  return [...found, ...argv.slice(2).map((_, at): Inner => ({ from: at + 2, isGuess: true }))]
}

const shift = (inner: Inner, by: number): Inner =>
  inner.words === undefined ? inner : { ...inner, words: [inner.words[0] + by, inner.words[1] + by] }

const behindOperands = (argv: ReadonlyArray<string>, at: number, wrapper: Wrapper): number => {
  const from = at + (wrapper.operands ?? 0)
  return wrapper.operands !== undefined && argv[from] === "--" ? from + 1 : from
}

/** `-c` may stand in a group (`-ec`, `-lc`); its text is the first word that is no option. */
const unwrapShell = (argv: ReadonlyArray<string>, isOther: boolean): Unwrapped => {
  let hasCode = false
  let at = 1
  for (; at < argv.length; at++) {
    const word = argv[at] ?? ""
    if (word === "--" || word === "-") {
      at++
      break
    }
    if (!/^[-+]./.test(word)) break
    if (word === "--version" || word === "--help") return NOTHING
    if (word === "--rcfile" || word === "--init-file") at++
    else if (!word.startsWith("--")) {
      if (word.startsWith("-") && word.includes("c")) hasCode = true
      // Each `o` or `O` of the group takes the next word.
      at += (word.match(/[oO]/g) ?? []).length
    }
  }
  const hidden = { isHidden: true as const }
  if (hasCode) return { inner: argv[at] === undefined ? [] : [scriptOf(argv, at, at + 1)], ...(isOther ? hidden : {}) }
  const isFile = argv[at] !== undefined && !argv.slice(1, at).some((word) => /^-[A-Za-z]*s/.test(word))
  return {
    inner: [],
    ...hidden,
    ...(isFile && !/^\/dev\/(?:stdin|fd\/)/.test(argv[at] ?? "") ? {} : { readsInput: true })
  }
}

/** The command `by` words behind one of these. */
const behind = (argv: ReadonlyArray<string>, signs: string, by = 1): ReadonlyArray<Inner> => {
  const at = argv.findIndex((word) => words(signs).includes(word))
  return at === -1 || at + by >= argv.length ? [] : [{ from: at + by }]
}

const findCommands = (argv: ReadonlyArray<string>): ReadonlyArray<Inner> =>
  argv.flatMap((word, at): ReadonlyArray<Inner> => {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(word)) return []
    const length = argv.slice(at + 1).findIndex((one) => one === ";" || one === "+")
    const to = length === -1 ? argv.length : at + 1 + length
    return to > at + 1 ? [{ from: at + 1, to, adds: true }] : []
  })

const fdCommand = (argv: ReadonlyArray<string>): Unwrapped => {
  const at = argv.findIndex((word) => /^(?:-[A-Za-z]*[xX]|--exec|--exec-batch)$/.test(word))
  if (at !== -1) return { inner: [{ from: at + 1, adds: true }] }
  return argv.some((word) => /^(?:-[A-Za-z]*[xX].|--exec(?:-batch)?=)/.test(word))
    ? { inner: [], isHidden: true }
    : NOTHING
}

/** The command runs elsewhere, but it is a command all the same. */
const sshCommand = (argv: ReadonlyArray<string>): Unwrapped => {
  const first = options(argv, 1, { short: "BbcDEeFIiJLlmOopQRSWw" })
  const { at } = options(argv, first.at + 1, { short: "BbcDEeFIiJLlmOopQRSWw" })
  return at < argv.length ? { inner: [scriptOf(argv, at)] } : { inner: [], readsInput: true }
}

/** `-c alias.z='!rm x'` */
const gitAliases = (argv: ReadonlyArray<string>): ReadonlyArray<Inner> =>
  argv.flatMap((word, at): ReadonlyArray<Inner> => {
    const script = at > 0 && at < 40 ? /^(?:-c)?[\w.-]+=!(.+)$/s.exec(word)?.[1] : undefined
    return script === undefined ? [] : [{ script, words: [at, at + 1], isGuess: true }]
  })
