/**
 * What a user and a project add to maia (spec 08): each kind of extension contributes tools and sections of the prompt.
 * Knows no kind by name: the composition hands them in.
 */
import { Context, Effect, Layer } from "effect"
import { text, type Text } from "../domain/text.ts"
import type { Tool } from "../domain/tool.ts"
import { ToolSet } from "../tools/ToolSet.ts"

export interface Contribution {
  readonly tools: ReadonlyArray<Tool>
  /** Sections of the fixed prompt, in English, byte-identical as long as nothing on disk changes. */
  readonly prompt: ReadonlyArray<{ readonly kind: string; readonly text: string }>
  /** To be shown before the first turn. */
  readonly warnings: ReadonlyArray<Text>
  /** What was found, for who looks on (MAIA §10, §20.1). */
  readonly notices?: ReadonlyArray<Text>
}

/** `Agents loaded:` and a line for each; nothing where there are none. */
export const loadedNotice = (title: Text, names: ReadonlyArray<string>): ReadonlyArray<Text> => {
  const list = names.map((name) => `\n  ${name}`).join("")
  return names.length === 0 ? [] : [text(`${title.en}${list}`, `${title.fr}${list}`)]
}

export const nothing: Contribution = { tools: [], prompt: [], warnings: [] }

/** What all kinds together contribute. */
export interface Loaded extends Contribution {
  /** The kind that a tool came from; undefined for a built-in one. Absent where nobody keeps count. */
  readonly kindOf?: (tool: string) => string | undefined
}

export interface ExtensionKind {
  /** For people: `skills`. */
  readonly name: string
  /** Takes what is on disk anew: at the start, `/clear` and `/new`. Never fails: what is broken is a warning. */
  readonly load: Effect.Effect<Contribution>
  /**
   * The tools as they are now, for kinds whose tools come and go while maia runs. Asked before each request: cheap, and
   * the same array as long as nothing has changed.
   */
  readonly current?: Effect.Effect<ReadonlyArray<Tool>>
  /** What went wrong since it was last asked, for kinds that work on after `load`. Asked before each request. */
  readonly takeWarnings?: Effect.Effect<ReadonlyArray<Text>>
  /** A built-in tool with something added, or the tool itself. */
  readonly wrap?: (tool: Tool) => Tool
}

export class Extensions extends Context.Service<
  Extensions,
  {
    /** All kinds together; a tool whose name is taken (by a built-in tool or an earlier kind) is left out with a warning. */
    readonly load: Effect.Effect<Loaded>
    /** Built-in tools and those of the kinds, as of the last `load` and of what has changed since. */
    readonly tools: Effect.Effect<ReadonlyArray<Tool>>
    /** What went wrong with a kind after `load`, each time once. */
    readonly takeWarnings: Effect.Effect<ReadonlyArray<Text>>
  }
>()("maia/extensions/Extensions") {
  static readonly layer = (kinds: ReadonlyArray<ExtensionKind>): Layer.Layer<Extensions, never, ToolSet> =>
    Layer.effect(
      Extensions,
      Effect.map(ToolSet, ({ tools }) => Extensions.of(combine(tools, kinds)))
    )

  /** Nothing but the built-in tools. */
  static readonly layerNone = Extensions.layer([])
}

const combine = (given: ReadonlyArray<Tool>, kinds: ReadonlyArray<ExtensionKind>): Extensions["Service"] => {
  const builtin = given.map((tool) => kinds.reduce((wrapped, kind) => kind.wrap?.(wrapped) ?? wrapped, tool))
  let loaded: ReadonlyArray<ReadonlyArray<Tool>> = kinds.map(() => [])
  let joined: ReadonlyArray<Tool> = builtin

  const load = Effect.gen(function* () {
    const parts = yield* Effect.forEach(kinds, (kind) => kind.load, { concurrency: "unbounded" })
    loaded = parts.map(({ tools }) => tools)
    const { tools, taken } = join(builtin, loaded)
    joined = tools
    const contribution: Loaded = {
      kindOf: (name) => {
        const at = loaded.findIndex((list) => list.some((tool) => tool.name === name))
        return builtin.some((tool) => tool.name === name) ? undefined : kinds[at]?.name
      },
      tools: tools.slice(builtin.length),
      prompt: parts.flatMap(({ prompt }) => prompt),
      notices: parts.flatMap(({ notices = [] }) => notices),
      warnings: [...parts.flatMap(({ warnings }) => warnings), ...taken.map(nameTaken)]
    }
    return contribution
  })

  const tools = Effect.gen(function* () {
    const now = yield* Effect.forEach(kinds, (kind, at) => kind.current ?? Effect.succeed(loaded[at] ?? []))
    if (now.some((list, at) => list !== loaded[at])) {
      loaded = now
      joined = join(builtin, now).tools
    }
    return joined
  })

  const takeWarnings = Effect.map(
    Effect.forEach(kinds, (kind) => kind.takeWarnings ?? Effect.succeed([])),
    (lists) => lists.flat()
  )

  return { load, tools, takeWarnings }
}

const join = (builtin: ReadonlyArray<Tool>, lists: ReadonlyArray<ReadonlyArray<Tool>>) => {
  const byName = new Map(builtin.map((tool) => [tool.name, tool]))
  const taken: Array<string> = []
  for (const tool of lists.flat()) {
    if (byName.has(tool.name)) taken.push(tool.name)
    else byName.set(tool.name, tool)
  }
  return { tools: [...byName.values()], taken }
}

const nameTaken = (name: string): Text =>
  text(
    `The tool "${name}" is left out: another tool has this name.`,
    `L'outil « ${name} » est écarté : un autre outil porte ce nom.`
  )
