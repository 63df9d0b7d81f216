/**
 * Runs one hook (spec 08): the event as JSON on its standard input; what it answers is JSON on standard output, or exit code 2
 * with the reason on standard error. Anything else is a warning and changes nothing.
 */
import { Effect, Predicate } from "effect"
import type { Text } from "../../domain/text.ts"
import { text } from "../../domain/text.ts"
import { outputText } from "../../process/outputText.ts"
import type { ProgramResult, Shell } from "../../process/Shell.ts"
import { describeStatus } from "../../process/shellStatus.ts"
import type { Hook } from "./hookSettings.ts"

export type HookAnswer =
  | { readonly kind: "json"; readonly value: Readonly<Record<string, unknown>> }
  /** Exit code 2. */
  | { readonly kind: "blocked"; readonly reason: string }
  | { readonly kind: "failed"; readonly warning: Text }

/** Exit code that blocks. */
const BLOCKS = 2
/** Characters of a reason. */
const MAX_REASON = 10_000

export const runHook = Effect.fn("Hooks.runHook")(function* (
  shell: Shell["Service"],
  hook: Hook,
  payload: Readonly<Record<string, unknown>>,
  launchFolder: string
) {
  const result = yield* shell.runProgram({
    argv: hook.argv,
    cwd: launchFolder,
    env: { MAIA_CWD: launchFolder, MAIA_HOOK_EVENT: hook.event },
    input: `${JSON.stringify(payload)}\n`,
    timeoutSeconds: hook.timeout,
    outsideSandbox: true
  })
  yield* result.discard
  return readAnswer(hook, result)
})

const readAnswer = (hook: Hook, { errors, output, status }: ProgramResult): HookAnswer => {
  const complaint = outputText(errors).head.trim().slice(0, MAX_REASON)
  if (status.kind === "exited" && status.code === BLOCKS) {
    return { kind: "blocked", reason: complaint === "" ? "no reason was given" : complaint }
  }
  if (status.kind !== "exited" || status.code !== 0) {
    const { en, fr } = describeStatus(status)
    const [said = ""] = complaint.split("\n")
    return failed(hook, en, fr, said)
  }
  const written = outputText(output)
  const json = written.head.trim()
  if (json === "") return { kind: "json", value: {} }
  const value = written.tail === undefined ? parse(json) : undefined
  if (Predicate.isObject(value) && !Array.isArray(value)) return { kind: "json", value: { ...value } }
  return failed(
    hook,
    "it printed something else than one JSON object",
    "il a affiché autre chose qu'un objet JSON",
    json
  )
}

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

export const failed = (hook: Hook, en: string, fr: string, said: string): HookAnswer => {
  const name = `${hook.event} (${hook.argv.join(" ").slice(0, 100)})`
  const shown = said === "" ? "" : ` ${said.slice(0, 200)}`
  return {
    kind: "failed",
    warning: text(
      `${hook.place}: the hook ${name} had no effect: ${en}.${shown}`,
      `${hook.place} : le hook ${name} est resté sans effet : ${fr}.${shown}`
    )
  }
}
