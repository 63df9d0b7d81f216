/**
 * Programs that run what stands in their arguments (spec 03, field case C9). Data only: `wrappers.ts` reads it.
 */

export interface Wrapper {
  /** Letters of short options with a value, attached or in the next word. */
  readonly short?: string
  /** Long options with a value, without dashes. */
  readonly long?: string
  /** Long options without one; of any other it is not known whether it takes the next word. */
  readonly flags?: string
  /** Words of its own before the command: a duration, a lock file. */
  readonly operands?: number
  /** `NAME=value` words may stand before the command. */
  readonly assignments?: true
  /** A lone dash is an option. */
  readonly dash?: true
  /** Only behind one of these first words (`uv run`). */
  readonly sub?: string
  /** Options whose value is shell text. */
  readonly code?: string
  /** Such an option may also stand behind other words. */
  readonly isLate?: true
  /** It runs nothing but that text. */
  readonly onlyCode?: true
  /** What follows is joined and given to a shell. */
  readonly isText?: true
  /** It adds arguments nobody sees (`xargs`). */
  readonly adds?: true
  /** It can start a shell that reads its input. */
  readonly readsInput?: true
}

const valued = (short: string, long = "", flags = ""): Wrapper => ({ short, long, flags })

const TIMEOUT = valued("ks", "kill-after signal", "foreground preserve-status verbose")

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    ...valued(
      "uCS",
      "unset chdir split-string argv0 default-signal ignore-signal block-signal",
      "ignore-environment null debug list-signal-handling"
    ),
    assignments: true,
    dash: true,
    code: "-S --split-string"
  },
  sudo: {
    ...valued(
      "ugpCchrtThRDUa",
      "user group prompt close-from host role type command-timeout chroot chdir other-user auth-type login-class",
      "askpass background bell edit set-home help login remove-timestamp reset-timestamp list non-interactive preserve-groups preserve-env shell stdin version validate"
    ),
    assignments: true,
    readsInput: true
  },
  doas: { short: "uC", readsInput: true },
  timeout: { ...TIMEOUT, operands: 1 },
  gtimeout: { ...TIMEOUT, operands: 1 },
  nohup: {},
  nice: valued("n", "adjustment"),
  ionice: valued("cnpPu", "class classdata pid pgid uid", "ignore"),
  chrt: {
    ...valued(
      "TPD",
      "sched-runtime sched-period sched-deadline",
      "batch deadline fifo idle other rr reset-on-fork all-tasks verbose"
    ),
    operands: 1
  },
  taskset: { ...valued("", "", "all-tasks cpu-list pid"), operands: 1 },
  stdbuf: valued("ioe", "input output error"),
  time: valued("fo", "format output", "append verbose portability quiet"),
  command: {},
  builtin: {},
  exec: { short: "a" },
  setsid: valued("", "", "ctty fork wait"),
  unbuffer: {},
  flock: {
    ...valued(
      "wEc",
      "timeout wait conflict-exit-code command",
      "shared exclusive unlock nonblock close no-fork verbose"
    ),
    operands: 1,
    code: "-c --command",
    isLate: true
  },
  watch: {
    ...valued("nq", "interval equexit", "differences beep errexit chgexit color no-title precise exec no-wrap"),
    isText: true
  },
  strace: { short: "abeEIoOpPsSuUX", long: "trace output attach user env string-limit" },
  ltrace: { short: "aADeEFlnopsuxX", long: "output" },
  chroot: { ...valued("", "userspec groups", "skip-chdir"), operands: 1, readsInput: true },
  unshare: {
    short: "SGRw",
    long: "setuid setgid root wd propagation",
    flags: "fork map-root-user mount-proc",
    readsInput: true
  },
  nsenter: { short: "tSG", long: "target setuid setgid", flags: "all preserve-credentials no-fork", readsInput: true },
  setpriv: {
    long: "ambient-caps inh-caps bounding-set ruid euid rgid egid reuid regid groups securebits pdeathsig",
    flags: "clear-groups keep-groups init-groups no-new-privs"
  },
  setarch: { ...valued("p", "pid", "uname-2.6 addr-no-randomize 32bit show verbose"), operands: 1 },
  linux32: {},
  linux64: {},
  tini: { short: "pe" },
  "dumb-init": { short: "r", long: "rewrite", flags: "single-child verbose" },
  chpst: { short: "uUeblLmdonfrtcp/" },
  softlimit: { short: "acdflmorst" },
  "systemd-inhibit": { long: "what who why mode", flags: "no-pager no-legend list" },
  faketime: { short: "p", flags: "exclude-monotonic", operands: 1 },
  pkexec: { long: "user", flags: "disable-internal-agent" },
  runuser: {
    short: "cugGsw",
    long: "command user group supp-group shell",
    code: "-c --command",
    isLate: true,
    readsInput: true
  },
  su: {
    dash: true,
    short: "cgGsw",
    long: "command group supp-group shell",
    code: "-c --command --session-command",
    onlyCode: true,
    isLate: true,
    readsInput: true
  },
  "systemd-run": {
    short: "HMptuE",
    long: "unit property description slice host machine setenv uid gid working-directory on-calendar on-active",
    flags: "user system scope pty pipe wait quiet collect same-dir shell"
  },
  bwrap: { long: "uid gid hostname chdir setenv unsetenv proc dev tmpfs mqueue dir cap-add cap-drop seccomp" },
  firejail: {},
  fakeroot: { short: "libs", long: "lib faked" },
  proot: { short: "rbwq" },
  valgrind: {},
  perf: { sub: "stat record trace", short: "eoCpt" },
  gdb: { flags: "args batch quiet" },
  "xvfb-run": {
    short: "enfsp",
    long: "error-file server-num auth-file server-args xauth-protocol",
    flags: "auto-servernum auto-display"
  },
  "dbus-run-session": { long: "config-file dbus-daemon" },
  prlimit: { short: "p", long: "pid" },
  numactl: { short: "CNmpil", long: "cpunodebind physcpubind membind preferred interleave" },
  cgexec: { short: "g" },
  torsocks: {},
  torify: {},
  proxychains: { short: "f" },
  proxychains4: { short: "f" },
  tsp: { short: "LD" },
  rlwrap: {},
  catchsegv: {},
  "ssh-agent": { short: "aEOPt" },
  sshpass: { short: "fdpP" },
  chronic: {},
  eatmydata: {},
  "systemd-cat": { short: "tp", long: "identifier priority stderr-priority level-prefix namespace" },
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  setuidgid: { operands: 1 },
  envdir: { operands: 1 },
  "flatpak-spawn": { long: "directory env", flags: "host sandbox clear-env watch-bus" },
  caffeinate: { short: "tw" },
  busybox: {},
  toybox: {},
  xargs: {
    ...valued(
      "adEILnPs",
      "arg-file delimiter max-args max-procs max-chars process-slot-var",
      "null no-run-if-empty interactive verbose exit open-tty show-limits eof replace max-lines"
    ),
    adds: true
  },
  parallel: {
    short: "jaINLndS",
    long: "jobs arg-file max-args colsep delay timeout joblog results",
    isText: true,
    adds: true
  },
  entr: { isText: true },
  hyperfine: {
    short: "wmMrpcsSu",
    long: "warmup min-runs max-runs runs prepare setup cleanup shell export-json export-csv",
    isText: true
  },
  "nix-shell": { short: "pIA", long: "packages run command", code: "--run --command", onlyCode: true, isLate: true },
  nix: { sub: "develop shell run", short: "c", long: "command" },
  npx: { short: "pc", long: "package call", flags: "yes no", code: "-c --call" },
  bunx: {},
  npm: { sub: "exec x", short: "wc", long: "package call workspace", code: "-c --call" },
  pnpm: { sub: "exec dlx" },
  yarn: { sub: "exec dlx" },
  bun: { sub: "x" },
  uv: { sub: "run", short: "p", long: "with python project directory", flags: "no-sync frozen isolated" },
  uvx: { long: "from with" },
  poetry: { sub: "run" },
  pipenv: { sub: "run" },
  pdm: { sub: "run" },
  rye: { sub: "run" },
  hatch: { sub: "run" },
  bundle: { sub: "exec" },
  conda: { sub: "run", short: "np", long: "name prefix cwd", flags: "no-capture-output live-stream" },
  mamba: { sub: "run", short: "np", long: "name prefix" },
  mise: { sub: "exec x" },
  direnv: { sub: "exec", operands: 1 },
  dotenv: { short: "ef" },
  op: { sub: "run", long: "env-file" },
  doppler: { sub: "run", short: "pc", long: "project config" }
}

/** Wrappers that change nothing about what may happen: a rule for the command inside is enough. */
export const TRANSPARENT = new Set(["timeout", "gtimeout", "nohup", "nice", "stdbuf", "time", "command", "builtin"])

/** Shells that read what Bash reads. */
export const SHELLS = new Set(["sh", "bash", "dash", "ash", "rbash"])

/** Shells with a grammar of their own: what is found in them may be wrong. */
export const OTHER_SHELLS = new Set(["zsh", "ksh", "mksh", "fish", "csh", "tcsh"])

/** Programs that run commands from their input at some other time or place. */
export const READS_INPUT = new Set(["at", "batch", "crontab", "ssh", "su", "sudo", "doas", "chroot"])

/** Builtins that change what later words mean. */
export const REDEFINES = new Set(["alias", "enable", "bind", "complete", "compgen", "fc", "shopt", "hash"])
