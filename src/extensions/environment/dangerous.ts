/**
 * Variables that a project's `.maia/env` never sets, trusted or not: they decide which program a name means or which code
 * it loads, so an allow rule for `git diff` would come to mean something else. The user's own `~/.maia/env` may set them.
 * Data only.
 */
const NAMES = new Set([
  // Which program, which files of the user.
  ..."PATH HOME SHELL USER LOGNAME IFS PWD OLDPWD TERMINFO TERMINFO_DIRS HOSTALIASES".split(" "),
  // What a shell runs before or beside the command.
  ..."BASH_ENV ENV BASHOPTS SHELLOPTS BASH_XTRACEFD PROMPT_COMMAND PS4 CDPATH GLOBIGNORE ZDOTDIR FPATH".split(" "),
  // What the dynamic loader and the C library load.
  ..."GCONV_PATH LOCPATH NLSPATH OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES".split(" "),
  // What an interpreter loads or runs first.
  ..."NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_REPL_EXTERNAL_MODULE BUN_OPTIONS BUN_INSPECT_PRELOAD".split(" "),
  ..."PHPRC PHP_INI_SCAN_DIR LUA_INIT LUA_PATH LUA_CPATH".split(" "),
  ..."CLASSPATH JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JAVA_HOME MAVEN_OPTS GRADLE_OPTS".split(" "),
  ..."DOTNET_STARTUP_HOOKS CORECLR_PROFILER CORECLR_PROFILER_PATH COR_PROFILER COR_PROFILER_PATH".split(" "),
  ..."RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS GOFLAGS GOROOT MAKEFLAGS GNUMAKEFLAGS".split(" "),
  // What a program starts for editing, paging, asking, connecting.
  ..."EDITOR VISUAL PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER BROWSER LESSOPEN LESSCLOSE SUDO_ASKPASS SSH_ASKPASS".split(
    " "
  ),
  ..."SSH_AUTH_SOCK RSYNC_RSH CVS_RSH TAR_OPTIONS GZIP FCEDIT VIMINIT EXINIT MYVIMRC".split(" "),
  ..."LESS LESSKEY LESSKEYIN MORE MANOPT MANROFFOPT BAT_PAGER BAT_CONFIG_PATH DELTA_PAGER ACK_PAGER ACKRC".split(" "),
  ..."GH_PAGER GH_EDITOR GH_BROWSER PSQL_PAGER PSQL_EDITOR SVN_SSH SVN_EDITOR HG HGRCPATH HGMERGE INPUTRC".split(" "),
  // Where a program finds the options and settings it runs by.
  ..."RIPGREP_CONFIG_PATH GREP_OPTIONS FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS AWKPATH AWKLIBPATH WGETRC".split(" "),
  ..."SYSTEM_WGETRC GNUPGHOME KRB5_CONFIG KUBECONFIG DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT GOPROXY".split(" "),
  ..."GOENV GOTOOLCHAIN GEM_HOME GEM_PATH MAVEN_ARGS ERL_FLAGS R_PROFILE R_PROFILE_USER R_ENVIRON".split(" "),
  ..."AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE".split(" "),
  // Where what is sent goes.
  ..."HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE CURL_HOME".split(
    " "
  ),
  ..."REQUESTS_CA_BUNDLE NODE_TLS_REJECT_UNAUTHORIZED GH_HOST AWS_ENDPOINT_URL".split(" ")
])

const PREFIXES = [
  "LD_",
  "DYLD_",
  "BASH_FUNC_",
  "GIT_",
  "NPM_CONFIG_",
  "YARN_",
  "PIP_",
  "CARGO_",
  "PYTHON",
  "RUBY",
  "PERL",
  "RUSTUP_",
  "COREPACK_",
  "UV_",
  "XDG_",
  "MAIA_",
  "LITELLM_"
]

/** Who made a commit is harmless, and how Python prints. */
const HARMLESS =
  /^(?:GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|OPTIMIZE))$/

export const isDangerousVariable = (name: string): boolean => {
  const upper = name.toUpperCase()
  return !HARMLESS.test(upper) && (NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix)))
}
