/**
 * The files a command names, judged by the rules for paths whatever the command is (spec 03, field cases C13, C19, C20).
 * What a program opens without naming it cannot be seen. Pure but for the facts it is handed.
 */
import { text, type Text } from "../domain/text.ts"
import { displaySubject } from "./display.ts"
import { strictest, type JudgeContext, type Judgement } from "./judgement.ts"
import { judgePath } from "./judgePath.ts"
import { foldShape, mayOverlap, patternShapes } from "./overlap.ts"
import { absolutePath, isInside } from "./paths.ts"
import type { ParsedRule } from "./rules.ts"
import { globbedFiles, globbedFlag } from "./globbedFiles.ts"
import { hasDangerousUses } from "./shell/dangerousUse.ts"
import type { Rule } from "./Permissions.ts"
import { mayBeSecret } from "./secretGlobs.ts"
import { guardedPath } from "./secrets.ts"
import type { FileTarget, SimpleCommand } from "./shell/analyse.ts"
import type { Folder } from "./shell/folders.ts"
import { FREE_TARGETS } from "./shell/nodes.ts"
import { checkedOut, fileUse, NAMELESS, searchedFolders } from "./shell/programs.ts"
import { ANYTHING, literalWord, type ShellWord } from "./shell/words.ts"
import { baseName } from "./shell/wrappers.ts"

/** What a program does with a file it names; `any` where that is not known. `write` is what a redirection does. */
type Use = "read" | "write" | "change" | "any"

const isRooted = (path: string): boolean => /^(?:\/|~$|~\/)/.test(path)

const folderPath = (folder: Folder, context: JudgeContext): string => absolutePath(folder.path, context.places)

/** Folders the command may run in: the one `cd` leads to, and where it is left when that does not exist. */
const foldersOf = (folder: Folder | undefined, context: JudgeContext): ReadonlyArray<string> => {
  if (folder === undefined) return []
  const own = folderPath(folder, context)
  return folder.otherwise === undefined || context.facts.exists(own)
    ? [own]
    : [own, ...foldersOf(folder.otherwise, context)]
}

/** Absolute paths that a word may mean; none where the folder is not known. */
const pathsOf = (path: string, folder: Folder | undefined, context: JudgeContext): ReadonlyArray<string> =>
  isRooted(path)
    ? bothWays(path, "/", context)
    : foldersOf(folder, context).flatMap((base) => bothWays(path, base, context))

/** `link/../x` is `x` by its text, and beside what the link leads to for the system. */
const bothWays = (path: string, base: string, context: JudgeContext): ReadonlyArray<string> => {
  const folded = absolutePath(path, context.places, base)
  if (!/[^/.][^/]*\/+(?:\.\/+)*\.\.(?:\/|$)/.test(path)) return [folded]
  let at = /^[~/]/.test(path) ? "/" : base
  for (const part of path.replace(/^~(?=\/|$)/, context.places.home).split("/")) {
    if (part === "..") at = `${context.facts.real(at)}/..`
    at = absolutePath(part === ".." ? at : `${at}/${part}`, context.places)
  }
  return at === folded ? [folded] : [folded, at]
}

/** The target of a redirection. */
export const judgeTarget = ({ folder, word }: FileTarget, write: boolean, context: JudgeContext): Judgement => {
  const paths = word.isLiteral && !word.value.startsWith("~") ? pathsOf(word.value, folder, context) : []
  const judged = paths.map((path) =>
    write ? judgePath({ path, tools: ["Write"], forbiddenWith: ["Edit"], write }, context) : judgeInput(path, context)
  )
  const guard = judged.length > 0 ? undefined : guardOf(word.shape, word, folder, write ? "write" : "read", context)
  return (
    strictest(judged) ?? {
      decision: "ask",
      reason: notKnown(word),
      ...(guard?.rule === undefined ? {} : { rule: guard.rule })
    }
  )
}

const notKnown = (word: ShellWord): Text => {
  const shown = displaySubject(word.value)
  return text(
    `It is not known which file "${shown}" would be.`,
    `On ne sait pas quel fichier « ${shown} » désignerait.`
  )
}

/** Reading by `<` needs no rule of its own inside the folder; what forbids holds. */
const judgeInput = (path: string, context: JudgeContext): Judgement => {
  const judged = judgePath({ path, tools: ["Read"], write: false }, context)
  const real = context.facts.real(path)
  const isPlain = isInside(real, context.places.launchFolder) && guardedPath(real, context.places, false) === undefined
  return judged.decision === "ask" && judged.rule === undefined && isPlain
    ? { decision: "allow", reason: judged.reason }
    : judged
}

