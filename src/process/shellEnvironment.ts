/**
 * The environment of a command (spec 02 Bash, field cases E4 and E11): nothing asks a question that nobody can answer,
 * no start-up file, no inherited shell option and no key of maia's own gets in. Pure.
 */
import { Predicate } from "effect"

type Environment = Readonly<Record<string, string | undefined>>

/** Would change what bash runs or prints before or besides the command, or is a secret of maia's own. */
const removed = new Set([
  "BASH_ENV",
  "ENV",
  "SHELLOPTS",
  "BASHOPTS",
  "BASH_XTRACEFD",
  "PROMPT_COMMAND",
  "PS4",
  "CDPATH",
  "GLOBIGNORE",
  "SSH_ASKPASS",
  "LITELLM_API_KEY"
])

const noEditor =
  "sh -c 'echo \"There is no editor here: give the text on the command line (-m), or set GIT_EDITOR=true to keep the proposed text.\" >&2; exit 1'"

const fixed = {
  TERM: "dumb",
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: noEditor,
  GIT_SEQUENCE_EDITOR: noEditor,
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  GCM_INTERACTIVE: "never",
  SSH_ASKPASS_REQUIRE: "never",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  AWS_PAGER: "",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1"
}

/** `own` (the mark, `PWD`) wins over everything. Exported functions (`BASH_FUNC_…`) could stand in for any command. */
export const shellEnvironment = (env: Environment, own: Readonly<Record<string, string>>): Record<string, string> => {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (Predicate.isString(value) && !removed.has(name) && !name.startsWith("BASH_FUNC_")) result[name] = value
  }
  return Object.assign(result, fixed, own)
}
