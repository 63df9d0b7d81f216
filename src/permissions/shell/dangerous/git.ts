/**
 * Dangerous uses of git. Note what no list of options can tell: the configuration of a hostile repository
 * (`core.fsmonitor`, `diff.external`, hooks) makes even `git status` run programs; folder trust answers for that.
 */
import {
  always,
  configures,
  deletes,
  destroys,
  edits,
  firstWord,
  firstWordNot,
  isFile,
  loads,
  overwrites,
  type Program,
  reads,
  remote,
  runs,
  runsCode,
  sends,
  system,
  type Use,
  without,
  writes
} from "./table.ts"

/** `ext::sh -c id` and any other `helper::address` runs the program `git-remote-helper`. */
const helperAddress = (use: Use): string | undefined =>
  use.words.find((word) => /^[\w.+-]+::/.test(word)) ?? use.values("--remote --repo").find((v) => /^[\w.+-]+::/.test(v))

const forcedRefs = (use: Use): string | undefined => use.words.slice(1).find((ref) => ref.startsWith("+"))
const deletedRefs = (use: Use): string | undefined =>
  use.words.slice(1).find((ref) => ref.startsWith(":") && ref !== ":")

/** `git merge -s name` runs `git-merge-name`. */
const foreignStrategy = (value: string): boolean => !/^(?:ours|recursive|ort|resolve|octopus|subtree)$/.test(value)

/** Do the words of `git checkout` name files, whose changes would be lost? */
const checksOutFiles = (use: Use): string | undefined => {
  const { words, beforeDashes } = use
  if (beforeDashes !== undefined && words.length > beforeDashes) return "--"
  if (words.length > 1) return words[1]
  const [only] = words
  if (only === undefined || use.has("-b -B --orphan")) return undefined
  return /^(?:\.|:\/|\.\.?\/.*|.*[*?].*|.*\/|.*\.(?:[a-z]{2,5}|[chmr]))$/.test(only) ? only : undefined
}

const writesConfig = (use: Use): string | undefined => {
  if (use.has("--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list -l")) return undefined
  const [first, ...rest] = use.words
  if (first === undefined || first === "get" || first === "list") return undefined
  return rest.length === 0 && first.includes(".") ? undefined : first
}

const diffOptions =
  "-S -G -L -U --output --author --committer --grep --since --until --after --before --max-count --skip --format " +
  "--date --diff-filter --src-prefix --dst-prefix --inter-hunk-context --encoding --line-prefix"
const address = "--upload-pack -o --server-option --depth --shallow-since --shallow-exclude -j --jobs --refmap --filter"
const merging = "-m --message -F --file -s --strategy -X --strategy-option --into-name --cleanup"

/** A patch names the files that it changes; without a file it comes from stdin. */
const appliesTo = (use: Use): string => use.words[0] ?? use.options[0]?.name ?? "apply"

