/**
 * Recognises a paste that is nothing but paths of images, as terminals write files that are dragged into them: quoted, with
 * escaped spaces, or as `file://` URLs (spec 07 "Images by paste, drag"). Pure: whether the files exist is not looked at.
 */

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i
/** A path that can only be meant as one. */
const ROOTED = /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/])/
/** Characters of a paste that are looked at. */
const LONGEST = 10_000

/** The paths, decoded; undefined where the text holds anything else. */
export const imagePaths = (text: string): ReadonlyArray<string> | undefined => {
  const trimmed = text.trim()
  if (trimmed === "" || trimmed.length > LONGEST) return undefined
  const words = wordsOf(trimmed)
  const paths = words?.map(pathOf)
  if (paths?.every((path) => path !== undefined) === true) return paths
  // A path with plain spaces in it, copied from a file manager.
  const whole = pathOf(trimmed)
  return whole === undefined || /[\n'"\\]/.test(trimmed) ? undefined : [whole]
}

const pathOf = (word: string): string | undefined => {
  const path = /^file:/i.test(word) ? urlPath(word) : ROOTED.test(word) ? word : undefined
  // oxlint-disable-next-line no-control-regex
  return path !== undefined && IMAGE.test(path) && !/[\u0000-\u001f\u007f]/.test(path) ? path : undefined
}

/** Only files of this machine. */
const urlPath = (url: string): string | undefined => {
  const match = /^file:\/\/(?:localhost)?(\/[^?#]*)$/i.exec(url)
  try {
    const path = decodeURIComponent(match?.[1] ?? "")
    return path === "" ? undefined : path.replace(/^\/(?=[A-Za-z]:\/)/, "")
  } catch {
    return undefined
  }
}

/** Words as a shell reads them; undefined where a quote is open. `C:\a` keeps its backslashes. */
const wordsOf = (text: string): ReadonlyArray<string> | undefined => {
  const words: Array<string> = []
  const piece = /'([^']*)'|"((?:[^"\\]|\\.)*)"|([A-Za-z]:\\[^\s'"]*)|((?:\\[^\n]|[^\s'"\\])+)|(\s+)/y
  let word: string | undefined
  while (piece.lastIndex < text.length) {
    const match = piece.exec(text)
    if (match === null) return undefined
    const [, single, double, windows, bare, space] = match
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    const isWindows = double !== undefined && /^[A-Za-z]:\\/.test(double)
    const quoted = isWindows ? double : double?.replace(/\\(["\\$`])/g, "$1")
    word = (word ?? "") + (single ?? quoted ?? windows ?? bare?.replace(/\\(.)/g, "$1") ?? "")
  }
  return word === undefined ? words : [...words, word]
}
