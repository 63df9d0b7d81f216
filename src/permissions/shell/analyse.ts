/**
 * Finds everything a shell text would run, read and write (spec 03), on a real parse of the Bash grammar. What is not
 * understood is a concern: no rule that allows covers it. Pure.
 */
import type { Command, Redirection, SyntaxNode } from "unbash"
import { text, type Text } from "../../domain/text.ts"
import { readWord, type ShellWord } from "./words.ts"
import { baseName, unwrap } from "./wrappers.ts"

/** One program that would run. */
export interface SimpleCommand {
  readonly words: ReadonlyArray<ShellWord>
  /** Words as the program would get them, joined by blanks. */
  readonly text: string
  /** The source, assignments before it included. */
  readonly source: string
  /** It stands inside the arguments of this other one (`timeout 5 …`). */
  readonly wrapper: SimpleCommand | undefined
  /** Folder it runs in, relative to the first one; undefined: not known. */
  readonly folder: string | undefined
}

export interface FileTarget {
  /** Undefined: it cannot be known here. */
  readonly path: string | undefined
  readonly folder: string | undefined
}

export interface Analysis {
  readonly commands: ReadonlyArray<SimpleCommand>
  /** Targets of redirections. */
  readonly writes: ReadonlyArray<FileTarget>
  readonly reads: ReadonlyArray<FileTarget>
  /** Why no rule that allows covers the text; empty where nothing stands in the way. */
  readonly concerns: ReadonlyArray<Text>
}

/** The parser; loaded when the first command is judged. */
export type Parser = typeof import("unbash")

const LONGEST = 100_000
const DEEPEST = 12

/** Assignments before a command that change nothing about what it may do (spec 03). */
const HARMLESS_NAMES = /^(?:CI|NO_COLOR|FORCE_COLOR|LANG|LC_[A-Z]+|TZ|TERM)$/

export const analyse = (source: string, parser: Parser): Analysis => {
  const walker = new Walker(parser)
  walker.script(source, undefined, 0)
  return walker
}

const says = {
  long: text("the command is too long to be judged", "la commande est trop longue pour être jugée"),
  deep: text("the command is nested too deeply", "la commande est imbriquée trop profondément"),
  syntax: text("the command does not parse", "la commande ne se laisse pas analyser"),
  substitution: text("it holds a substitution", "elle contient une substitution"),
  background: text("it runs in the background (&)", "elle s'exécute en arrière-plan (&)"),
  function: text("it defines a function", "elle définit une fonction"),
  variable: text("the program is not written out", "le programme n'est pas écrit en clair"),
  expansion: text(
    "it holds an expansion that cannot be seen through",
    "elle contient une expansion qu'on ne peut pas suivre"
  ),
  subscript: text("the shell would evaluate a subscript in it", "le shell y évaluerait un indice"),
  hereDocument: text("a shell reads it from a here-document", "un shell la lit dans un document en ligne"),
  hidden: text("what it runs cannot be seen here", "ce qu'elle exécute n'est pas visible ici")
}

class Walker implements Analysis {
  readonly commands: Array<SimpleCommand> = []
  readonly writes: Array<FileTarget> = []
  readonly reads: Array<FileTarget> = []
  readonly concerns: Array<Text> = []
  private readonly parser: Parser
  private source = ""
  private depth = 0
  /** Folder in which the next command runs, as `cd` left it. */
  private folder: string | undefined = "."

  constructor(parser: Parser) {
    this.parser = parser
  }

  script(source: string, wrapper: SimpleCommand | undefined, depth: number): void {
    if (source.length > LONGEST) return this.concern(says.long)
    if (depth > DEEPEST) return this.concern(says.deep)
    const before = { source: this.source, depth: this.depth, folder: this.folder }
    this.source = source
    this.depth = depth
    const parsed = this.parser.parse(source)
    if ((parsed.errors ?? []).length > 0) this.concern(says.syntax)
    this.visit(parsed, wrapper, 0)
    this.source = before.source
    this.depth = before.depth
    this.folder = before.folder
  }

  private concern(reason: Text): void {
    if (!this.concerns.includes(reason)) this.concerns.push(reason)
  }

  private children(node: SyntaxNode, wrapper: SimpleCommand | undefined, level: number): void {
    this.parser.forEachChild(node, (child) => this.visit(child, wrapper, level + 1))
  }

  /** Runs `walk` where a `cd` inside is over at its end. */
  private isolated(walk: () => void): void {
    const { folder } = this
    walk()
    this.folder = folder
  }

