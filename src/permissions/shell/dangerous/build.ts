/** Dangerous uses of package managers and build tools: nearly all run code of the project or of packages. */
import {
  always,
  configures,
  firstWord,
  firstWordNot,
  loads,
  type Program,
  runs,
  runsCode,
  type Syntax,
  writes
} from "./table.ts"

const plainSubs: Readonly<Record<string, Syntax>> = { "*": {} }
const npmFlags =
  "--script-shell --node-options --viewer --browser --editor --git --userconfig --globalconfig --shell --pnpmfile --global-pnpmfile"

export const build = (): ReadonlyArray<Program> => [
  {
    names: "npm",
    syntax: { takes: "-w --workspace --loglevel --registry" },
    before:
      "-w --workspace --loglevel -s --silent -q --quiet -d --json -l --long -g --global -v --version -h --help --no-color --no-fund " +
      "--no-audit --registry --workspaces --all -a",
    subs: { "*": { plain: "--global --g --no" } },
    known:
      "ls list la ll view info show v outdated help help-search search find root prefix ping whoami explain why fund query " +
      "doctor sbom audit version config c get pkg cache",
    rows: [
      { sub: "*", flags: npmFlags, why: loads },
      { sub: "run run-script rum urn test t tst start stop restart exec x", when: always, why: runsCode },
      {
        sub: "install i add ci update up install-test it rebuild link init create uninstall publish pack",
        when: always,
        why: runsCode
      },
      { sub: "audit", when: firstWord("fix"), why: runsCode },
      { sub: "version", when: (use) => use.words[0], why: runsCode },
      { sub: "config c", when: firstWordNot("get list ls"), why: configures },
      { sub: "pkg", when: firstWordNot("get"), why: configures },
      { sub: "cache", when: firstWordNot("ls verify"), why: writes }
    ]
  },
  {
    names: "pnpm",
    syntax: { takes: "-F --filter --reporter" },
    before: "-F --filter -r --recursive --reporter -s --silent -v --version -h --help -w --workspace-root",
    subs: plainSubs,
    known: "ls list ll la why outdated view info show help root bin licenses audit config c get",
    rows: [
      { sub: "*", flags: npmFlags, why: loads },
      { sub: "run test t start exec dlx x create", when: always, why: runsCode },
      { sub: "install i add update up ci link rebuild remove publish pack", when: always, why: runsCode },
      { sub: "audit", flags: "--fix", why: writes },
      { sub: "config c", when: firstWordNot("get list ls"), why: configures }
    ]
  },
  {
    names: "yarn yarnpkg",
    before: "-s --silent --json --no-progress -v --version -h --help",
    subs: plainSubs,
    known: "list info why outdated help versions licenses config",
    // Alone, it installs.
    bare: runsCode,
    rows: [
      { sub: "run test start exec dlx node create workspace workspaces", when: always, why: runsCode },
      { sub: "install add remove upgrade up link publish pack rebuild", when: always, why: runsCode },
      { sub: "config", when: firstWordNot("get list"), why: configures }
    ]
  },
  {
    names: "bun",
    syntax: { style: "exact" },
    before: "--silent -v --version --revision -h --help",
    subs: plainSubs,
    known: "outdated why info pm",
    rows: [
      { sub: "run test x exec repl build create init", when: always, why: runsCode },
      { sub: "install i add remove rm update link unlink publish patch upgrade", when: always, why: runsCode },
      { sub: "pm", when: firstWordNot("ls list bin hash whoami view"), why: runsCode }
    ]
  },
  { names: "npx bunx pnpx uvx pipx corepack nx turbo lerna", rows: [{ when: always, alone: "-v -h", why: runsCode }] },
  // Even `make -n` evaluates `$(shell …)`.
  { names: "make gmake bmake", rows: [{ when: always, alone: "-v -h", why: runsCode }] },
  {
    names: "cargo",
    syntax: { takes: "--color --explain", style: "exact" },
    before: "-q --quiet -v --verbose -V --version -h --help --offline --locked --frozen --color --list --explain",
    subs: { "*": { style: "exact" } },
    known: "tree metadata search help version locate-project pkgid read-manifest info",
    rows: [
      { sub: "*", flags: "--config -Z", why: configures },
      { sub: "run r build b test t bench check c clippy doc d install fix", when: always, why: runsCode },
      { sub: "publish add remove update clean new init yank login fmt", when: always, why: writes }
    ]
  },
  {
    names: "go",
    syntax: { style: "single" },
    before: "-h -help",
    subs: { "*": { style: "single" } },
    known: "version env list doc help",
    rows: [
      { sub: "*", flags: "-toolexec -exec -overlay -modfile -vettool -http", why: runs },
      { sub: "env", flags: "-w -u", why: configures },
      { sub: "run build test install generate get mod work tool vet fmt fix clean", when: always, why: runsCode }
    ]
  },
  {
    names: "pip",
    before:
      "-q --quiet -v --verbose --no-color --disable-pip-version-check --no-input -V --version -h --help --isolated --require-virtualenv",
    subs: plainSubs,
    known: "list show freeze check help index inspect debug hash config cache",
    rows: [
      { sub: "*", flags: "--python --log", why: runs },
      { sub: "install download wheel uninstall lock", when: always, why: runsCode },
      { sub: "config", when: firstWordNot("get list debug"), why: configures },
      { sub: "cache", when: firstWordNot("dir info list"), why: writes }
    ]
  },
  {
    names: "uv poetry pdm conda mamba pipenv hatch rye",
    before: "-q --quiet -v --verbose -V --version -h --help --no-ansi",
    subs: plainSubs,
    known: "version help about",
    rows: [
      {
        sub: "run sync install add remove lock tool pip build publish update self python init shell",
        when: always,
        why: runsCode
      },
      { sub: "version", when: (use) => use.words[0] ?? use.options[0]?.name, why: writes }
    ]
  },
  {
    names: "gem",
    before: "-v --version -h --help",
    subs: plainSubs,
    known: "list search environment env which query help outdated info",
    rows: [{ sub: "install update uninstall build push exec", when: always, why: runsCode }]
  },
  {
    names:
      "mvn mvnw gradle gradlew ant sbt lein bundle rake just task ninja cmake ctest bazel bazelisk meson scons composer mix",
    rows: [{ when: always, alone: "-v -V -h -version", why: runsCode }]
  },
  {
    names: "pytest py.test tox nox jest vitest mocha ava tsx ts-node nodemon pre-commit phpunit rspec",
    rows: [{ when: always, alone: "-V -v -h", why: runsCode }]
  },
  {
    names: "dotnet swift zig stack cabal dune opam flutter dart",
    rows: [{ when: always, alone: "-V -h --info --list-sdks --list-runtimes", why: runsCode }]
  }
]
