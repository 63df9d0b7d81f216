/**
 * Tells the uses of well-known programs that a wide `allow` rule (`git *`, `find *`) must not cover: they can run other
 * programs, write or delete files nobody named, or destroy work (spec 03). The knowledge is the table in `dangerous/`;
 * this file only looks words up in it. Pure; touches nothing; linear in the length of the words.
 */
import type { Text } from "../../domain/text.ts"
import { archives } from "./dangerous/archives.ts"
import { build } from "./dangerous/build.ts"
import { containers } from "./dangerous/containers.ts"
import { forges } from "./dangerous/forges.ts"
import { git } from "./dangerous/git.ts"
import { interpreters } from "./dangerous/interpreters.ts"
import { network } from "./dangerous/network.ts"
import { readUse, readySyntax, type ReadySyntax } from "./dangerous/read.ts"
import { search } from "./dangerous/search.ts"
import { system } from "./dangerous/system.ts"
import {
  always,
  list,
  type Program,
  type ReadOption,
  type Row,
  unknownBefore,
  unknownSub,
  type Use
} from "./dangerous/table.ts"
import { text } from "./dangerous/text.ts"

/** A dangerous use: the program's name without its folder, the option or word that makes it so, and the reason. */
export interface DangerousUse {
  readonly program: string
  readonly flag: string
  readonly why: Text
}

/** A dangerous use and the row of the table that tells it; no row when an unknown option or subcommand does. */
export interface DangerousMatch extends DangerousUse {
  readonly row: Row | undefined
}

/** The rows that speak of one subcommand (or of a program without any), ready for look-ups. */
interface Ready {
  readonly syntax: ReadySyntax
  readonly byFlag: ReadonlyMap<string, ReadonlyArray<Row>>
  readonly longs: ReadonlyArray<string>
  readonly conditions: ReadonlyArray<Row>
}

interface ReadyProgram {
  readonly program: Program
  readonly before: ReadonlySet<string> | undefined
  readonly known: ReadonlySet<string> | undefined
  readonly main: Ready
  /** Every subcommand the table names. */
  readonly named: ReadonlySet<string>
  readonly subs: Map<string, Ready>
}

const ready = (syntax: ReadySyntax, rows: ReadonlyArray<Row>): Ready => {
  const byFlag = new Map<string, Array<Row>>()
  for (const row of rows) {
    for (const flag of list(row.flags)) byFlag.set(flag, [...(byFlag.get(flag) ?? []), row])
  }
  return {
    syntax,
    byFlag,
    longs: [...byFlag.keys()].filter((flag) => flag.startsWith("--")),
    conditions: rows.filter((row) => row.when !== undefined)
  }
}

// Built at the first question, program by program: starting maia pays nothing for the table.
let programs: ReadonlyArray<Program> | undefined
let names: ReadonlyMap<string, Program> | undefined
const readyPrograms = new Map<Program, ReadyProgram>()

/** Every program of the table; always the same objects. */
export const dangerousPrograms = (): ReadonlyArray<Program> =>
  (programs ??= [git, search, text, archives, network, build, interpreters, containers, forges, system].flatMap(
    (family) => family()
  ))

const byName = (): ReadonlyMap<string, Program> =>
  (names ??= new Map(
    dangerousPrograms().flatMap((program) => list(program.names).map((name) => [name, program] as const))
  ))

/** `/usr/bin/Python3.12.exe` is `python`: the folder, letter case, `.exe` and a version do not change what runs. */
const findProgram = (command: string): { readonly name: string; readonly program: Program } | undefined => {
  const base = command.slice(Math.max(command.lastIndexOf("/"), command.lastIndexOf("\\")) + 1)
  const name = base.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, "")
  const exact = byName().get(name)
  if (exact !== undefined) return { name, program: exact }
  const bare = name.replace(/(?<![\d.-])-?\d[\d.]*$/, "")
  const versioned = byName().get(bare)
  return versioned === undefined ? undefined : { name, program: versioned }
}

const readyProgram = (program: Program): ReadyProgram => {
  const existing = readyPrograms.get(program)
  if (existing !== undefined) return existing
  const built: ReadyProgram = {
    program,
    before: program.before === undefined ? undefined : new Set(list(program.before)),
    known: program.known === undefined ? undefined : new Set(list(program.known)),
    main: ready(
      readySyntax(program.syntax),
      program.rows.filter((row) => row.sub === undefined)
    ),
    named: new Set([...Object.keys(program.subs ?? {}), ...program.rows.map((row) => row.sub)].flatMap(list)),
    subs: new Map()
  }
  readyPrograms.set(program, built)
  return built
}

