/**
 * The supervisor: one `/bin/sh` that ends every command when maia itself can no longer do it (spec 02, fixed point 7).
 *
 * It holds the other end of a socket, the lifeline. Each command writes its own process id into the lifeline before it
 * turns into its program and closes it, so there is no moment at which a started command is unknown: the lifeline ends only
 * when maia *and* every command that has not registered yet are gone. maia writes the ids of the sessions that are over.
 * At the end of the lifeline (exit, crash, `kill -9`) what is left gets SIGTERM, and SIGKILL a second later.
 *
 * Raw `Bun.spawn` and `node:fs`: Effect's child processes can neither make a session nor hand on a numbered descriptor.
 * Touches processes only; knows nothing of commands and their output.
 */
import * as fs from "node:fs"

export interface Supervisor {
  /** The descriptor a command must get as its number 3; starts the supervisor when there is none. */
  readonly lifeline: (live: Iterable<number>) => number | undefined
  /** Nothing of this session is left. */
  readonly forget: (session: number) => void
  /** Closes the lifeline; resolves when the supervisor has gone. */
  readonly close: () => Promise<void>
}

/** A command's first step, run by `/bin/sh`: registers its process id (also its session's), then becomes its arguments. */
export const registerAndBecome = 'echo "+$$" >&3; exec "$@" 3>&-'

export const makeSupervisor = (): Supervisor => {
  let current: { readonly process: Bun.Subprocess; readonly lifeline: number } | undefined

  const tell = (lifeline: number, message: string): void => {
    try {
      fs.writeSync(lifeline, message)
    } catch {
      // The supervisor was killed: the next command starts another one.
    }
  }

  const drop = (): void => {
    if (current === undefined) return
    closeQuietly(current.lifeline)
    current = undefined
  }

  const start = (live: Iterable<number>): number | undefined => {
    try {
      const child = Bun.spawn(["/bin/sh", "-c", script], {
        cwd: "/",
        env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
        stdio: ["ignore", "ignore", "ignore", "pipe"],
        detached: true
      })
      // The types have no entry for extra descriptors; Bun gives their numbers (measured, also when compiled).
      const lifeline: unknown = child.stdio[3]
      if (typeof lifeline !== "number") return undefined
      child.unref()
      current = { process: child, lifeline }
      for (const session of live) tell(lifeline, `+${session}\n`)
      return lifeline
    } catch {
      return undefined
    }
  }

  return {
    lifeline: (live) => {
      if (current !== undefined && isGone(current.process)) drop()
      return current === undefined ? start(live) : current.lifeline
    },
    forget: (session) => {
      if (current !== undefined) tell(current.lifeline, `-${session}\n`)
    },
    close: async () => {
      const child = current?.process
      drop()
      child?.ref()
      await child?.exited
    }
  }
}

const isGone = (child: Bun.Subprocess): boolean => child.exitCode !== null || child.signalCode !== null

const closeQuietly = (descriptor: number): void => {
  try {
    fs.closeSync(descriptor)
  } catch {
    // Already closed.
  }
}

/**
 * Builtins only, apart from `sleep` at the very end: it must not cost a process per command. Other process groups of a
 * session (`timeout`, `set -m`) are found through /proc where there is one. Fields after the name in /proc/N/stat are
 * state, parent, group, session.
 */
const script = `
exec 0<&3 3>&-
trap '' HUP INT TERM QUIT
sessions=' '
while read -r line; do
  case $line in
  +*) sessions="$sessions\${line#+} " ;;
  -*) id=\${line#-}
    case $sessions in *" $id "*) sessions="\${sessions%%" $id "*} \${sessions#*" $id "}" ;; esac ;;
  esac
done
groups() {
  found=' '
  for id in $sessions; do kill -0 -- "-$id" 2>/dev/null && found="$found$id "; done
  [ -r /proc/self/stat ] || return
  for file in /proc/[0-9]*/stat; do
    { read -r stat <"$file"; } 2>/dev/null || continue
    set -- \${stat##*) }
    [ "$1" = Z ] && continue
    case $sessions in *" $4 "*) case $found in *" $3 "*) ;; *) found="$found$3 " ;; esac ;; esac
  done
}
signal() { for id in $found; do kill -s "$1" -- "-$id"; [ "$1" = KILL ] || kill -s CONT -- "-$id"; done 2>/dev/null; }
[ "$sessions" = ' ' ] && exit 0
groups
signal TERM
for turn in 1 2 3 4 5 6 7 8 9 10; do
  groups
  [ "$found" = ' ' ] && exit 0
  sleep 0.1 2>/dev/null || { sleep 1; break; }
done
for turn in 1 2 3; do
  groups
  [ "$found" = ' ' ] && exit 0
  signal KILL
  sleep 0.1 2>/dev/null || sleep 1
done
`
