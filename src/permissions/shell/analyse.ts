/**
 * Finds everything a shell text would run, read and write (spec 03), on a real parse of the Bash grammar. What is not
 * understood is a concern: no rule that allows covers it. Pure.
 */
import type { AndOr, ArithmeticFor, Command, For, Redirection, Select, SyntaxNode, TestExpression } from "unbash"
import { builtinConcern, isHarmlessName, isOrdinaryName } from "./builtins.ts"
import { assignment, says, type Concern } from "./concerns.ts"
import { foldFolder, START, type Folder } from "./folders.ts"
import { ADDRESSES, FREE_TARGETS, INTERPRETERS, KNOWN_NODES } from "./nodes.ts"
import { hasDangerousUses } from "./dangerousUse.ts"
import { CHANGERS, NAMELESS, READERS } from "./programs.ts"
import { readArgument, readWord, readWords, type ShellWord } from "./words.ts"
import { OTHER_SHELLS, READS_INPUT, SHELLS } from "./wrapperTable.ts"
import { baseName, unwrap, type Inner } from "./wrappers.ts"

/** One program that would run. */
export interface SimpleCommand {
  readonly words: ReadonlyArray<ShellWord>
  /** The source, assignments before it included. */
  readonly source: string
  /** It stands inside the arguments of this other one (`timeout 5 …`). */
  readonly wrapper: SimpleCommand | undefined
  /** Folder it runs in; undefined: not known. */
  readonly folder: Folder | undefined
  /** Its own source holds redirections, which are judged apart. */
  readonly redirected: boolean
  /** One possible reading of a wrapper's words: only rules that forbid look at it. */
  readonly isGuess: boolean
}

/** A file that is not an argument of a program: the target of a redirection, a word a loop goes through. */
export interface FileTarget {
  readonly word: ShellWord
  readonly folder: Folder | undefined
}

export interface Analysis {
  readonly commands: ReadonlyArray<SimpleCommand>
  /** Targets of redirections. */
  readonly writes: ReadonlyArray<FileTarget>
  readonly reads: ReadonlyArray<FileTarget>
  /** Words that later commands may get as arguments. */
  readonly mentions: ReadonlyArray<FileTarget>
  /** Variables that the text itself sets in loops and by `read`, by whether they may hold a flag. */
  readonly held: ReadonlyMap<string, boolean>
  /** Why no rule that allows covers the text; empty where nothing stands in the way. */
  readonly concerns: ReadonlyArray<Concern>
}

/** The parser; loaded when the first command is judged. */
export type Parser = typeof import("unbash")

const LONGEST = 100_000
const DEEPEST = 12
const MOST_COMMANDS = 2_000
/** Words behind an unknown program that may be one. */
const MOST_GUESSED = 12

export const analyse = (source: string, parser: Parser): Analysis => {
  const walker = new Walker(parser)
  walker.script(source, undefined, 0)
  return walker
}

class Walker implements Analysis {
  readonly commands: Array<SimpleCommand> = []
  readonly writes: Array<FileTarget> = []
  readonly reads: Array<FileTarget> = []
  readonly mentions: Array<FileTarget> = []
  readonly held = new Map<string, boolean>()
  readonly concerns: Array<Concern> = []
  private readonly parser: Parser
  private source = ""
  private depth = 0
  /** Folder in which the next command runs, as `cd` left it. */
  private folder: Folder | undefined = START

  constructor(parser: Parser) {
    this.parser = parser
  }

  script(source: string, wrapper: SimpleCommand | undefined, depth: number): void {
    if (source.length > LONGEST) return this.concern(says.long)
    if (depth > DEEPEST) return this.concern(says.deep)
    const before = { source: this.source, depth: this.depth, folder: this.folder }
    // Bash drops NUL from what it reads; that it is there is a sign of nothing good.
    if (source.includes("\0")) this.concern(says.syntax)
    this.source = source.replaceAll("\0", "")
    this.depth = depth
    this.visit(this.parser.parse(this.source), wrapper, 0)
    this.source = before.source
    this.depth = before.depth
    this.folder = before.folder
  }

