/**
 * Runs a program that needs the whole terminal (an editor) and waits for it. The caller has given the terminal up before.
 *
 * Raw `Bun.spawn`: Effect's child processes get a group of their own, which the terminal would stop as soon as it reads.
 */
import { Effect } from "effect"

/** The exit code; undefined where the program could not be started. `command` is a shell's, `argument` one more word. */
export const runInTerminal = (
  command: string,
  argument: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }
): Effect.Effect<number | undefined> =>
  Effect.promise(async () => {
    try {
      const child = Bun.spawn(["/bin/sh", "-c", `${command} "$1"`, "sh", argument], {
        cwd: options.cwd,
        env: options.env,
        stdio: ["inherit", "inherit", "inherit"]
      })
      return await child.exited
    } catch {
      return undefined
    }
  })