/** A word that commands may get later, in a way that is not followed. */
export const judgeMention = ({ folder, word }: FileTarget, context: JudgeContext): ReadonlyArray<Judgement> =>
  judgeArgument(word, folder, "any", false, context)

/** What stands against a command because of the files in its arguments. */
export const judgeArguments = (command: SimpleCommand, context: JudgeContext): ReadonlyArray<Judgement> => {
  const [program, ...words] = command.words
  const name = baseName(program?.value ?? "")
  const found: Array<Judgement> = []
  const outside = foldersOf(command.folder, context).find((path) => !isInsideProject(path, context))
  if (outside !== undefined) {
    found.push({
      decision: "ask",
      reason: text(
        `It runs in ${outside}, outside the launch folder.`,
        `Elle s'exécute dans ${outside}, hors du dossier de lancement.`
      )
    })
  }
  if (NAMELESS.has(name)) return found
  const argv = command.words.map(({ value }) => value)
  const use = fileUse(name, argv)
  const isFolderChange = name === "cd" || name === "pushd"
  if (hasDangerousUses(name)) found.push(...judgeFlags(command, context))
  for (const word of words) found.push(...judgeArgument(word, command.folder, use, isFolderChange, context))
  const lost = checkedOut(name, argv).find((word) =>
    pathsOf(word, command.folder, context).some((path) => context.facts.exists(path))
  )
  if (lost !== undefined) found.push({ decision: "ask", reason: losesChanges(lost) })
  const searched = judgeSearch(name, argv, command, context)
  return searched === undefined ? found : [...found, searched]
}

const losesChanges = (word: string): Text => {
  const shown = displaySubject(word)
  return text(`It would throw the changes in "${shown}" away.`, `Elle jetterait les modifications de « ${shown} ».`)
}

const isInsideProject = (path: string, context: JudgeContext): boolean =>
  isInside(context.facts.real(path), context.places.launchFolder)

const judgeArgument = (
  word: ShellWord,
  folder: Folder | undefined,
  use: Use,
  isFolderChange: boolean,
  context: JudgeContext
): ReadonlyArray<Judgement> => {
  const shape = word.shape
    .replace(/^\$\{HOME\}(?=\/|$)/, "~")
    .replace(/^\$\{PWD\}(?=\/|$)/, ".")
    .replaceAll(/\$\{(?:HOME|PWD)\}/g, ANYTHING)
  const isKnown = word.isLiteral || !/[\uE000-\uE002]/.test(shape)
  if (isKnown) {
    return candidates(word.isLiteral ? word.value : shape).flatMap((candidate) =>
      judgeName(candidate, folder, use, isFolderChange, context)
    )
  }
  const linked = word.isPattern ? judgeGlob(shape, folder, use, context) : []
  if (linked.length > 0) return linked
  const guard = candidates(shape)
    .map((candidate) => guardOf(candidate, word, folder, use, context))
    .find((one) => one !== undefined)
  const shown = displaySubject(word.value)
  const reason =
    guard !== undefined
      ? text(`"${shown}" may name a guarded file.`, `« ${shown} » peut désigner un fichier protégé.`)
      : candidates(shape).some((candidate) => leadsOutside(candidate, folder, context))
        ? text(
            `"${shown}" may lead outside the launch folder.`,
            `« ${shown} » peut mener hors du dossier de lancement.`
          )
        : undefined
  if (reason === undefined) return []
  return [{ decision: "ask", reason, ...(guard?.rule === undefined ? {} : { rule: guard.rule }) }]
}

/** What the glob finds behind links, judged as what it really is. */
const judgeGlob = (
  shape: string,
  folder: Folder | undefined,
  use: Use,
  context: JudgeContext
): ReadonlyArray<Judgement> =>
  candidates(shape)
    .flatMap((candidate) => pathsOf(candidate, folder, context))
    .flatMap((path): ReadonlyArray<Judgement> => {
      const { isCut, linked } = globbedFiles(path, context.facts)
      const found = linked.flatMap((one) => judgeName(one, folder, use, false, context))
      return isCut && found.length === 0 ? [{ decision: "ask", reason: TOO_MANY }] : found
    })

const TOO_MANY = text("It may name too many files to look at.", "Elle peut désigner trop de fichiers à vérifier.")

