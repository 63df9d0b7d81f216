/**
 * What a person would point at when a text is not found (seed 003): the lines that come closest, with their numbers, or the
 * invisible characters that make the difference. Pure; linear in the file.
 */
import { lookAlike, strangers } from "./lookAlike.ts"
import type { TextIndex } from "./TextIndex.ts"

/** Lines shown at most. */
const SHOWN = 20
/** Longest line compared by words. */
const LONGEST = 2_000

/** English for the model; empty where nothing comes near. */
export const explainNotFound = (index: TextIndex, old: string): string =>
  invisibleDifference(index, old) ?? nearestLines(index, old)

const invisibleDifference = (index: TextIndex, old: string): string | undefined => {
  const plain = lookAlike(old)
    .split("\n")
    .map((line) => line.trim())
  while (plain[0] === "") plain.shift()
  while (plain.at(-1) === "") plain.pop()
  const [first] = plain
  if (first === undefined) return undefined
  const at =
    plain.length === 1
      ? index.lookAlike.lines.findIndex((line) => line.includes(first))
      : (index.lookAlike.find(plain)[0] ?? -1)
  if (at === -1) return undefined
  const there = Array.from(plain, (_, offset) => index.line(at + offset)).join("\n")
  const theirs = strangers(old, there)
  const files = strangers(there, old)
  return [
    `Line ${at + 1} of the file has the same text in another Unicode form, or with invisible or look-alike characters.`,
    ...(theirs.length === 0 ? [] : [`"old" has ${theirs.join(", ")}, which the file has not.`]),
    ...(files.length === 0
      ? []
      : [
          `The file has ${files.join(", ")}: write exactly these in "old" (in JSON as \\uXXXX), or quote a part without them.`
        ])
  ].join(" ")
}

/** The stretch as long as `old` in which most lines are the same, when at least half are; else the line most like it. */
const nearestLines = (index: TextIndex, old: string): string => {
  const wanted = old
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  if (wanted.length === 0) return ""
  const start = stretch(index, wanted) ?? similarLine(index, wanted)
  if (start === undefined) return ""
  const end = Math.min(index.starts.length, start + Math.min(wanted.length + 1, SHOWN))
  const shown: Array<string> = []
  for (let at = start; at < end; at++) shown.push(`${at + 1}\t${shorten(index.line(at))}`)
  return `The nearest lines are (copy these, without the numbers):\n${shown.join("\n")}`
}

const stretch = (index: TextIndex, wanted: ReadonlyArray<string>): number | undefined => {
  const { lines } = index.trimmed
  const known = new Set(wanted.filter((line) => index.trimmed.has(line)))
  if (known.size === 0) return undefined
  const hit = (at: number): number => (known.has(lines[at] ?? "") ? 1 : 0)
  let best = { score: 0, start: 0 }
  let score = 0
  for (let at = 0; at < lines.length; at++) {
    score += hit(at) - (at >= wanted.length ? hit(at - wanted.length) : 0)
    if (score > best.score) best = { score, start: Math.max(0, at - wanted.length + 1) }
  }
  return best.score * 2 < wanted.length ? undefined : best.start
}

const WORDS = /[\p{L}\p{N}_]+/gu

/** The line that shares most words with the longest wanted one, when it shares at least half. */
const similarLine = (index: TextIndex, wanted: ReadonlyArray<string>): number | undefined => {
  const target = wanted.toSorted((a, b) => b.length - a.length)[0] ?? ""
  const words = new Set(target.slice(0, LONGEST).match(WORDS) ?? [])
  if (words.size === 0) return undefined
  let best: number | undefined
  let most = words.size / 2
  for (const [at, line] of index.trimmed.lines.entries()) {
    if (line.length > LONGEST) continue
    let shared = 0
    for (const word of new Set(line.match(WORDS) ?? [])) if (words.has(word)) shared++
    if (shared === 0 || shared < most || (shared === most && best !== undefined)) continue
    best = at
    most = shared
  }
  return best
}

const shorten = (line: string): string => (line.length <= 200 ? line : `${line.slice(0, 200).toWellFormed()}…`)
