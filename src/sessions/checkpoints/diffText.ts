/**
 * A unified diff between the bytes of two files, for people. Pure.
 */
import { TextDiff } from "effect"

/** Bytes above which no diff is made. */
const MAX_BYTES = 1_000_000

/** Keeps the time bounded where two files have nothing in common. */
const MAX_EDITS = 2_000

const decode = (bytes: Uint8Array): string | undefined => {
  if (bytes.length > MAX_BYTES || bytes.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Empty for binary and huge files. */
export const diffText = (path: string, before: Uint8Array, after: Uint8Array): string => {
  const from = decode(before)
  const to = decode(after)
  if (from === undefined || to === undefined) return ""
  return TextDiff.unified(TextDiff.lines(from, to, { maxEdits: MAX_EDITS }), { fromFile: path, toFile: path })
}
