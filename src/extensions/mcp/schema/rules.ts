/**
 * What OpenAI-format servers refuse in the schemas of MCP tools, and what is made of it: one named rule for each, from one
 * schema node to another. The children of a node are done before it. Pure.
 */
import { Predicate } from "effect"

export type Node = Readonly<Record<string, unknown>>

export interface SchemaRule {
  readonly name: string
  readonly clean: (node: Node) => Node
}

const without = (node: Node, ...keys: ReadonlyArray<string>): Node => {
  if (!keys.some((key) => key in node)) return node
  return Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)))
}

/** `$schema`, `$id`, `$comment` and their like: nothing a model can use, and strict servers refuse them. */
const noMetadata: SchemaRule = {
  name: "no metadata",
  clean: (node) => without(node, "$schema", "$id", "id$", "$comment", "$anchor", "$vocabulary", "$defs", "definitions")
}

/** Conditions and patterns over properties are known to no provider's grammar. */
const noConditions: SchemaRule = {
  name: "no conditions",
  clean: (node) =>
    without(
      node,
      "if",
      "then",
      "else",
      "not",
      "dependentSchemas",
      "dependentRequired",
      "dependencies",
      "patternProperties",
      "propertyNames",
      "unevaluatedProperties",
      "unevaluatedItems",
      "contentEncoding",
      "contentMediaType",
      "contains",
      "minContains",
      "maxContains"
    )
}

/** `const` is an `enum` of one. */
const constAsEnum: SchemaRule = {
  name: "const as enum",
  clean: (node) => ("const" in node ? { ...without(node, "const"), enum: [node["const"]] } : node)
}

/** An empty `enum` allows nothing and is refused. */
const noEmptyEnum: SchemaRule = {
  name: "no empty enum",
  clean: (node) => (Array.isArray(node["enum"]) && node["enum"].length === 0 ? without(node, "enum") : node)
}

/** `exclusiveMinimum: true` was draft 4; numbers are meant today. */
const noBooleanBounds: SchemaRule = {
  name: "no boolean bounds",
  clean: (node) => {
    const keys = ["exclusiveMinimum", "exclusiveMaximum"].filter((key) => Predicate.isBoolean(node[key]))
    return keys.length === 0 ? node : without(node, ...keys)
  }
}

/** Formats outside the common ones are refused by some. */
const FORMATS = new Set(["date-time", "date", "time", "duration", "email", "uri", "uuid", "ipv4", "ipv6", "hostname"])

const knownFormats: SchemaRule = {
  name: "known formats",
  clean: (node) => (Predicate.isString(node["format"]) && !FORMATS.has(node["format"]) ? without(node, "format") : node)
}

/** A list must say what it holds; a tuple holds any of its parts. */
const listsOfSomething: SchemaRule = {
  name: "lists of something",
  clean: (node) => {
    const tuple = node["prefixItems"] ?? (Array.isArray(node["items"]) ? node["items"] : undefined)
    if (Array.isArray(tuple)) {
      const items = tuple.length === 0 ? {} : tuple.length === 1 ? tuple[0] : { anyOf: tuple }
      return { ...without(node, "prefixItems", "additionalItems"), items }
    }
    return node["type"] === "array" && !Predicate.isObject(node["items"]) ? { ...node, items: {} } : node
  }
}

/** What is required must be there. */
const requiredExists: SchemaRule = {
  name: "required exists",
  clean: (node) => {
    const { properties, required } = node
    if (!("required" in node)) return node
    if (!Array.isArray(required) || !Predicate.isObject(properties)) return without(node, "required")
    const kept = required.filter((key) => Predicate.isString(key) && Object.hasOwn(properties, key))
    return kept.length === 0 ? without(node, "required") : { ...node, required: kept }
  }
}

/** `["string"]` is `"string"`. */
const plainType: SchemaRule = {
  name: "plain type",
  clean: (node) => {
    const { type } = node
    return Array.isArray(type) && type.length === 1 ? { ...node, type: type[0] } : node
  }
}

/** An alternative of one, or of several that are the same, is none. */
const noLoneAlternative: SchemaRule = {
  name: "no lone alternative",
  clean: (node) => {
    for (const key of ["anyOf", "oneOf", "allOf"]) {
      const list = node[key]
      if (!Array.isArray(list)) continue
      const [first] = list
      const isLone = list.length > 0 && list.every((one) => JSON.stringify(one) === JSON.stringify(first))
      if (isLone && Predicate.isObject(first)) return { ...first, ...without(node, key) }
      if (list.length === 0) return without(node, key)
    }
    return node
  }
}

/** Longer ones cost every request more than they help. */
const LONGEST_DESCRIPTION = 1_000

const shortDescriptions: SchemaRule = {
  name: "short descriptions",
  clean: (node) => {
    const { description } = node
    if (description === undefined) return node
    if (!Predicate.isString(description)) return without(node, "description")
    return description.length <= LONGEST_DESCRIPTION
      ? node
      : { ...node, description: `${description.slice(0, LONGEST_DESCRIPTION - 1).toWellFormed()}…` }
  }
}

/** In the order in which they are applied. */
export const schemaRules: ReadonlyArray<SchemaRule> = [
  noMetadata,
  noConditions,
  constAsEnum,
  noEmptyEnum,
  noBooleanBounds,
  knownFormats,
  listsOfSomething,
  plainType,
  noLoneAlternative,
  requiredExists,
  shortDescriptions
]