export const git = (): ReadonlyArray<Program> => [
  {
    names: "git",
    syntax: {
      takes: "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --list-cmds",
      attached: "--exec-path",
      style: "exact"
    },
    // Whether the folder of `-C` may be entered is judged with the paths.
    before:
      "-C -P --no-pager -v --version -h --help --no-optional-locks --literal-pathspecs --glob-pathspecs --no-advice " +
      "--noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch --exec-path --html-path --man-path --info-path",
    subs: {
      "diff log show whatchanged diff-tree diff-index diff-files range-diff shortlog reflog": {
        takes: diffOptions,
        attached: "-O -M -C -B -X -u -w",
        plain: "--text --ext"
      },
      "format-patch": {
        takes: `${diffOptions} -o --output-directory --start-number --subject-prefix -v --reroll-count`,
        attached: "-O -M -C -B",
        plain: "--text"
      },
      stash: { takes: "-m --message --output", plain: "--text" },
      "cat-file": { attached: "-Z", plain: "--text" },
      grep: {
        takes: "-e -f -A -B -C -m --max-count --max-depth --threads --after-context --before-context --context",
        attached: "-O",
        plain: "--text"
      },
      commit: {
        takes:
          "-m --message -F --file -C -c -t --template --author --date --reuse-message --reedit-message --fixup --squash " +
          "--trailer --cleanup --pathspec-from-file",
        attached: "-u -S"
      },
      push: { takes: "--repo -o --push-option --receive-pack --exec" },
      "fetch pull ls-remote": { takes: `${address} -s --strategy -X --strategy-option`, attached: "-r --rebase -S" },
      clone: {
        takes: `${address} -c --config --template -u -b --branch --origin --reference --reference-if-able --separate-git-dir --bundle-uri --revision`
      },
      init: { takes: "--template --separate-git-dir -b --initial-branch --object-format --ref-format" },
      branch: {
        takes: "-u --set-upstream-to --contains --no-contains --points-at --sort --format",
        attached: "-t"
      },
      tag: {
        takes: "-m --message -F --file -u --local-user --sort --format --points-at --cleanup",
        attached: "-n"
      },
      checkout: { takes: "-b -B --orphan --conflict --pathspec-from-file", attached: "-t -U" },
      switch: { takes: "-c --create -C --force-create --orphan --conflict", attached: "-t" },
      restore: { takes: "-s --source --conflict --pathspec-from-file", plain: "--staged --quiet" },
      rebase: { takes: "-x --exec --onto -s --strategy -X --strategy-option --whitespace -C", attached: "-S -r" },
      "merge cherry-pick revert": { takes: merging, attached: "-S" },
      clean: { takes: "-e --exclude" },
      config: {
        takes: "-f --file --blob --type --default --value --url --comment",
        plain:
          "--global --local --system --worktree --show-origin --show-scope --name-only --null --includes --bool --int --path"
      },
      archive: { takes: "-o --output --remote --exec --format --prefix --add-file --add-virtual-file --mtime" },
      reset: { takes: "--pathspec-from-file", attached: "-U" },
      remote: { takes: "-t -m" },
      "interpret-trailers": { takes: "--trailer --where --if-exists --if-missing" }
    },
    known:
      "add annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format " +
      "checkout cherry cherry-pick clean clone commit config count-objects describe diff diff-files diff-index diff-tree fetch " +
      "fmt-merge-msg for-each-ref format-patch fsck gc grep hash-object help init interpret-trailers log ls-files ls-remote " +
      "ls-tree maintenance merge merge-base merge-tree mv name-rev notes patch-id pull push range-diff read-tree rebase reflog " +
      "remote rerere reset restore rev-list rev-parse revert shortlog show show-branch show-ref sparse-checkout stash status " +
      "stripspace submodule switch symbolic-ref tag var verify-commit verify-pack verify-tag version whatchanged worktree",
    rows: [
      { flags: "-c --config-env", why: configures },
      { flags: "--exec-path", value: (value) => value.startsWith(".") || value.includes("/"), why: runs },
      { flags: "--git-dir --work-tree --namespace", why: loads },
      { flags: "-p --paginate", why: runs },

      {
        sub: "diff log show whatchanged diff-tree diff-index diff-files range-diff shortlog stash reflog format-patch",
        flags: "--output",
        value: isFile,
        why: writes
      },
      {
        sub: "diff log show whatchanged diff-tree diff-index diff-files range-diff stash reflog format-patch",
        flags: "--ext-diff --textconv",
        why: runs
      },
      { sub: "cat-file grep", flags: "--textconv --filters", why: runs },
      { sub: "format-patch", flags: "-o --output-directory", why: writes },
      { sub: "grep", flags: "-O --open-files-in-pager", why: runs },
      { sub: "archive", flags: "-o --output", value: isFile, why: writes },
      { sub: "archive", flags: "--remote --exec", why: runs },
      { sub: "bundle", when: firstWord("create"), why: writes },

      { sub: "fetch pull clone ls-remote", flags: "--upload-pack --exec", why: runs },
      { sub: "push", flags: "--receive-pack --exec", why: runs },
      { sub: "fetch pull clone ls-remote push remote submodule archive", when: helperAddress, why: runs },
      { sub: "clone", flags: "-u", why: runs },
      { sub: "clone", flags: "-c --config --template", why: configures },
      { sub: "init", flags: "--template --separate-git-dir", why: configures },
      { sub: "push", flags: "-f --force --force-with-lease --force-if-includes --mirror --prune", why: destroys },
      { sub: "push", flags: "-d --delete", why: deletes },
      { sub: "push fetch pull", when: forcedRefs, why: destroys },
      { sub: "push", when: deletedRefs, why: deletes },
      { sub: "fetch pull", flags: "-f --force", why: destroys },

      { sub: "branch", flags: "-D -d --delete", why: destroys },
      { sub: "branch", flags: "-m -M -C -f --move --force", why: destroys },
      { sub: "branch", flags: "--edit-description", why: edits },
      { sub: "tag", flags: "-d -f --delete --force", why: destroys },
      { sub: "checkout switch", flags: "-f --force -B -C --force-create --discard-changes", why: destroys },
      { sub: "checkout", when: checksOutFiles, why: destroys },
      { sub: "checkout", flags: "--pathspec-from-file --ours --theirs", why: destroys },
      { sub: "restore", flags: "-W --worktree", why: destroys },
      { sub: "restore", when: without("-S --staged", always), why: destroys },
      { sub: "reset", flags: "--hard --merge --keep", why: destroys },
      { sub: "read-tree", flags: "-u --reset", why: destroys },
      { sub: "clean", flags: "-f --force -i --interactive", why: deletes },
      { sub: "clean", when: without("-n --dry-run", always), why: deletes },
      { sub: "rm", when: always, why: deletes },
      { sub: "stash", when: firstWord("drop clear pop"), why: destroys },
      { sub: "worktree", when: firstWordNot("list"), why: writes },
      { sub: "reflog", when: firstWord("expire delete drop"), why: destroys },
      { sub: "rerere", when: firstWord("clear forget gc"), why: destroys },
      { sub: "gc", flags: "--prune", why: destroys },
      { sub: "update-ref replace prune filter-branch filter-repo", when: always, why: destroys },
      {
        sub: "symbolic-ref",
        when: (use) => (use.has("-d --delete") ? "-d" : use.words.length > 1 ? use.words[1] : undefined),
        why: destroys
      },

      { sub: "rebase", flags: "-x --exec", why: runs },
      { sub: "rebase", flags: "-i --interactive --edit-todo", why: edits },
      { sub: "pull", flags: "-r --rebase", value: (value) => value.startsWith("i"), why: edits },
      {
        sub: "merge pull rebase cherry-pick revert",
        flags: "-s --strategy",
        value: (value) => value !== "" && !value.startsWith("-") && foreignStrategy(value),
        why: runs
      },
      { sub: "bisect", when: firstWord("run visualize view replay"), why: runs },
      { sub: "submodule", when: firstWordNot("status summary init"), why: runs },
      { sub: "difftool mergetool gui citool instaweb daemon web--browse", when: always, why: runs },
      { sub: "help", flags: "-w --web -i --info", why: runs },
      { sub: "interpret-trailers", flags: "--in-place", why: overwrites },
      { sub: "am", when: always, why: runsCode },
      { sub: "apply", when: without("--check --stat --numstat --summary", appliesTo), why: overwrites },
      { sub: "apply", flags: "--apply --build-fake-ancestor", why: overwrites },
      { sub: "mv", flags: "-f --force", why: destroys },
      { sub: "send-email p4 svn imap-send request-pull", when: always, why: sends },
      { sub: "upload-pack receive-pack http-backend shell", when: always, why: remote },
      {
        sub: "config",
        flags: "-e --edit --add --unset --unset-all --replace-all --rename-section --remove-section",
        why: configures
      },
      { sub: "config", when: writesConfig, why: configures },
      {
        sub: "remote",
        when: firstWord("add set-url remove rm rename set-head set-branches prune"),
        why: configures
      },
      { sub: "maintenance", when: firstWord("start stop register unregister"), why: system },
      { sub: "diff", when: (use) => (use.has("--no-index") ? outside(use) : undefined), why: reads }
    ]
  }
]

/** `diff --no-index` compares any two files of the machine. */
const outside = (use: Use): string | undefined => use.words.find((word) => /^(?:\/(?!dev\/null$)|~|\.\.\/)/.test(word))
