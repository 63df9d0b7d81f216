/** What the walk through a parsed command looks names up in. Data only. */

/** Node types that mean nothing by themselves: their children are looked at. */
export const KNOWN_NODES: ReadonlySet<string> = new Set([
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
  "SimpleExpansion",
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
  "Default",
  "Remove",
  "Replace",
  "Slice",
  "CaseModification",
  "Transform",
  "Names"
])

/** Targets of redirections that touch no file. */
export const FREE_TARGETS = /^\/dev\/(?:null|zero|full|random|urandom|std(?:in|out|err)|tty|fd\/\d+)$/

/** Targets that bash opens as network connections. */
export const ADDRESSES = /^\/+dev\/+(?:tcp|udp)\//

/** Programs that run what they read. Shells are known to `wrappers.ts`. */
export const INTERPRETERS: ReadonlySet<string> = new Set(
  (
    "python python2 python3 pypy pypy3 node nodejs bun deno tsx ts-node perl ruby irb php lua luajit tclsh wish expect " +
    "R Rscript julia ghci groovy scala osascript powershell psql mysql mariadb sqlite3 duckdb mongo mongosh redis-cli " +
    "ed ex vi vim nvim emacs awk gawk mawk nawk sed make gmake bc dc gdb lldb at batch crontab ssh xargs parallel patch m4"
  ).split(" ")
)
