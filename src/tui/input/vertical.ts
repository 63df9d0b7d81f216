/** ↑ and ↓ inside of a content of several rows (spec 07 "Input"): by drawn rows, towards a remembered column. Pure. */
import type { EditBuffer } from "./editBuffer.ts"
import { columnAt, placeAt, rowAt, rowsOf, type Drawing } from "./rows.ts"

/** Undefined where there is no row above (`-1`) or below (`1`). */
export const moveRows = (buffer: EditBuffer, by: -1 | 1, drawing: Drawing): EditBuffer | undefined => {
  const { content, cursor } = buffer
  const rows = rowsOf(content, drawing)
  const index = rowAt(rows, cursor)
  const [here, there] = [rows[index], rows[index + by]]
  if (here === undefined || there === undefined) return undefined
  const column = buffer.last === "vertical" ? buffer.column : columnAt(content, here, cursor, drawing)
  return { ...buffer, cursor: placeAt(content, there, column, drawing), column, last: "vertical" }
}
