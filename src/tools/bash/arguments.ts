/** Near misses of Bash arguments that a renamed parameter does not cover: commands as lists, limits in ms. Pure. */
import { Predicate } from "effect"

export interface ReadArguments {
  readonly raw: unknown
  readonly notes: ReadonlyArray<string>
}

export const readBashArguments = (raw: unknown): ReadArguments => {
  if (!Predicate.isObject(raw) || Array.isArray(raw)) return { raw, notes: [] }
  const input: Record<string, unknown> = { ...raw }
  const notes: Array<string> = []
  for (const name of ["command", "cmd", "script"]) {
    const value = input[name]
    if (!isStrings(value) || value.length === 0) continue
    input[name] = fromList(value)
    notes.push(`"${name}" was a list; it was read as the command ${JSON.stringify(input[name])}.`)
  }
  for (const name of ["timeout_ms", "timeoutMs", "timeout"]) {
    const value = Number(input[name])
    if (input["timeout_s"] !== undefined || !(value > 0) || (name === "timeout" && value < 1000)) continue
    delete input[name]
    input["timeout_s"] = value / 1000
    notes.push(`The time limit is called "timeout_s" and is in seconds; ${value} ms were understood.`)
  }
  return { raw: input, notes }
}

/** `["bash", "-lc", script]`, the words of one command, or its lines. */
const fromList = (list: ReadonlyArray<string>): string => {
  const [program = "", flag = "", script] = list
  if (list.length === 3 && script !== undefined && /(^|\/)(ba|z|da)?sh$/.test(program) && /^-\w*c$/.test(flag))
    return script
  return list.some((item) => /\s/.test(item)) ? list.join("\n") : list.join(" ")
}

const isStrings = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every(Predicate.isString)