  private visit(node: SyntaxNode, wrapper: SimpleCommand | undefined, level: number): void {
    if (level > 200) return this.concern(says.deep)
    const down = () => this.children(node, wrapper, level)
    switch (node.type) {
      case "Command":
        return this.command(node, wrapper, level)
      case "Statement":
        if (node.background === true) {
          this.concern(says.background)
          return this.isolated(down)
        }
        return down()
      case "Subshell":
        return this.isolated(down)
      case "Pipeline":
        return node.commands.length > 1 ? this.isolated(down) : down()
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        this.concern(says.substitution)
        if (node.script === undefined) return this.concern(says.syntax)
        return this.isolated(down)
      case "Script":
        if ((node.errors ?? []).length > 0) this.concern(says.syntax)
        return down()
      case "Function":
        this.concern(says.function)
        return this.isolated(down)
      case "Coproc":
        this.concern(says.background)
        return this.isolated(down)
      case "ArithmeticCommand":
      case "ArithmeticExpansion":
        if (/[A-Za-z_]\w*\s*\[|\$/.test(this.source.slice(node.pos, node.end).slice(2))) this.concern(says.subscript)
        return down()
      case "TestCommand":
        if (/\s-[vR]\s|\[[^\]]*\$|-(?:eq|ne|lt|le|gt|ge)\s/.test(this.source.slice(node.pos, node.end)))
          this.concern(says.subscript)
        return down()
      case "If":
      case "While":
      case "For":
      case "ArithmeticFor":
      case "Case":
      case "Select": {
        // Which branch runs is not known: neither is the folder behind it, once one of them changes it.
        const before = this.folder
        down()
        if (this.folder !== before) this.folder = undefined
        return
      }
      case "Redirect":
      case "HereString":
      case "HereDoc":
        return this.redirection(node, undefined, wrapper, level)
      case "SimpleExpansion":
        return
      case "ParameterExpansion":
        if (node.operation !== undefined || node.prefix === "!" || node.index !== undefined)
          this.concern(says.expansion)
        return down()
      case "AndOr": {
        // Behind `||` a `cd` may or may not have happened.
        down()
        if (node.operators.includes("||") && this.folder !== ".") this.folder = undefined
        return
      }
      default:
        return KNOWN.has(node.type) ? down() : this.concern(says.syntax)
    }
  }

  private command(node: Command, wrapper: SimpleCommand | undefined, level: number): void {
    for (const part of node.prefix) {
      if (part.type !== "Assignment") continue
      if (node.name !== undefined && !HARMLESS_NAMES.test(part.name)) this.concern(assignmentConcern(part.name))
      if (node.name === undefined) this.concern(assignmentConcern(part.name))
      this.children(part, wrapper, level)
    }
    const words = node.name === undefined ? [] : [readWord(node.name)]
    if (node.name !== undefined) this.children(node.name, wrapper, level)
    for (const argument of node.args) {
      if (argument.type === "Word") words.push(readWord(argument))
      else words.push({ value: argument.text, isLiteral: false, isPattern: false, isOpaque: false })
      this.children(argument, wrapper, level)
    }
    const command: SimpleCommand = {
      words,
      text: words.map(({ value }) => value).join(" "),
      source: this.source.slice(node.pos, node.end),
      wrapper,
      folder: this.folder
    }
    for (const redirect of node.redirects) this.redirection(redirect, command, wrapper, level)
    if (words.length === 0) return
    this.commands.push(command)
    this.look(command)
  }

  /** What the command itself makes uncertain, and what it runs in turn. */
  private look(command: SimpleCommand): void {
    const [program] = command.words
    if (program === undefined) return
    if (!program.isLiteral) return this.concern(says.variable)
    if (command.words.some(({ isOpaque }) => isOpaque)) this.concern(says.expansion)
    const argv = command.words.map(({ value }) => value)
    const name = baseName(program.value)
    if (evaluatesSubscript(name, argv)) this.concern(says.subscript)
    if (name === "cd" || name === "pushd" || name === "popd") this.changeFolder(name, command.words)
    const inner = unwrap(argv)
    if (inner === undefined) return
    if (inner.hidden === true) this.concern(says.hidden)
    if (inner.script !== undefined) {
      if (command.words.some(({ isLiteral }) => !isLiteral)) this.concern(says.expansion)
      this.script(inner.script, command, this.depth + 1)
    }
    if (inner.argv !== undefined && inner.argv.length > 0) this.inner(inner.argv, command)
  }

  private inner(argv: ReadonlyArray<string>, wrapper: SimpleCommand): void {
    if (this.depth > DEEPEST) return this.concern(says.deep)
    const offset = wrapper.words.length - argv.length
    const known = wrapper.words.slice(offset)
    const words = argv.map((value, index): ShellWord =>
      known[index]?.value === value ? known[index] : { value, isLiteral: true, isPattern: false, isOpaque: false }
    )
    const command = { words, text: argv.join(" "), source: argv.join(" "), wrapper, folder: this.folder }
    this.commands.push(command)
    this.depth++
    this.look(command)
    this.depth--
  }

  private changeFolder(name: string, words: ReadonlyArray<ShellWord>): void {
    const [, target] = words.filter(({ value }, index) => index === 0 || !/^-[LPe@]+$/.test(value))
    if (name !== "cd" || target === undefined || !target.isLiteral || target.value === "-") {
      this.folder = name === "cd" && target === undefined ? "~" : undefined
      return
    }
    this.folder = this.folder === undefined ? undefined : joinFolder(this.folder, target.value)
  }

  private redirection(
    node: Redirection,
    command: SimpleCommand | undefined,
    wrapper: SimpleCommand | undefined,
    level: number
  ): void {
    if (node.type === "HereDoc") {
      const shell = command === undefined ? "" : baseName(command.words[0]?.value ?? "")
      if (unwrap([shell])?.hidden === true || INTERPRETERS.has(shell)) this.concern(says.hereDocument)
      if (unwrap([shell])?.hidden === true && node.delimiter?.quoted === true) {
        this.script(node.body.text, command, this.depth + 1)
      }
      return this.children(node, wrapper, level)
    }
    if (node.target === undefined) return this.concern(says.syntax)
    this.children(node.target, wrapper, level)
    if (node.type === "HereString") {
      const shell = command === undefined ? "" : baseName(command.words[0]?.value ?? "")
      if (unwrap([shell])?.hidden === true || INTERPRETERS.has(shell)) this.concern(says.hereDocument)
      return
    }
    const target = readWord(node.target)
    const isCopy = (node.operator === ">&" || node.operator === "<&") && /^(?:\d+-?|-)$/.test(target.value)
    if (isCopy || (target.isLiteral && FREE_TARGETS.has(target.value))) return
    const known = target.isLiteral && !target.value.startsWith("~") ? target.value : undefined
    const file = { path: known, folder: this.folder }
    if (node.operator === "<") this.reads.push(file)
    else this.writes.push(file)
  }
}

/** Node types that mean nothing by themselves: their children are looked at. */
const KNOWN = new Set<string>([
  "AndOr",
  "CompoundList",
  "BraceGroup",
  "Redirected",
  "Elif",
  "CaseItem",
  "Negation",
  "Time",
  "Word",
  "Literal",
  "SingleQuoted",
  "DoubleQuoted",
  "AnsiCQuoted",
  "LocaleString",
  "Glob",
  "ExtendedGlob",
  "BraceExpansion",
  "Assignment",
  "ArrayValue",
  "HereDocBody",
  "HereDocDelimiter",
  "FileDescriptor",
  "FileDescriptorVariable",
  "ArithmeticBinary",
  "ArithmeticUnary",
  "ArithmeticTernary",
  "ArithmeticGroup",
  "ArithmeticWord",
  "TestUnary",
  "TestBinary",
  "TestLogical",
  "TestNot",
  "TestGroup",
  "TestWord",
  "Default",
  "Remove",
  "Replace",
  "Slice",
  "CaseModification",
  "Transform",
  "Names"
])

const FREE_TARGETS = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"])

const INTERPRETERS = new Set([
  "python",
  "python2",
  "python3",
  "node",
  "bun",
  "deno",
  "perl",
  "ruby",
  "php",
  "lua",
  "tclsh",
  "psql",
  "sqlite3",
  "ed",
  "ex",
  "vim"
])

const assignmentConcern = (name: string): Text =>
  text(`it sets ${name} for what it runs`, `elle définit ${name} pour ce qu'elle exécute`)

/** Builtins that evaluate `name[subscript]` in their arguments, quoted or not. */
const evaluatesSubscript = (name: string, argv: ReadonlyArray<string>): boolean => {
  const subscript = (word: string | undefined) => word !== undefined && /[[$`]/.test(word)
  switch (name) {
    case "printf":
      return argv.some((word, index) => word.startsWith("-v") && subscript(word === "-v" ? argv[index + 1] : word))
    case "test":
    case "[":
      return (
        argv.some((word, index) => /^-[vR]$/.test(word) && subscript(argv[index + 1])) ||
        argv.some(
          (word, index) =>
            /^-(?:eq|ne|lt|le|gt|ge)$/.test(word) && (subscript(argv[index - 1]) || subscript(argv[index + 1]))
        )
      )
    case "read":
    case "mapfile":
    case "readarray":
    case "declare":
    case "typeset":
    case "local":
    case "export":
    case "readonly":
    case "unset":
    case "let":
    case "getopts":
    case "wait":
      return argv.slice(1).some(subscript) || name === "let"
    default:
      return false
  }
}

const joinFolder = (folder: string, target: string): string =>
  target.startsWith("/") || target === "~" || target.startsWith("~/") ? target : `${folder}/${target}`