const readySub = (owner: ReadyProgram, sub: string): Ready => {
  // Subcommands nobody knows share one entry: the map does not grow with what models type.
  const key = owner.named.has(sub) ? sub : "*"
  const existing = owner.subs.get(key)
  if (existing !== undefined) return existing
  const syntaxes = Object.entries(owner.program.subs ?? {})
  const syntax = syntaxes.find(([names]) => list(names).includes(key)) ?? syntaxes.find(([names]) => names === "*")
  const rows = owner.program.rows.filter((row) => row.sub === "*" || list(row.sub).includes(key))
  const built = ready(readySyntax(syntax?.[1]), rows)
  owner.subs.set(key, built)
  return built
}

/** The dangerous flags that an option, as typed, may mean. */
const meanings = (option: ReadOption, table: Ready): ReadonlyArray<string> => {
  if (table.byFlag.has(option.name)) return [option.name]
  const { syntax } = table
  if (syntax.style !== "gnu" || !option.name.startsWith("--")) return []
  if (syntax.plain.has(option.name) || syntax.takes.has(option.name)) return []
  // An abbreviation that could mean several options is counted as the dangerous one.
  return table.longs.filter((flag) => flag.startsWith(option.name))
}

interface Found {
  readonly flag: string
  readonly row: Row
}

/** The option of a use that is one option and nothing else. */
const loneOption = (use: Use): string | undefined => {
  const only = use.options.length === 1 && use.words.length === 0 ? use.options[0] : undefined
  return only !== undefined && only.value === undefined ? only.name : undefined
}

const asksHelp = (use: Use): boolean => {
  const lone = loneOption(use)
  return lone === "--help" || lone === "--version" || lone === "-help"
}

const judge = (use: Use, table: Ready): Found | undefined => {
  const lone = loneOption(use)
  const spared = (row: Row): boolean => lone !== undefined && list(row.alone).includes(lone)
  for (const option of use.options) {
    for (const flag of meanings(option, table)) {
      for (const row of table.byFlag.get(flag) ?? []) {
        if (spared(row)) continue
        const next = table.syntax.attached.has(flag) ? undefined : option.next
        if (row.value === undefined || row.value(option.value ?? next ?? "")) return { flag: option.name, row }
      }
    }
  }
  for (const row of table.conditions) {
    if (spared(row)) continue
    const flag = row.when?.(use)
    if (flag !== undefined) return { flag, row }
  }
  return undefined
}

/** Some of its uses are in the table. */
export const hasDangerousUses = (command: string): boolean => findProgram(command) !== undefined

/** Like `dangerousUse`, with the row that fired: what the tests of the table look at. */
export const dangerousMatch = (argv: ReadonlyArray<string>): DangerousMatch | undefined => {
  const command = argv[0]
  const found = command === undefined ? undefined : findProgram(command)
  if (found === undefined) return undefined
  const { name } = found
  const owner = readyProgram(found.program)
  const match = (hit: Found | undefined): DangerousMatch | undefined =>
    hit === undefined
      ? undefined
      : { program: name, flag: hit.flag === "" ? name : hit.flag, why: hit.row.why, row: hit.row }

  if (owner.program.subs === undefined) {
    const use = readUse(argv, 1, owner.main.syntax, false)
    return asksHelp(use) ? undefined : match(judge(use, owner.main))
  }

  const start = readUse(argv, 1, owner.main.syntax, true)
  const sub = argv[start.end]
  if (sub === undefined && asksHelp(start)) return undefined
  const early = judge(start, owner.main)
  if (early !== undefined) return match(early)
  const { before } = owner
  const stranger = before && start.options.find((option) => !before.has(option.name))
  if (stranger !== undefined) return { program: name, flag: stranger.name, why: unknownBefore, row: undefined }
  if (sub === undefined) {
    const { bare } = owner.program
    return bare === undefined || start.has("-v -V -h --version --help")
      ? undefined
      : { program: name, flag: name, why: bare, row: undefined }
  }
  const table = readySub(owner, sub)
  const use = readUse(argv, start.end + 1, table.syntax, false)
  if (asksHelp(use)) return undefined
  const hit = judge(use, table)
  if (hit !== undefined) return match(hit.row.when === always || hit.flag === "" ? { flag: sub, row: hit.row } : hit)
  return owner.known === undefined || owner.known.has(sub)
    ? undefined
    : { program: name, flag: sub, why: unknownSub, row: undefined }
}

/**
 * The dangerous use in a simple command, or undefined: no known one, or a program the table does not know.
 *
 * `argv` are literal words, quotes removed; `argv[0]` may be a path. `flag` is the option, subcommand or word that
 * makes the use dangerous, as typed (an abbreviation stays one). Spec 03, field cases C5 and C7.
 */
export const dangerousUse = (argv: ReadonlyArray<string>): DangerousUse | undefined => {
  const found = dangerousMatch(argv)
  return found === undefined ? undefined : { program: found.program, flag: found.flag, why: found.why }
}
