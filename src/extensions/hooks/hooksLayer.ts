/**
 * Hooks for the whole of maia: `Hooks` for the turn loop, and the references of the context room (spec 04, "Hooks"), which
 * know no programs.
 */
import { Effect, Layer } from "effect"
import { CompactionHooks, TreeHooks, type TreeMove } from "../../context/hooks.ts"
import { Hooks, makeHooks, type HooksService } from "./Hooks.ts"

export const hooksLayer = Layer.mergeAll(
  Layer.effect(CompactionHooks, Effect.map(Hooks, compactionHooks)),
  Layer.effect(TreeHooks, Effect.map(Hooks, treeHooks))
).pipe(Layer.provideMerge(Layer.effect(Hooks, makeHooks)))

/** Nothing comes after the first hook that decides. */
function compactionHooks(hooks: HooksService): CompactionHooks {
  return {
    before: Effect.fnUntraced(function* (preparation) {
      if (!hooks.has("session_before_compact")) return undefined
      let decided: Effect.Success<ReturnType<CompactionHooks["before"]>>
      const payload = { ...preparation }
      yield* hooks.run("session_before_compact", "", payload, ({ answer, blocked }) => {
        if (blocked !== undefined || answer?.cancel === true) decided = { cancel: true }
        else if (answer?.compaction !== undefined) decided = { compaction: answer.compaction }
        return decided === undefined ? payload : undefined
      })
      return decided
    }),
    compacting: Effect.fnUntraced(function* (preparation) {
      if (!hooks.has("session_compacting")) return undefined
      let joined: Effect.Success<ReturnType<CompactionHooks["compacting"]>>
      const payload = { ...preparation }
      yield* hooks.run("session_compacting", "", payload, ({ answer }) => {
        joined = { ...joined, ...answer, context: [...(joined?.context ?? []), ...(answer?.context ?? [])] }
        return payload
      })
      return joined
    }),
    after: (compaction, fromExtension) => hooks.notify("session_compact", [""], () => ({ compaction, fromExtension }))
  }
}

function treeHooks(hooks: HooksService): TreeHooks {
  return {
    before: Effect.fnUntraced(function* (move: TreeMove) {
      if (!hooks.has("session_before_tree")) return undefined
      let decided: Effect.Success<ReturnType<TreeHooks["before"]>>
      const payload = { ...move }
      yield* hooks.run("session_before_tree", "", payload, ({ answer, blocked }) => {
        if (blocked !== undefined || answer?.cancel === true) decided = { cancel: true }
        else if (answer?.summary !== undefined) decided = { summary: answer.summary }
        return decided === undefined ? payload : undefined
      })
      return decided
    }),
    after: ({ newLeafId, oldLeafId }, summaryEntry) =>
      hooks.notify("session_tree", [""], () => ({ newLeafId, oldLeafId, summaryEntry: summaryEntry ?? null }))
  }
}