  private concern(reason: Concern | undefined): void {
    if (reason !== undefined && !this.concerns.some(({ text }) => text.en === reason.text.en))
      this.concerns.push(reason)
  }

  /** Runs `walk` where a `cd` inside is over at its end. */
  private isolated(walk: () => void): void {
    const { folder } = this
    walk()
    this.folder = folder
  }

  private visit(node: SyntaxNode, wrapper: SimpleCommand | undefined, level: number): void {
    if (level > 250) return this.concern(says.deep)
    const down = () => this.parser.forEachChild(node, (child) => this.visit(child, wrapper, level + 1))
    switch (node.type) {
      case "Command":
        return this.command(node, wrapper, level)
      case "Statement":
        if (node.background !== true) return down()
        this.concern(says.background)
        return this.isolated(down)
      case "Subshell":
        return this.isolated(down)
      case "Pipeline":
        if (node.commands.length < 2) return down()
        for (const part of node.commands) this.isolated(() => this.visit(part, wrapper, level + 1))
        return
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        this.concern(says.substitution)
        return node.script === undefined ? this.concern(says.syntax) : this.isolated(down)
      case "Script": {
        if ((node.errors ?? []).length > 0) this.concern(says.syntax)
        const { source } = this
        // Text between backticks has lost its escapes: positions count in what is left.
        this.source = node.source ?? source
        down()
        this.source = source
        return
      }
      case "Function":
        this.concern(says.function)
        return this.isolated(down)
      case "Coproc":
        this.concern(says.background)
        return this.isolated(down)
      case "ArithmeticCommand":
      case "ArithmeticExpansion":
        // A name stands for its content, which is evaluated in turn.
        if (/[A-Za-z_$`]/.test(this.source.slice(node.pos + 1, node.end).replaceAll(/\b0[xX][0-9a-fA-F]+\b/g, "0")))
          this.concern(says.evaluation)
        return down()
      case "ArithmeticFor":
        if (!countsOnly(node, this.source)) this.concern(says.evaluation)
        return this.loop(down)
      case "TestCommand":
        if (evaluates(node.expression)) this.concern(says.evaluation)
        return down()
      case "For":
      case "Select":
        if (!isOrdinaryName(node.name.value)) this.concern(assignment(node.name.value))
        this.hold(node)
        return this.loop(down)
      case "While":
        return this.loop(down)
      case "If":
      case "Case": {
        // Which branch runs is not known: neither is the folder behind it, once one of them changes it.
        const before = this.folder
        down()
        if (this.folder !== before) this.folder = undefined
        return
      }
      case "AndOr":
        return this.andOr(node, wrapper, level)
      case "Redirect":
      case "HereString":
      case "HereDoc":
        return this.redirection(node, undefined, wrapper, level)
      case "ParameterExpansion":
        if (node.operation !== undefined || node.prefix !== undefined || node.index !== undefined)
          this.concern(says.expansion)
        return down()
      default:
        return KNOWN_NODES.has(node.type) ? down() : this.concern(says.syntax)
    }
  }

  /** A folder changed in a loop is another one at each turn. */
  private loop(down: () => void): void {
    const before = this.folder
    down()
    if (this.folder === before) return
    this.folder = undefined
    this.concern(says.folder)
  }

  /** Behind `&&` a `cd` has happened; behind `||` it may have failed. */
  private andOr(node: AndOr, wrapper: SimpleCommand | undefined, level: number): void {
    const before = this.folder
    for (const [index, part] of node.commands.entries()) {
      const operator = node.operators[index - 1]
      if (operator === "&&" && this.folder?.otherwise !== undefined)
        this.folder = { ...this.folder, otherwise: undefined }
      if (operator === "||" && this.folder !== before) this.folder = undefined
      this.visit(part, wrapper, level + 1)
    }
  }

  /** A loop's variable, and the words that commands may get through it. Without a list it takes the arguments. */
  private hold(node: For | Select): void {
    const words = (node.wordlist ?? []).flatMap(readWords)
    for (const word of words) this.mentions.push({ word, folder: this.folder })
    const mayBeFlag = node.wordlist === undefined || words.some((word) => /^[-\uE002]/.test(word.shape))
    this.held.set(node.name.value, mayBeFlag || this.held.get(node.name.value) === true)
  }

  private command(node: Command, wrapper: SimpleCommand | undefined, level: number): void {
    for (const part of node.prefix) {
      if (part.type !== "Assignment") continue
      if (node.name === undefined || !isHarmlessName(part.name)) this.concern(assignment(part.name))
      this.visit(part, wrapper, level + 1)
    }
    const words = node.name === undefined ? [] : [...readWords(node.name)]
    if (node.name !== undefined) this.visit(node.name, wrapper, level + 1)
    for (const argument of node.args) {
      words.push(...readArgument(argument))
      this.visit(argument, wrapper, level + 1)
    }
    const command: SimpleCommand = {
      words,
      source: this.source.slice(node.pos, node.end),
      wrapper,
      folder: this.folder,
      redirected: node.redirects.length > 0,
      isGuess: false
    }
    for (const redirect of node.redirects) this.redirection(redirect, command, wrapper, level)
    if (node.name?.parts?.some(({ type }) => type === "BraceExpansion") === true) this.concern(says.variable)
    if (words.length > 0) this.look(command)
  }

  /** What the command itself makes uncertain, and what it runs in turn. */
  private look(command: SimpleCommand): void {
    if (this.commands.length >= MOST_COMMANDS) return this.concern(says.long)
    this.commands.push(command)
    const [program] = command.words
    if (program === undefined) return
    if (!program.isLiteral || program.value === "") return this.concern(says.variable)
    if (/\s/.test(program.value)) this.concern(says.blanks)
    if (command.words.some(({ isOpaque }) => isOpaque)) this.concern(says.expansion)
    const argv = command.words.map(({ value }) => value)
    const name = baseName(program.value)
    this.concern(builtinConcern(name, command.words))
    if (name === "read") for (const { value } of command.words.slice(1)) this.held.set(value, true)
    if (this.folder === undefined && !FOLDERLESS.has(name)) this.concern(says.folder)
    if (name === "cd" || name === "pushd") {
      this.folder = foldFolder(this.folder, command.words)
      if (this.folder === undefined) this.concern(says.folder)
    }
    const { inner, isHidden, readsInput } = unwrap(argv)
    if (isHidden === true || readsInput === true) this.concern(says.hidden)
    const first = Math.min(argv.length, ...inner.flatMap(({ from }) => from ?? []))
    for (const word of ASSIGNING.has(name) ? argv.slice(1, first) : []) {
      const variable = /^([A-Za-z_]\w*)\+?=/.exec(word)?.[1]
      if (variable !== undefined && !isHarmlessName(variable)) this.concern(assignment(variable))
    }
    for (const one of inner) this.inner(command, one)
    if (inner.length === 0) this.stranger(name, command)
  }

  /** A program nobody knows may run what stands behind its name: only rules that forbid look at that. */
  private stranger(name: string, command: SimpleCommand): void {
    if (NAMELESS.has(name) || READERS.has(name) || CHANGERS.has(name) || hasDangerousUses(name)) return
    const { words } = command
    for (let from = 1; from < Math.min(words.length, MOST_GUESSED); from++) {
      if (!/^[\w./][\w./-]*$/.test(words[from]?.value ?? "")) continue
      this.commands.push({ ...command, words: words.slice(from), wrapper: command, isGuess: true })
    }
  }

  private inner(wrapper: SimpleCommand, { from, isGuess, script, to, words: range }: Inner): void {
    if (this.depth > DEEPEST) return this.concern(says.deep)
    if (script !== undefined) {
      if (wrapper.words.slice(...(range ?? [0])).some(({ isLiteral }) => !isLiteral)) this.concern(says.expansion)
      return this.script(script, wrapper, this.depth + 1)
    }
    const words = wrapper.words.slice(from ?? 0, to)
    if (words.length === 0) return
    const source = words.map(({ value }) => value).join(" ")
    const command = {
      words,
      source,
      wrapper,
      folder: this.folder,
      redirected: false,
      isGuess: isGuess === true
    }
    if (command.isGuess || wrapper.isGuess) {
      this.commands.push({ ...command, isGuess: true })
      return
    }
    this.depth++
    this.look(command)
    this.depth--
    // Options of the wrapper may have been misread: then the command begins one or two words later.
    if (!wrapper.words.slice(1, from).some(({ value }) => value.startsWith("-"))) return
    for (const later of [words.slice(1), words.slice(2)]) {
      if (later.length > 0) this.commands.push({ ...command, words: later, isGuess: true })
    }
  }

  private redirection(
    node: Redirection,
    command: SimpleCommand | undefined,
    wrapper: SimpleCommand | undefined,
    level: number
  ): void {
    if (node.descriptor?.type === "FileDescriptorVariable") this.concern(assignment(node.descriptor.name))
    if (node.type === "HereDoc") {
      this.fed(command, node.body.text)
      return this.visit(node.body, wrapper, level + 1)
    }
    if (node.target === undefined) return this.concern(says.syntax)
    this.visit(node.target, wrapper, level + 1)
    const word = readWord(node.target)
    if (node.type === "HereString") return this.fed(command, word.value)
    const isCopy = (node.operator === ">&" || node.operator === "<&") && /^(?:\d+-?|-)$/.test(word.value)
    if (word.isLiteral && (isCopy || FREE_TARGETS.test(word.value))) return
    if (ADDRESSES.test(word.value)) this.concern(says.network)
    const target = { word, folder: this.folder }
    if (node.operator === "<") this.reads.push(target)
    else this.writes.push(target)
  }

  /** A text that the command gets as its input: a shell would run it. */
  private fed(command: SimpleCommand | undefined, content: string): void {
    const names = (command?.words ?? []).map(({ value }) => baseName(value))
    const isShell = names.some((name) => SHELLS.has(name) || OTHER_SHELLS.has(name))
    // A loop or group hands it to whatever runs inside.
    if (command !== undefined && !isShell && !names.some((name) => INTERPRETERS.has(name) || READS_INPUT.has(name)))
      return
    this.concern(says.hereDocument)
    if (command === undefined || isShell) this.script(content, command, this.depth + 1)
  }
}

/** Wrappers that set variables for what they run. */
const ASSIGNING = new Set(["env", "sudo", "doas"])

/** Where they run makes no difference. */
const FOLDERLESS = new Set(["true", "false", ":", "echo", "printf", "exit", "return", "break", "continue"])

/** `for ((i = 0; i < 10; i++))`: only variables that were given a number in it. */
const countsOnly = (node: ArithmeticFor, source: string): boolean => {
  const head = source.slice(node.pos, node.body.pos)
  const [start = "", ...rest] = head.slice(head.indexOf("((") + 2, head.lastIndexOf("))")).split(";")
  const set = new Set([...start.matchAll(/([a-z][a-z0-9]*)\s*=\s*\d+\s*(?=,|$)/g)].map(([, name]) => name))
  if (/[^\w\s=,]/.test(start) || /[$`[\]]/.test(rest.join(";"))) return false
  return [...`${start};${rest.join(";")}`.matchAll(/[A-Za-z_]\w*/g)].every(([name]) => set.has(name))
}

/** `[[ -v name[…] ]]` and numeric comparisons evaluate what they are given, quoted or not. */
const evaluates = (expression: TestExpression): boolean => {
  switch (expression.type) {
    case "TestUnary":
      return (expression.operator === "-v" || expression.operator === "-R") && !/^\w+$/.test(expression.operand.text)
    case "TestBinary":
      return (
        /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator) &&
        ![expression.left, expression.right].every((word) => /^(?:-?\d+|\$[#?]|"\$[#?]")$/.test(word.text))
      )
    case "TestLogical":
      return expression.operands.some(evaluates)
    case "TestNot":
      return evaluates(expression.operand)
    case "TestGroup":
      return evaluates(expression.expression)
  }
}
