/**
 * Text with tokens in it: pastes and images that are shown and edited as one unit (spec 07 "Input"). A token stands in
 * the text as one U+FFFC whose place is in `marks`; the same character without a mark is a character like others, so nothing
 * typed or pasted can pass for a token. Pure, immutable.
 */

export interface Token {
  readonly kind: "paste" | "image"
  /** From 1, in the order of a draft; part of what is shown. */
  readonly number: number
  /** What is sent in its place. */
  readonly text: string
  /** Lines of the text. */
  readonly lines: number
  /** Images only: what was pasted, for when the path turns out to be none. */
  readonly pasted?: string
}

export interface Mark {
  /** Offset in UTF-16 units. */
  readonly at: number
  readonly token: Token
}

export interface Content {
  readonly text: string
  /** Ordered by place. */
  readonly marks: ReadonlyArray<Mark>
}

export const PLACEHOLDER = "\ufffc"

export const EMPTY: Content = { text: "", marks: [] }

export const plainContent = (text: string): Content => ({ text, marks: [] })

export const tokenContent = (token: Token): Content => ({ text: PLACEHOLDER, marks: [{ at: 0, token }] })

export const slice = (content: Content, from: number, to: number): Content => ({
  text: content.text.slice(from, to),
  marks: shifted(
    content.marks.filter(({ at }) => at >= from && at < to),
    -from
  )
})

/** `content` with what is between `from` and `to` replaced. */
export const splice = (content: Content, from: number, to: number, insert: Content): Content => ({
  text: content.text.slice(0, from) + insert.text + content.text.slice(to),
  marks:
    content.marks.length === 0 && insert.marks.length === 0
      ? content.marks
      : [
          ...content.marks.filter(({ at }) => at < from),
          ...shifted(insert.marks, from),
          ...shifted(
            content.marks.filter(({ at }) => at >= to),
            from + insert.text.length - to
          )
        ]
})

export const concat = (first: Content, second: Content): Content =>
  splice(first, first.text.length, first.text.length, second)

/** Cuts spaces and line ends at both ends. */
export const trim = (content: Content): Content => {
  const start = content.text.length - content.text.trimStart().length
  return slice(content, start, Math.max(start, content.text.trimEnd().length))
}

export const tokenAt = (content: Content, offset: number): Token | undefined =>
  content.marks.find(({ at }) => at === offset)?.token

/** What is sent: every token replaced by its text. An image's reference is no part of the word before it. */
export const expand = ({ text, marks }: Content): string => {
  const pieces: Array<string> = []
  let done = 0
  for (const { at, token } of marks) {
    const before = text[at - 1]
    const space = token.kind === "image" && before !== undefined && !/\s/.test(before) ? " " : ""
    pieces.push(text.slice(done, at), space, token.text)
    done = at + 1
  }
  return pieces.join("") + text.slice(done)
}

const shifted = (marks: ReadonlyArray<Mark>, by: number): ReadonlyArray<Mark> =>
  by === 0 ? marks : marks.map(({ at, token }) => ({ at: at + by, token }))
