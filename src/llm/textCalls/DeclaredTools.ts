/** The tools a call written as text may name (spec 06): names as models spell them, and the types of their parameters. Pure. */
import type { ToolSpec } from "../../domain/llm.ts"
import { isFields } from "../wire.ts"
import { END, MORE, type Cursor, type Parsing } from "./Cursor.ts"

/** Some templates write the name inside a name space. */
const SPACES = ["", "functions.", "default_api."]

export class DeclaredTools {
  /** Small letters to the declared name. */
  private readonly spelled = new Map<string, string>()
  private readonly specs = new Map<string, ToolSpec>()

  constructor(tools: ReadonlyArray<ToolSpec>) {
    for (const tool of tools) {
      this.specs.set(tool.name, tool)
      for (const space of SPACES) this.spelled.set(space + tool.name.toLowerCase(), tool.name)
    }
  }

  /** Reads a name up to a character that cannot stand in one; undefined as soon as no declared name begins so. */
  *name(cursor: Cursor): Parsing<string | undefined> {
    let read = ""
    let possible = [...this.spelled.keys()]
    for (;;) {
      const code = cursor.peek()
      if (code === MORE) {
        yield
        continue
      }
      if (code === END || !isNameCode(code)) return this.spelled.get(read)
      read += String.fromCharCode(code).toLowerCase()
      possible = possible.filter((name) => name.startsWith(read))
      if (possible.length === 0) return undefined
      cursor.next()
    }
  }

  /** A parameter's value that came as bare text: text stays text, the rest is JSON where it can be read as such. */
  valueOf(tool: string, parameter: string, text: string): unknown {
    const properties = this.specs.get(tool)?.parameters["properties"]
    const schema = isFields(properties) ? properties[parameter] : undefined
    const type = isFields(schema) ? schema["type"] : undefined
    if (type === "string") return text
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
}

/** Letters, digits, `_`, `-`, `.`. */
const isNameCode = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  code === 0x5f ||
  code === 0x2d ||
  code === 0x2e
