/** Characters that look like others or like nothing (field case B9): made plain to compare, and named to be written. Pure. */

const BLANKS = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g
const WITHOUT_PICTURE = /[\u200B-\u200F\u2028-\u202E\u2060-\u2064\uFEFF\u00AD]/g

/** Blanks, quotes and dashes of any kind become one kind, composed letters one form, characters without a picture go. */
export const lookAlike = (text: string): string =>
  // Most lines hold nothing of the kind.
  /[^\0-\x7F]/.test(text)
    ? text
        .normalize("NFKC")
        .replaceAll(BLANKS, " ")
        .replaceAll(WITHOUT_PICTURE, "")
        .replaceAll(/[\u2018\u2019\u201B\u2032]/g, "'")
        .replaceAll(/[\u201C\u201D\u201F\u2033]/g, '"')
        .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    : text

const NAMES: Readonly<Record<string, string>> = {
  "\u00A0": "no-break space",
  "\u00AD": "soft hyphen",
  "\u200B": "zero-width space",
  "\u200C": "zero-width non-joiner",
  "\u200D": "zero-width joiner",
  "\u202F": "narrow no-break space",
  "\u2010": "hyphen",
  "\u2011": "no-break hyphen",
  "\u2013": "en dash",
  "\u2014": "em dash",
  "\u2018": "left single quote",
  "\u2019": "right single quote",
  "\u201C": "left double quote",
  "\u201D": "right double quote",
  "\u2212": "minus sign",
  "\u3000": "ideographic space",
  "\uFEFF": "zero-width no-break space"
}

/** `U+00A0 (no-break space)` for each character of `text` beyond ASCII that `other` lacks; a few at most. */
export const strangers = (text: string, other: string): ReadonlyArray<string> => {
  const known = new Set(other)
  const found = new Set([...text].filter((character) => character > "\x7F" && !known.has(character)))
  return [...found].slice(0, 5).map((character) => {
    const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
    const name = NAMES[character] ?? (/\p{M}/u.test(character) ? "combining accent" : undefined)
    return name === undefined ? code : `${code} (${name})`
  })
}
