/** Recognises files that are not plain text, and turns notebooks into text (spec 02, Read). Pure. */
import { Predicate } from "effect"
import { imageType } from "../../domain/imageType.ts"

export type FileKind =
  | { readonly kind: "text" }
  | { readonly kind: "image"; readonly mediaType: string }
  | { readonly kind: "utf-16"; readonly encoding: "utf-16le" | "utf-16be" }
  | { readonly kind: "binary"; readonly what: string }

const SIGNATURES: ReadonlyArray<readonly [bytes: ReadonlyArray<number>, what: string]> = [
  [[0x25, 0x50, 0x44, 0x46], "a PDF document"],
  [[0x50, 0x4b, 0x03, 0x04], "a ZIP archive (or an office document)"],
  [[0x1f, 0x8b], "gzip data"],
  [[0x7f, 0x45, 0x4c, 0x46], "an ELF program"],
  [[0x4d, 0x5a], "a Windows program"],
  [[0xcf, 0xfa, 0xed, 0xfe], "a macOS program"],
  [[0x42, 0x5a, 0x68], "bzip2 data"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "xz data"],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], "an SQLite database"]
]

/** By the first bytes of a file (a few KiB). */
export const fileKind = (head: Uint8Array): FileKind => {
  const mediaType = imageType(head)
  if (mediaType !== undefined) return { kind: "image", mediaType }
  if (head[0] === 0xff && head[1] === 0xfe) return { kind: "utf-16", encoding: "utf-16le" }
  if (head[0] === 0xfe && head[1] === 0xff) return { kind: "utf-16", encoding: "utf-16be" }
  const signature = SIGNATURES.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))
  const isBinary = head.includes(0)
  if (signature !== undefined && (isBinary || signature[1] === "a PDF document")) {
    return { kind: "binary", what: signature[1] }
  }
  return isBinary ? { kind: "binary", what: "a binary file" } : { kind: "text" }
}

/** `950 bytes`, `12.3 KB`, `4.0 MB`. */
export const byteSize = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${(bytes / 1_000).toFixed(1)} KB`
      : bytes < 1_000_000_000
        ? `${(bytes / 1_000_000).toFixed(1)} MB`
        : `${(bytes / 1_000_000_000).toFixed(1)} GB`

const joined = (value: unknown): string =>
  Array.isArray(value) ? value.filter(Predicate.isString).join("") : Predicate.isString(value) ? value : ""

/** The cells of a notebook and their text outputs; undefined where the source is none. */
export const notebookText = (source: string): string | undefined => {
  let notebook: unknown
  try {
    notebook = JSON.parse(source)
  } catch {
    return undefined
  }
  if (!Predicate.hasProperty(notebook, "cells") || !Array.isArray(notebook.cells)) return undefined
  const parts = notebook.cells.map((cell: unknown, index) => {
    if (!Predicate.isObject(cell)) return ""
    const kind = Predicate.hasProperty(cell, "cell_type") ? String(cell.cell_type) : "raw"
    const body = Predicate.hasProperty(cell, "source") ? joined(cell.source) : ""
    const outputs = Predicate.hasProperty(cell, "outputs") && Array.isArray(cell.outputs) ? cell.outputs : []
    const shown = outputs.map(outputText).filter((text) => text !== "")
    return [`[cell ${index + 1}: ${kind}]`, body, ...shown.map((text) => `[output]\n${text}`)].join("\n")
  })
  return parts.join("\n\n")
}

const outputText = (output: unknown): string => {
  if (!Predicate.isObject(output)) return ""
  if (Predicate.hasProperty(output, "text")) return joined(output.text)
  if (Predicate.hasProperty(output, "traceback")) return joined(output.traceback)
  if (!Predicate.hasProperty(output, "data") || !Predicate.isObject(output.data)) return ""
  const types = Object.keys(output.data)
  if (Predicate.hasProperty(output.data, "text/plain")) return joined(output.data["text/plain"])
  return types.length === 0 ? "" : `(${types.join(", ")})`
}
