/** Puts what the user wrote behind a skill or a command into its text (MAIA §11.3). Pure. */

/** `$ARGUMENTS` is replaced; where there is none, what was written is added as a line of its own. */
export const withArguments = (body: string, args: string): string => {
  const given = args.trim()
  if (PLACE.test(body)) return body.replaceAll(new RegExp(PLACE, "g"), () => given)
  return given === "" ? body : `${body}\n\nARGUMENTS: ${given}`
}

const PLACE = /\$ARGUMENTS(?![A-Za-z0-9_])|\$\{ARGUMENTS\}/
