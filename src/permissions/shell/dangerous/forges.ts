/** Dangerous uses of the command lines of code forges, and of compilers. */
import {
  always,
  configures,
  destroys,
  firstWord,
  firstWordNot,
  loads,
  type Program,
  remote,
  runs,
  type Use
} from "./table.ts"

/** `gh api` reads unless a method or a field says otherwise. */
const writesApi = (use: Use): string | undefined => {
  const method = use.values("-X --method").at(-1)
  if (method !== undefined) return /^(?:get|head)$/i.test(method) ? undefined : method
  return use.options.find(({ name }) => /^(?:-f|-F|--field|--raw-field|--input)$/.test(name))?.name
}

export const forges = (): ReadonlyArray<Program> => [
  {
    names: "gh",
    before: "-h --help --version",
    subs: {
      api: { style: "exact", takes: "-X --method -H --header -q --jq -t --template -f --raw-field -F --field --input" },
      "*": { style: "exact", takes: "-R --repo -L --limit -q --jq -t --template --json -s --state -l --label" }
    },
    known:
      "pr issue repo run release workflow api search status browse auth gist label cache ruleset org project help version",
    rows: [
      { sub: "api", when: writesApi, why: remote },
      { sub: "alias extension ext config codespace cs secret variable ssh-key gpg-key", when: always, why: configures },
      {
        sub: "pr issue repo run release workflow gist label cache project",
        when: firstWordNot("list ls view diff checks status watch"),
        why: remote
      },
      { sub: "auth", when: firstWordNot("status"), why: configures },
      { sub: "browse", when: always, why: runs }
    ]
  },
  {
    names: "glab tea hub",
    before: "-h --help --version",
    subs: { "*": { style: "exact", takes: "-R --repo" } },
    known: "version help status mr issue repo ci release",
    rows: [
      { sub: "mr issue repo ci release", when: firstWordNot("list ls view diff status"), why: remote },
      { sub: "alias api auth config", when: always, why: configures }
    ]
  },
  {
    names: "hg chg sl",
    syntax: { takes: "-R --repository --cwd --config --color --pager --encoding", style: "gnu" },
    rows: [
      { flags: "--config --config-file --debugger", why: configures },
      { flags: "-e --ssh --remotecmd --tool", why: runs },
      {
        when: firstWord("extdiff serve shell debugshell debugssh bisect strip purge rollback revert"),
        why: runs
      }
    ]
  },
  {
    names: "jj",
    syntax: { takes: "-R --repository --at-operation --at-op --color", style: "exact" },
    rows: [
      { flags: "--config --config-toml --config-file", why: configures },
      { flags: "--tool", why: runs },
      { when: firstWord("fix run abandon restore undo"), why: destroys }
    ]
  },
  {
    names: "svn",
    syntax: { style: "exact" },
    rows: [
      { flags: "--config-option --config-dir", why: configures },
      { flags: "--diff-cmd --diff3-cmd --merge-cmd --editor-cmd", why: runs },
      { when: firstWord("revert rm remove delete del cleanup"), why: destroys }
    ]
  },
  {
    names: "gcc g++ cc c++ clang clang++ ld ld.lld lld gold",
    syntax: {
      style: "single",
      takes: "-o -I -L -D -l -x -include -isystem -std",
      attached: "-fplugin -fpass-plugin -specs -fuse-ld"
    },
    rows: [
      { flags: "-wrapper -fplugin -fpass-plugin -load -plugin", why: runs },
      { flags: "-specs -T -fuse-ld", why: loads },
      {
        when: (use) => use.options.find(({ name }) => /^-B(?!static$|dynamic$|symbolic)/.test(name))?.name,
        why: loads
      },
      { when: (use) => use.words.find((word) => word.startsWith("@")), why: loads }
    ]
  }
]
