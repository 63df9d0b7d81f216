/**
 * The arguments of bubblewrap for a plan, and what its complaints mean. Pure.
 *
 * A mount on a path also keeps it from being moved or replaced, so `.git` is mounted on itself although it stays writable.
 * Without the capabilities of the outer system, also in a user namespace of its own, a command cannot undo a mount.
 */
import { text, type Text } from "../../domain/text.ts"
import { REMOVED_VARIABLES } from "./hidden.ts"
import { depthOf, type SandboxPlan } from "./plan.ts"

const TMP = "/tmp"

/**
 * The whole command line. A command and everything it started end together (`--die-with-parent`, a process namespace of
 * its own); it has no terminal to type into (`--new-session`).
 */
export const bubblewrapCommand = (
  program: string,
  plan: SandboxPlan,
  argv: ReadonlyArray<string>,
  cwd: string | undefined
): ReadonlyArray<string> => [
  program,
  "--die-with-parent",
  "--new-session",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  ...(plan.network ? [] : ["--unshare-net"]),
  "--cap-drop",
  "ALL",
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  ...mounts(plan),
  ...plan.hiddenFolders.toSorted(byDepth).flatMap((folder) => ["--remount-ro", folder]),
  ...REMOVED_VARIABLES.flatMap((name) => ["--unsetenv", name]),
  ...Object.entries(temporaryVariables(TMP)).flatMap(([name, value]) => ["--setenv", name, value]),
  ...(cwd === undefined ? [] : ["--chdir", cwd]),
  "--",
  ...argv
]

/** Caches in the home folder cannot be written: those that programs cannot do without go to the private folder. */
export const temporaryVariables = (folder: string): Readonly<Record<string, string>> => ({
  TMPDIR: folder,
  XDG_CACHE_HOME: `${folder}/.cache`,
  npm_config_cache: `${folder}/.cache/npm`
})

interface Mount {
  readonly path: string
  readonly args: ReadonlyArray<string>
}

/** From the root down: a mount covers everything that was mounted below it before. */
const mounts = (plan: SandboxPlan): ReadonlyArray<string> => {
  const all: ReadonlyArray<Mount> = [
    { path: TMP, args: ["--bind", plan.temporary, TMP] },
    ...plan.hiddenFolders.map((path) => ({ path, args: ["--perms", "0555", "--tmpfs", path] })),
    ...plan.hiddenFiles.map((path) => ({ path, args: ["--ro-bind", "/dev/null", path] })),
    ...plan.shown.map((path) => ({ path, args: ["--ro-bind", path, path] })),
    ...[...plan.writable, ...plan.pinned].map((path) => ({ path, args: ["--bind", path, path] })),
    ...plan.fixed.map((path) => ({ path, args: ["--ro-bind", path, path] }))
  ]
  return all.toSorted((a, b) => byDepth(a.path, b.path)).flatMap(({ args }) => args)
}

const byDepth = (a: string, b: string): number => depthOf(a) - depthOf(b)

/** Why bubblewrap did not work, from what it printed. */
export const explainBubblewrap = (printed: string): Text => {
  const [line = ""] = printed.trim().split("\n").slice(-1)
  const said = line === "" ? text("", "") : text(` (it says: ${line})`, ` (message : ${line})`)
  if (/uid map|user namespace|new namespace|clone|unshare/i.test(line)) {
    return text(
      `the kernel forbids user namespaces to bubblewrap${said.en}. Allow them (sysctl kernel.unprivileged_userns_clone=1, or an AppArmor profile for bwrap), or install bubblewrap with the setuid bit`,
      `le noyau interdit les espaces de noms utilisateur à bubblewrap${said.fr}. Autorisez-les (sysctl kernel.unprivileged_userns_clone=1, ou un profil AppArmor pour bwrap), ou installez bubblewrap avec le bit setuid`
    )
  }
  if (/proc/i.test(line)) {
    return text(
      `bubblewrap cannot mount /proc, as inside most containers${said.en}. The container itself is then the sandbox`,
      `bubblewrap ne peut pas monter /proc, comme dans la plupart des conteneurs${said.fr}. Le conteneur lui-même sert alors de bac à sable`
    )
  }
  if (/loopback|RTM_|netlink/i.test(line)) {
    return text(
      `bubblewrap cannot make a network of its own${said.en}. Allow it (an AppArmor profile for bwrap), or set sandboxNetwork`,
      `bubblewrap ne peut pas créer de réseau isolé${said.fr}. Autorisez-le (un profil AppArmor pour bwrap), ou réglez sandboxNetwork`
    )
  }
  return text(`bubblewrap does not work here${said.en}`, `bubblewrap ne fonctionne pas ici${said.fr}`)
}