/** A file whose name a glob would hand over as a flag. */
const judgeFlags = ({ folder, words }: SimpleCommand, context: JudgeContext): ReadonlyArray<Judgement> => {
  const end = words.findIndex(({ value }) => value === "--")
  const open = end === -1 ? words.slice(1) : words.slice(1, end)
  return open
    .filter(({ isPattern }) => isPattern)
    .flatMap(({ shape, value }) =>
      foldersOf(folder, context).flatMap((base): ReadonlyArray<Judgement> => {
        const flag = globbedFlag(shape, base, context.facts)
        if (flag === undefined) return []
        const [shown, named] = [displaySubject(value), displaySubject(flag)]
        const reason = text(
          `"${shown}" stands for a file named "${named}", which would be read as a flag.`,
          `« ${shown} » désigne un fichier nommé « ${named} », qui serait lu comme un drapeau.`
        )
        return [{ decision: "ask", reason }]
      })
    )
}

/** Behind what is expanded, `..` goes to a folder nobody knows. */
const CLIMBS = /[\uE000-\uE002].*\/\.\.(?:\/|$)|[\uE000-\uE002]\.\.?(?:\/|$)/s

/** What stands before the expansion is a folder outside; where the expansion comes first it may be anything. */
const leadsOutside = (shape: string, folder: Folder | undefined, context: JudgeContext): boolean => {
  if (CLIMBS.test(shape)) return true
  if (shape.startsWith(ANYTHING)) return false
  return pathsOf(shape, folder, context).some((path) => {
    const at = path.search(/[\uE000-\uE002]/)
    const parent = path.slice(0, path.lastIndexOf("/", at)) || "/"
    if (isInsideProject(parent, context)) return false
    // `/$x/d` is a script for `sed` more often than a place.
    if (parent === "/" ? path[at] === ANYTHING : !context.facts.exists(parent)) return false
    return judgePath({ path: parent, tools: ["Read"], write: false }, context).decision !== "allow"
  })
}

/** The word, and what in it may be a file: `--flag=file`, `-ffile`, `name=file`, `@file`, `REV:file`. */
const candidates = (word: string): ReadonlyArray<string> => {
  if (word === "" || word.length > 4_096 || word.includes("\n")) return []
  const found = word.startsWith("-") ? [] : [word]
  const behind = /^[^=\s]*?=([\s\S]+)$/.exec(word)?.[1]
  if (behind !== undefined) found.push(behind)
  if (/^-[A-Za-z]./.test(word)) found.push(word.slice(2))
  // The last option of a group with its value: `-rf/etc/passwd`.
  const grouped = /^-[A-Za-z]{2,}?((?:~|\.\.?)?\/[\s\S]*)$/.exec(word)?.[1]
  if (grouped !== undefined) found.push(grouped)
  if (word.startsWith("@")) found.push(word.slice(1))
  if (behind?.startsWith("@") === true) found.push(behind.slice(1))
  if (!word.includes("://")) {
    const colon = word.indexOf(":")
    if (colon > 0 || (colon === 0 && word.length > 1)) found.push(word.slice(colon + 1).replace(/^\d?:/, ""))
  }
  return found.filter((one) => one !== "" && !one.includes("://"))
}

/** Those that deny first. */
const guards = (context: JudgeContext, tools: ReadonlyArray<string>): ReadonlyArray<ParsedRule> =>
  (["deny", "ask"] as const).flatMap((kind) =>
    context.rules.filter(({ rule, tool }) => rule.kind === kind && tools.includes(tool))
  )

const shapes = new WeakMap<ParsedRule, ReadonlyArray<string>>()

const shapesOf = (rule: ParsedRule, context: JudgeContext): ReadonlyArray<string> => {
  const known = shapes.get(rule) ?? patternShapes(rule.pattern ?? "**", context.places)
  shapes.set(rule, known)
  return known
}

const toolsOf = (use: Use): ReadonlyArray<string> =>
  use === "read" ? ["Read"] : use === "write" ? ["Write", "Edit"] : ["Read", "Write", "Edit"]

/** What may guard the file that a word stands for: a rule, or its name alone. Undefined: nothing does. */
const guardOf = (
  shape: string,
  word: ShellWord,
  folder: Folder | undefined,
  use: Use,
  context: JudgeContext
): { readonly rule?: Rule } | undefined => {
  const rules = guards(context, toolsOf(use))
  const paths = shape.startsWith(ANYTHING) ? [shape] : pathsOf(shape, folder, context)
  const typed = paths.map((path) => foldShape(path, context.places))
  const [first] = rules
  const hit =
    paths.length === 0
      ? first
      : rules.find((rule) => shapesOf(rule, context).some((pattern) => typed.some((one) => mayOverlap(one, pattern))))
  if (hit !== undefined) return { rule: hit.rule }
  // A glob that spells part of the name out is meant for it; a variable may be anything, and is then no sign.
  return word.isPattern && mayBeSecret(shape) ? {} : undefined
}

