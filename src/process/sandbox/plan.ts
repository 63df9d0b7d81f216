/**
 * What a sandboxed command may touch, as data, and the questions that can be answered from paths alone. Pure.
 */

export interface SandboxPlan {
  /** Real paths of folders that can be written. */
  readonly writable: ReadonlyArray<string>
  /** Inside a writable folder: can be written in, but neither moved nor replaced (`.git`). */
  readonly pinned: ReadonlyArray<string>
  /** Inside a writable folder: cannot be changed, moved or replaced. */
  readonly fixed: ReadonlyArray<string>
  readonly hiddenFolders: ReadonlyArray<string>
  readonly hiddenFiles: ReadonlyArray<string>
  /** Inside a hidden folder, still readable. */
  readonly shown: ReadonlyArray<string>
  /** A private folder: `/tmp` of the commands. */
  readonly temporary: string
  readonly network: boolean
}

export const isInside = (target: string, folder: string): boolean =>
  target === folder || target.startsWith(folder === "/" ? "/" : `${folder}/`)

export const depthOf = (path: string): number => (path === "/" ? 0 : path.split("/").length - 1)

/**
 * A launch folder inside a hidden one was named by the user and is shown; what is protected inside a hidden folder is hidden
 * anyway.
 */
export const withoutContradictions = (plan: SandboxPlan): SandboxPlan => {
  const hiddenFolders = plan.hiddenFolders.filter((folder) => !plan.writable.includes(folder))
  const isHidden = (path: string): boolean =>
    plan.hiddenFiles.includes(path) ||
    hiddenFolders.some((folder) => isInside(path, folder) && !isShownAgain(plan, path, folder))
  return {
    ...plan,
    hiddenFolders,
    pinned: plan.pinned.filter((path) => !isHidden(path)),
    fixed: plan.fixed.filter((path) => !isHidden(path))
  }
}

/** A writable folder between the hidden one and the path. */
const isShownAgain = (plan: SandboxPlan, path: string, hidden: string): boolean =>
  plan.writable.some((folder) => isInside(folder, hidden) && isInside(path, folder))
