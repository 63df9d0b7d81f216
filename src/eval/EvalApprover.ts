/**
 * Answers what the rules leave open while a task is played: yes to commands that stay in the folder, no to everything else.
 * Where commands run in a sandbox, that is the guard and every command gets a yes.
 */
import { Effect, FileSystem, Layer } from "effect"
import { Approver } from "../permissions/Approver.ts"

export const evalApprover = (folder: string, sandboxed: boolean): Layer.Layer<Approver, never, FileSystem.FileSystem> =>
  Layer.effect(
    Approver,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const roots = new Set(yield* Effect.orElseSucceed(fs.readDirectory("/"), () => []))
      return Approver.of({
        ask: (tool, { subject }) =>
          Effect.succeed(
            tool === "Bash" && (sandboxed || staysInside(subject, folder, roots))
              ? { answer: "yes" as const }
              : { answer: "no" as const, reason: `Work only inside ${folder}, with relative paths.` }
          )
      })
    })
  )

/** Devices and interpreters that commands name by their whole path. */
const HARMLESS = /^\/(?:dev\/(?:null|stdin|stdout|stderr|fd\/\d+)|(?:usr\/)?bin\/(?:env|sh|bash|awk|sed))$/

/** Programs that act on the machine, where a command can stand. */
const MACHINE =
  /(?:^|[\s;&|(])(?:sudo|su|doas|shutdown|reboot|mount|umount|mkfs\S*|dd|kill|pkill|killall|crontab|systemctl)\b/
const PARENT = /(?:^|[\s"'=:/(])\.\.(?:[/\s"';&|)]|$)/
const HOME = /~|\$\{?(?:HOME|OLDPWD|TMPDIR)\b/
/** `cd` without a folder, and `cd -`. */
const BARE_CD = /(?:^|[;&|(]|\bthen|\bdo)\s*cd\s*(?:$|[;&|)\n]|-)/
const ABSOLUTE = /(?<=^|[\s"'=:<>(,;|&`])\/[^\s"'`;|&<>()$,]*/g

/**
 * No path leads out of the folder as far as the text shows, and no program that acts on the machine is named. A model under
 * evaluation is no attacker: this keeps a confused one from doing harm where there is no sandbox. `roots`: what is directly
 * below `/`, which tells a path from a pattern between slashes.
 */
export const staysInside = (command: string, folder: string, roots: ReadonlySet<string>): boolean => {
  if ([MACHINE, PARENT, HOME, BARE_CD].some((pattern) => pattern.test(command))) return false
  return [...command.matchAll(ABSOLUTE)].every(([path]) => {
    if (path === folder || path.startsWith(`${folder}/`) || HARMLESS.test(path)) return true
    const [, first = ""] = path.split("/")
    return first !== "" && !/[*?[{]/.test(first) && !roots.has(first)
  })
}
