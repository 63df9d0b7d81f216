/**
 * What a sandboxed command must not see (spec 03): secrets, and the sockets of programs that would act outside for it (an agent
 * that signs, a container engine that is root). Data only.
 */

/** Below the home folder. Files and folders; what is missing is left out. */
export const HIDDEN_IN_HOME: ReadonlyArray<string> = [
  // Keys and passwords
  ".ssh",
  ".gnupg",
  ".password-store",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  ".config/op",
  ".config/Bitwarden CLI",
  ".vault-token",
  ".netrc",
  "_netrc",
  ".authinfo",
  ".authinfo.gpg",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".config/git/credentials",
  "Library/Keychains",
  // Clouds and forges
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/doctl",
  ".config/hcloud",
  ".config/flyctl",
  ".fly",
  ".kube",
  ".terraform.d/credentials.tfrc.json",
  ".terraformrc",
  ".oci",
  ".boto",
  ".s3cfg",
  ".config/rclone",
  ".docker/config.json",
  ".config/containers/auth.json",
  // Package registries
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".config/pypoetry/auth.toml",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".gradle/gradle.properties",
  ".composer/auth.json",
  ".config/composer/auth.json",
  ".nuget/NuGet/NuGet.Config",
  // Other agents
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".local/share/opencode",
  ".cache/huggingface/token",
  ".huggingface/token",
  // Browsers and mail
  ".mozilla",
  ".thunderbird",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".config/microsoft-edge",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
  "Library/Cookies",
  // What was typed
  ".bash_history",
  ".zsh_history",
  ".local/share/fish/fish_history",
  ".python_history",
  ".psql_history",
  ".mysql_history",
  ".node_repl_history",
  // Access to the screen, and container engines
  ".Xauthority",
  ".docker/run",
  ".docker/desktop",
  ".colima",
  ".lima",
  ".orbstack/run"
]

/** Full paths on Linux; `/run` holds sockets of the session bus, agents and container engines. */
export const HIDDEN_ON_LINUX: ReadonlyArray<string> = [
  "/run",
  "/var/run",
  "/var/lib/lxd/unix.socket",
  "/var/lib/incus/unix.socket",
  "/var/snap/lxd/common/lxd/unix.socket"
]

/** What programs need of `/run`: name resolution, and the programs themselves on NixOS and Guix. */
export const SHOWN_ON_LINUX: ReadonlyArray<string> = [
  "/run/systemd/resolve",
  "/run/resolvconf",
  "/run/NetworkManager/resolv.conf",
  "/run/nscd",
  "/run/current-system",
  "/run/opengl-driver"
]

/** Variables that only lead to what is hidden. */
export const REMOVED_VARIABLES: ReadonlyArray<string> = [
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GPG_AGENT_INFO",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY"
]
