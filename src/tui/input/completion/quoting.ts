/** How a path is written so that `@` finds it again, whatever its name (MAIA §11.4, `tools/mentionSyntax.ts`). Pure. */

/** Undefined for a name that no form can hold: with control characters, or with `"` and a backslash before `'`. */
export const mentionOf = (path: string): string | undefined =>
  isBare(path) && isWritable(path) ? `@${path}` : quotedMention(path)

/** With quotes even where none are needed, so that any text may follow. */
export const quotedMention = (path: string): string | undefined => {
  if (!isWritable(path)) return undefined
  if (!path.includes('"')) return `@"${path}"`
  return /\\'|\\$/.test(path) ? undefined : `@'${path.replaceAll("'", "\\'")}'`
}

const isWritable = (path: string): boolean =>
  path !== "" && path.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(path)

/** Needs no quotes. */
const isBare = (path: string): boolean => /^[^\s'"@][^\s]*$/.test(path)
