/** `§name arguments` as the user types it (MAIA §11.3). Pure. */

export interface SkillInvocation {
  readonly name: string
  /** Everything behind the name, as written. */
  readonly args: string
}

/** `list`: `§` alone. Undefined: an ordinary request, also `§ 3 of the contract`. */
export const parseInvocation = (typed: string): SkillInvocation | "list" | undefined => {
  const input = typed.trim()
  if (input === "§") return "list"
  const parts = /^§([\p{L}\p{N}_][\p{L}\p{N}_.-]*)(?:\s+([\s\S]*))?$/u.exec(input)
  const name = parts?.[1]
  return name === undefined ? undefined : { name, args: parts?.[2] ?? "" }
}
