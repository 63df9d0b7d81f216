/** Judges calls against rules, in a folder of the test's own. */
import * as parser from "unbash"
import type { Rule } from "../../src/permissions/Permissions.ts"
import { judge } from "../../src/permissions/judge.ts"
import type { JudgeContext } from "../../src/permissions/judgement.ts"
import { parseRule } from "../../src/permissions/rules.ts"

export interface Rules {
  readonly allow?: ReadonlyArray<string>
  readonly ask?: ReadonlyArray<string>
  readonly deny?: ReadonlyArray<string>
}

export interface World {
  readonly rules: Rules
  /** Link → real path. */
  readonly links?: Readonly<Record<string, string>>
  readonly existing?: ReadonlyArray<string>
  readonly launchFolder?: string
  readonly ignoreCase?: boolean
}

export const contextFor = (world: World): JudgeContext => {
  const rules = (["allow", "ask", "deny"] as const).flatMap((kind) =>
    (world.rules[kind] ?? []).flatMap((text) => {
      const rule: Rule = { text, kind, scope: "user", file: "test", line: 1 }
      return parseRule(rule) ?? []
    })
  )
  const links = Object.entries(world.links ?? {})
  const real = (path: string): string => {
    // As the system has it: the path that says nothing is the folder maia runs in.
    if (path === "") return world.launchFolder ?? "/w/app"
    for (const [from, to] of links) {
      if (path === from) return to
      if (path.startsWith(`${from}/`)) return to + path.slice(from.length)
    }
    return path
  }
  return {
    rules,
    parser,
    places: {
      launchFolder: world.launchFolder ?? "/w/app",
      home: "/home/me",
      outputDir: "/home/me/.cache/maia/output",
      ignoreCase: world.ignoreCase ?? false
    },
    facts: {
      real,
      names: (folder) =>
        [...(world.existing ?? []), ...links.map(([from]) => from)]
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1))
          .map((path) => ({
            name: path.split("/")[0] ?? "",
            isLink: links.some(([from]) => from === `${folder}/${path}`),
            isFolder: path.includes("/")
          })),
      exists: (path) => (world.existing ?? []).includes(path) || path === "/etc/passwd" || path === "/etc"
    }
  }
}

export const bash = (command: string, world: World | Rules): string => {
  const full: World = "rules" in world ? world : { rules: world }
  return judge({ tool: "Bash", input: { command }, fallback: "ask" }, contextFor(full)).decision
}

export const file = (tool: "Read" | "Write" | "Edit" | "Grep" | "Glob", path: string, world: World): string =>
  judge({ tool, input: { path }, fallback: "ask" }, contextFor(world)).decision
