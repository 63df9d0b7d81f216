/** Interpreters run whatever they are given: all but asking for the version fires. */
import { always, type Program, runsScript } from "./table.ts"

export const interpreters = (): ReadonlyArray<Program> => [
  {
    names: "python pythonw pypy ipython",
    syntax: { takes: "-c -m -W -X -Q", stops: true },
    rows: [
      { flags: "-c -m", why: runsScript },
      { when: always, alone: "-V -h", why: runsScript }
    ]
  },
  {
    names: "node nodejs",
    syntax: {
      takes: "-e --eval -p --print -r --require --import --loader --experimental-loader",
      stops: true,
      style: "exact"
    },
    rows: [
      { flags: "-e --eval -p --print -r --require --import --loader --experimental-loader", why: runsScript },
      { when: always, alone: "-v -h", why: runsScript }
    ]
  },
  {
    names: "perl",
    syntax: { takes: "-e -E -I", attached: "-i -M -m -0 -l -F -x -D -C -d", stops: true, style: "exact" },
    rows: [
      { flags: "-e -E -M -m -i", why: runsScript },
      { when: always, alone: "-v -V -h", why: runsScript }
    ]
  },
  {
    names: "ruby irb jruby",
    syntax: { takes: "-e -r -I", attached: "-i -0 -F -x -C -E", stops: true, style: "exact" },
    rows: [
      { flags: "-e -r -i", why: runsScript },
      { when: always, alone: "-v -h", why: runsScript }
    ]
  },
  {
    names: "php",
    syntax: { takes: "-r -B -R -E -F -f -S -t -c -d -z", stops: true, style: "exact" },
    rows: [
      { flags: "-r -B -R -E -F -f -S -d -c -z -a", why: runsScript },
      { when: always, alone: "-v -h -i -m", why: runsScript }
    ]
  },
  {
    names: "lua luajit",
    syntax: { takes: "-e -l", stops: true, style: "exact" },
    rows: [
      { flags: "-e -l -i", why: runsScript },
      { when: always, alone: "-v", why: runsScript }
    ]
  },
  {
    names: "deno",
    before: "-V --version -h --help -q --quiet",
    subs: { "*": { style: "exact" } },
    known: "info help doc types",
    // Alone, it reads a program from the terminal or the pipe.
    bare: runsScript,
    rows: [{ sub: "run eval repl test task serve bench install compile x", when: always, why: runsScript }]
  },
  {
    names: "sh bash zsh dash ksh mksh ash fish tcsh csh pwsh powershell nu elvish",
    rows: [{ when: always, why: runsScript }]
  },
  {
    names:
      "java javaw scala kotlin groovy clojure julia r rscript octave erl elixir iex ghci runghc guile racket sbcl tclsh wish expect osascript swipl",
    syntax: { style: "single" },
    rows: [{ when: always, alone: "-version -V", why: runsScript }]
  },
  {
    names: "sqlite sqlite3 psql mysql mariadb mongosh redis-cli duckdb",
    syntax: { style: "single" },
    rows: [{ when: always, alone: "-version -V", why: runsScript }]
  }
]
