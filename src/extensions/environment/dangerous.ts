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
  ..."PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONBREAKPOINT PYTHONUSERBASE PYTHONEXECUTABLE".split(" "),
  ..."PERL5LIB PERLLIB PERL5OPT PERL5DB RUBYOPT RUBYLIB PHPRC PHP_INI_SCAN_DIR LUA_INIT LUA_PATH LUA_CPATH".split(" "),
  ..."CLASSPATH JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JAVA_HOME MAVEN_OPTS GRADLE_OPTS".split(" "),
  ..."DOTNET_STARTUP_HOOKS CORECLR_PROFILER CORECLR_PROFILER_PATH COR_PROFILER COR_PROFILER_PATH".split(" "),
  ..."RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS GOFLAGS GOROOT MAKEFLAGS GNUMAKEFLAGS".split(" "),
  // What a program starts for editing, paging, asking, connecting.
  ..."EDITOR VISUAL PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER BROWSER LESSOPEN LESSCLOSE SUDO_ASKPASS SSH_ASKPASS".split(
    " "
  ),
  ..."SSH_AUTH_SOCK RSYNC_RSH CVS_RSH TAR_OPTIONS GZIP FCEDIT VIMINIT EXINIT MYVIMRC".split(" "),
  // Where what is sent goes.
  ..."HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE CURL_HOME".split(
    " "
  )
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
  "XDG_",
  "MAIA_",
  "LITELLM_"
]

/** Who made a commit is harmless. */
const HARMLESS = /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$/

export const isDangerousVariable = (name: string): boolean => {
  const upper = name.toUpperCase()
  return !HARMLESS.test(upper) && (NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix)))
}
