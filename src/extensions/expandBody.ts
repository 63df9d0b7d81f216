/** Puts what the user wrote behind a skill or a command into its text (MAIA §11.3, spec 08). Pure; values are put in once. */

/** `$ARGUMENTS` is replaced; where there is none, what was written is added as a line of its own. */
export const withArguments = (body: string, args: string): string =>
  fill(body, args, /\$ARGUMENTS(?![A-Za-z0-9_])|\$\{ARGUMENTS\}/g)

/** Also `$1` to `$9`, words as a shell would split them; `\$1` stays `$1`, `$100` is money. */
export const withPositions = (body: string, args: string): string =>
  fill(body, args, /\\\$(?=ARGUMENTS|\d)|\$ARGUMENTS(?![A-Za-z0-9_])|\$\{ARGUMENTS\}|\$[1-9](?!\d)/g)

const fill = (body: string, args: string, places: RegExp): string => {
  const given = args.trim()
  let words: ReadonlyArray<string> | undefined
  let used = false
  const filled = body.replaceAll(places, (place) => {
    if (place.startsWith("\\")) return "$"
    used = true
    if (!/^\$\d/.test(place)) return given
    words ??= splitWords(given)
    return words[Number(place.slice(1)) - 1] ?? ""
  })
  return used || given === "" ? filled : `${filled}\n\nARGUMENTS: ${given}`
}

/** Blanks separate, quotes group; a quote that is never closed is a character. */
const splitWords = (args: string): ReadonlyArray<string> =>
  [...args.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([whole, double, single]) => double ?? single ?? whole)
