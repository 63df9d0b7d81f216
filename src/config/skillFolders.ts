/**
 * Where skills are looked for (MAIA §11.3), most specific first. Pure paths: folder trust must know those of a project
 * that lie outside its `.maia`, the loader all of them.
 */
import * as path from "node:path"
import type { Config } from "./Config.ts"

export interface SkillFolder {
  readonly folder: string
  /** `project`: of the launch folder; `parent`: of the folder above it. Both need trust. */
  readonly level: "project" | "parent" | "user"
}

type Places = Pick<Config["Service"], "launchFolder" | "userDir" | "home"> & {
  readonly settings: Pick<Config["Service"]["settings"], "skills">
}

/** `.claude/skills` and `.agents/skills` only where the settings ask for them. */
export const skillFolders = ({ launchFolder, home, userDir, settings }: Places): ReadonlyArray<SkillFolder> => {
  const others = [...(settings.skills.claude ? [".claude"] : []), ...(settings.skills.agents ? [".agents"] : [])]
  const of = (level: SkillFolder["level"], base: string): ReadonlyArray<SkillFolder> =>
    [".maia", ...others].map((name) => ({ level, folder: path.join(base, name, "skills") }))
  const parent = path.dirname(launchFolder)
  return [
    ...of("project", launchFolder),
    ...(parent === launchFolder ? [] : of("parent", parent)),
    { level: "user", folder: path.join(userDir, "skills") },
    ...others.map((name): SkillFolder => ({ level: "user", folder: path.join(home, name, "skills") }))
  ]
}
