/**
 * What the model is told when a call cannot run at all (spec 02, 06): written to be acted on. Pure.
 */
import type { ToolCallProblem } from "../domain/message.ts"
import { nearest } from "../config/nearest.ts"

/** Names models invent for tools that exist under another one. */
const ALIASES: Readonly<Record<string, string>> = {
  shell: "Bash",
  sh: "Bash",
  run: "Bash",
  run_command: "Bash",
  execute: "Bash",
  execute_command: "Bash",
  exec: "Bash",
  terminal: "Bash",
  python: "Bash",
  powershell: "Bash",
  cat: "Read",
  open: "Read",
  view: "Read",
  read_file: "Read",
  ls: "Glob",
  list: "Glob",
  list_files: "Glob",
  list_directory: "Glob",
  find: "Glob",
  find_files: "Glob",
  search: "Grep",
  search_files: "Grep",
  ripgrep: "Grep",
  rg: "Grep",
  create_file: "Write",
  write_file: "Write",
  save: "Write",
  edit_file: "Edit",
  str_replace: "Edit",
  replace: "Edit",
  apply_patch: "Edit",
  patch: "Edit",
  fetch: "WebFetch",
  fetch_content: "WebFetch",
  browse: "WebFetch",
  http_get: "WebFetch",
  curl: "WebFetch",
  todo: "TodoWrite",
  todo_write: "TodoWrite",
  plan: "TodoWrite"
}

/** A tool that does not exist: the list, and the one that was probably meant. */
export const unknownTool = (name: string, names: ReadonlyArray<string>, hints = true): string => {
  const meant = hints ? meantTool(name, names) : undefined
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`
  return `[error: there is no tool named ${JSON.stringify(name)}; your tools are: ${[...names].sort().join(", ")}.${hint}]`
}

const meantTool = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const wanted = name.toLowerCase()
  return (
    names.find((known) => known.toLowerCase() === wanted) ??
    names.find((known) => known === ALIASES[wanted]) ??
    nearest(name, names, 1)[0]
  )
}

/** A call whose arguments were cut, are no JSON, or has no name. Nothing was run. */
export const unusableCall = (name: string, problem: ToolCallProblem, maxTokens: number | undefined): string => {
  const tool = name === "" ? "a tool" : name
  switch (problem.kind) {
    case "cut": {
      const budget = sizeBudget(problem, maxTokens)
      return `[error: your call of ${tool} was cut at the output limit${maxTokens === undefined ? "" : ` (${maxTokens} tokens)`}, so nothing was run. Send less at once: write only the first part (at most about ${budget} characters), then add the rest with further calls.]`
    }
    case "malformed":
      return `[error: your call of ${tool} cannot be used. ${problem.detail} Received: ${excerpt(problem.received)}. Send the call again with one valid JSON object.]`
    case "no-name":
      return "[error: your call names no tool, so nothing was run. Send it again with the tool's name.]"
    case "runaway":
      return `[error: the arguments of your call of ${tool} ran away. ${problem.detail} Start again with shorter, different arguments.]`
  }
}

/** Where nobody knows the limit: what a usual one leaves. */
const USUAL_BUDGET = 6_000
const SMALLEST_BUDGET = 500

/**
 * Characters that fit in one call. About 3 a token, and half of the limit for what stands around the argument; without a
 * known limit, well below what came before the cut.
 */
const sizeBudget = ({ received }: ToolCallProblem, maxTokens: number | undefined): number => {
  if (maxTokens !== undefined) return Math.max(SMALLEST_BUDGET, Math.floor(maxTokens * 1.5))
  const fitted = Math.floor((received.length * 0.6) / 100) * 100
  return Math.max(SMALLEST_BUDGET, Math.min(USUAL_BUDGET, fitted))
}

const excerpt = (received: string): string =>
  JSON.stringify(
    received.length <= 300 ? received : `${received.slice(0, 200)} … ${received.slice(-80)}`.toWellFormed()
  )

/** Small models write the same call twice, whatever `parallel_tool_calls` says; a command must not run twice for that. */
export const sameCall =
  "[not run: this answer holds the same call before; its result is above. Call once more if you meant it twice.]"
