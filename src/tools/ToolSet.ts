/**
 * The tools of a session, built once (spec 02): the eleven built-in ones; skills, custom tools and MCP join them later.
 */
import { Context, Effect, Layer } from "effect"
import type { Tool } from "../domain/tool.ts"
import { makeBash } from "./bash/bash.ts"
import { makeBashOutput } from "./bash/bashOutput.ts"
import { makeKillBash } from "./bash/killBash.ts"
import { makeEdit } from "./files/edit.ts"
import { makeRead } from "./files/read.ts"
import { makeWrite } from "./files/write.ts"
import { makeCurrentModel } from "./model/currentModel.ts"
import { makeGlob } from "./search/glob.ts"
import { makeGrep } from "./search/grep.ts"
import { makeTodoWrite } from "./todo/todoWrite.ts"
import { makeWebFetch } from "./web/webFetch.ts"

/** Their names, in the order they are made. */
export const builtinTools: ReadonlySet<string> = new Set([
  "Read",
  "Glob",
  "Grep",
  "Write",
  "Edit",
  "Bash",
  "BashOutput",
  "KillBash",
  "TodoWrite",
  "WebFetch",
  "CurrentModel"
])

export class ToolSet extends Context.Service<ToolSet, { readonly tools: ReadonlyArray<Tool> }>()("maia/tools/ToolSet") {
  static readonly layer = Layer.effect(
    ToolSet,
    Effect.map(
      Effect.all([
        makeRead,
        makeGlob,
        makeGrep,
        makeWrite,
        makeEdit,
        makeBash,
        makeBashOutput,
        makeKillBash,
        makeTodoWrite,
        makeWebFetch,
        makeCurrentModel
      ]),
      (tools) => ToolSet.of({ tools })
    )
  )
}
