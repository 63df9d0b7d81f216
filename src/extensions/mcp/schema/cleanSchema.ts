/**
 * The schema of an MCP tool as OpenAI-format servers take it (spec 08): references put in their place, an object at the root,
 * and the rules of `rules.ts` on every node. Pure; bounded, whatever a server sends.
 */
import { Predicate } from "effect"
import { schemaRules, type Node } from "./rules.ts"

/** References are followed this deep; what goes on for ever ends as "anything". */
const DEEPEST = 12
const MOST_NODES = 5_000

/** Always `type: "object"`. */
export const cleanSchema = (schema: unknown): Node => {
  const cleaner = new Cleaner(Predicate.isObject(schema) ? schema : {})
  return asObject(cleaner.root())
}

class Cleaner {
  private readonly whole: Node
  private nodes = 0

  constructor(whole: object) {
    this.whole = Object.fromEntries(Object.entries(whole))
  }

  root(): Node {
    return this.node(this.whole, 0)
  }

  private node(given: unknown, depth: number): Node {
    // `true` and `false` are schemas too.
    if (!Predicate.isObject(given) || Array.isArray(given)) return {}
    if (depth > DEEPEST || this.nodes++ > MOST_NODES) return {}
    const node = this.followed(Object.fromEntries(Object.entries(given)))
    const done: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(node)) done[key] = this.child(key, value, depth + 1)
    return schemaRules.reduce<Node>((cleaned, rule) => rule.clean(cleaned), done)
  }

  private child(key: string, value: unknown, depth: number): unknown {
    switch (key) {
      case "properties":
        return Predicate.isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([name, child]) => [name, this.node(child, depth)]))
          : {}
      case "anyOf":
      case "oneOf":
      case "allOf":
      case "prefixItems":
        return Array.isArray(value) ? value.map((child) => this.node(child, depth)) : []
      case "items":
        return Array.isArray(value) ? value.map((child) => this.node(child, depth)) : this.node(value, depth)
      case "additionalProperties":
        return Predicate.isBoolean(value) ? value : this.node(value, depth)
      default:
        return value
    }
  }

  /** What a `$ref` names, with what stands beside it. One that leads nowhere, or outside, is anything. */
  private followed(node: Node): Node {
    let found = node
    for (let steps = 0; Predicate.isString(found["$ref"]) && steps < DEEPEST; steps++) {
      const { $ref, ...beside } = found
      found = { ...this.at($ref), ...beside }
    }
    const { $ref: _left, ...rest } = found
    return rest
  }

  private at(reference: unknown): Node {
    if (!Predicate.isString(reference) || !reference.startsWith("#")) return {}
    let found: unknown = this.whole
    for (const part of reference
      .slice(1)
      .split("/")
      .filter((one) => one !== "")) {
      const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~")
      found =
        Predicate.isObject(found) && Object.hasOwn(found, key)
          ? Object.entries(found).find(([name]) => name === key)?.[1]
          : undefined
    }
    return Predicate.isObject(found) && !Array.isArray(found) ? Object.fromEntries(Object.entries(found)) : {}
  }
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Alternatives at the root are joined: every property of any of them may be given, none must. */
const asObject = (node: Node): Node => {
  const { allOf, anyOf, oneOf, ...rest } = node
  const parts = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
  const properties: Record<string, unknown> = {}
  for (const part of [...parts, rest]) {
    if (Predicate.isObject(part) && "properties" in part) Object.assign(properties, part.properties)
  }
  const all = Array.isArray(allOf) ? allOf : []
  const required = [rest, ...all].flatMap((part) =>
    Predicate.isObject(part) && "required" in part && Array.isArray(part.required) ? part.required : []
  )
  const { description } = rest
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties,
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(rest["additionalProperties"] === undefined ? {} : { additionalProperties: rest["additionalProperties"] })
  }
}
