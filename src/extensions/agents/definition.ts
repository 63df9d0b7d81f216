/**
 * What a sub-agent is (MAIA §20.1): data, in the form in which it goes to the process that plays it.
 */
import { Schema } from "effect"

/** A permission rule of an agent can only forbid more than what the main agent has (spec 08). */
export const AgentRule = Schema.Struct({
  kind: Schema.Literals(["ask", "deny"]),
  /** `Tool` or `Tool(pattern)`. */
  text: Schema.String,
  line: Schema.Finite
})
export type AgentRule = typeof AgentRule.Type

export const AgentDefinition = Schema.Struct({
  /** The folder's name. */
  name: Schema.String,
  /** One line: what the main agent chooses by. */
  description: Schema.String,
  /** `AGENT.md`, absolute. */
  file: Schema.String,
  /** Exact name or a part of one; absent: the main agent's model. */
  model: Schema.optionalKey(Schema.String),
  /** Names, `*` stands for anything; absent: all. Never `Agent`. */
  tools: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Names; absent: all. */
  skills: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Without the instructions of user and project. */
  omitMd: Schema.Boolean,
  /** Its conversation is kept as a session. */
  trace: Schema.Boolean,
  rules: Schema.Array(AgentRule),
  /** The three sections. */
  instructions: Schema.String,
  missions: Schema.String,
  output: Schema.String,
  /** JSON schema of the answer. */
  outputSchema: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
export type AgentDefinition = typeof AgentDefinition.Type

export type AgentLevel = "user" | "project"

/** Longest name, in UTF-16 units. */
const MAX_NAME = 64

/** A name can stand in a rule and in the name of a session. */
export const isAgentName = (name: string): boolean =>
  name.length <= MAX_NAME && /^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*$/u.test(name) && !name.endsWith(".")