/** One name written out; nothing where it is no file or one that nothing guards. */
const judgeName = (
  name: string,
  folder: Folder | undefined,
  use: Use,
  isFolderChange: boolean,
  context: JudgeContext
): ReadonlyArray<Judgement> =>
  pathsOf(name, folder, context).flatMap((path): ReadonlyArray<Judgement> => {
    if (FREE_TARGETS.test(path)) return []
    const read = judgePath({ path, tools: ["Read"], write: false }, context)
    if (read.decision === "deny" || read.rule?.kind === "ask") return [read]
    if (use !== "read") {
      const changed = judgePath({ path, tools: ["Write", "Edit"], write: true }, context)
      if (changed.decision === "deny") return [use === "change" ? changed : { ...changed, decision: "ask" }]
      if (changed.rule?.kind === "ask") return [changed]
      const protectedFile = guardedPath(context.facts.real(path), context.places, true)
      if (protectedFile !== undefined && looksLikePath(name) && changed.decision !== "allow") return [changed]
    }
    if (read.decision === "allow") return []
    const isThere = context.facts.exists(path)
    const real = context.facts.real(path)
    if (guardedPath(real, context.places, false) !== undefined && (isThere || looksLikePath(name))) return [read]
    if (isInside(real, context.places.launchFolder)) return []
    const isLed = isInside(path, context.places.launchFolder)
    return isLed || isThere || isFolderChange || namesPlace(name, path, use, context) ? [read] : []
  })

const looksLikePath = (word: string): boolean => /[/.]/.test(word)

/**
 * A word that only looks like a path (`/foo/d`, `s/a/b/`) names nothing; what is in a folder that exists is a place, as is
 * a name in the root for a program that makes files.
 */
const namesPlace = (word: string, path: string, use: Use, context: JudgeContext): boolean => {
  if (/^(?:~|\.\.)(?:\/|$)/.test(word) || /\/\.\.(?:\/|$)/.test(word)) return true
  const parent = path.slice(0, path.lastIndexOf("/"))
  return parent === "" ? use === "change" : context.facts.exists(parent)
}

/** A search through folders that hold files which may not be read. */
const judgeSearch = (
  name: string,
  argv: ReadonlyArray<string>,
  command: SimpleCommand,
  context: JudgeContext
): Judgement | undefined => {
  const searched = searchedFolders(name, argv)
  if (searched === undefined) return undefined
  const rules = guards(context, ["Read"])
  if (rules.length === 0) return undefined
  const named = command.words.slice(1).filter((word) => !word.isLiteral || isFolderWord(word, command, context))
  const words = named.length === 0 ? [literalWord(".")] : named
  for (const word of words) {
    const paths = word.shape.startsWith(ANYTHING) ? [ANYTHING] : pathsOf(word.shape, command.folder, context)
    const risky = rules.find((rule) =>
      (paths.length === 0 ? [ANYTHING] : paths).some((path) => searchMeets(path, rule, searched, context))
    )
    if (risky === undefined) continue
    return {
      decision: "ask",
      rule: risky.rule,
      reason: text(
        `${name} may show what ${risky.rule.text} guards.`,
        `${name} peut montrer ce que protège ${risky.rule.text}.`
      )
    }
  }
  return undefined
}

const isFolderWord = (word: ShellWord, command: SimpleCommand, context: JudgeContext): boolean =>
  !word.value.startsWith("-") &&
  pathsOf(word.value, command.folder, context).some((path) => context.facts.exists(path) || word.value === ".")

/** Whether what is below `path` may be what the rule speaks of; a rule for one file counts only where the file is. */
export const searchMeets = (
  path: string,
  rule: ParsedRule,
  searched: "all" | "visible",
  context: JudgeContext
): boolean => {
  const pattern = rule.pattern?.trim() ?? "**"
  if (searched === "visible" && /(?:^|\/)\.[^/.]/.test(pattern)) return false
  const isOneFile = !/[*?[{]/.test(pattern) && (isRooted(pattern) || pattern.includes("/"))
  if (isOneFile && !context.facts.exists(absolutePath(pattern, context.places))) return false
  const typed = foldShape(`${path === "/" ? "" : path}/${ANYTHING}`, context.places)
  return shapesOf(rule, context).some((shape) => mayOverlap(typed, shape))
}
