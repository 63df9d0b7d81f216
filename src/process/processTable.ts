/**
 * What the operating system says about running processes: who is left of a command's session, who has left it.
 * Reads `/proc` where there is one; elsewhere only "is the group still there" can be answered. Synchronous reads of
 * `/proc` (no disk): a round trip through the thread pool costs ten times as much. Sends signals, changes nothing else.
 */
import * as fs from "node:fs"

export interface ProcessEntry {
  readonly pid: number
  readonly group: number
  readonly session: number
}

export interface Leftovers {
  /** Still in the command's session, in whatever process group. */
  readonly inside: ReadonlyArray<ProcessEntry>
  /** Made a session of their own (`setsid`); known by the mark in their environment. */
  readonly outside: ReadonlyArray<ProcessEntry>
}

export interface SessionOfCommand {
  /** Process id of the command's shell, also the id of its session and of its first group. */
  readonly pid: number
  /** `NAME=value` in the environment of every process the command starts. */
  readonly mark: string
}

export const nothingLeft: Leftovers = { inside: [], outside: [] }

/** One line of `/proc/N/stat`; the name may hold anything, so fields are counted from its last parenthesis. */
export const parseStat = (pid: number, stat: string): (ProcessEntry & { readonly state: string }) | undefined => {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 4)
  const [state, , group, session] = fields
  if (state === undefined || group === undefined || session === undefined) return undefined
  return { pid, state, group: Number(group), session: Number(session) }
}

/**
 * Who is left of a command whose shell has ended. `quick` looks only at processes younger than the shell, and at none
 * when no process was made since: most commands cost one small read. It misses children whose ids wrapped around, so it
 * is for commands that ran for moments.
 */
export const leftovers = (command: SessionOfCommand, quick: boolean): Leftovers => {
  const last = lastProcessId()
  if (last === undefined) return groupOnly(command.pid)
  if (quick && last === command.pid) return nothingLeft
  const from = quick && last > command.pid ? command.pid : 0
  const inside: Array<ProcessEntry> = []
  const outside: Array<ProcessEntry> = []
  for (const entry of processesFrom(from)) {
    if (entry.session === command.pid) inside.push(entry)
    else if (entry.pid !== process.pid && hasMark(entry.pid, command.mark)) outside.push(entry)
  }
  return { inside, outside }
}

/** Every process of the sessions, by session id. */
export const membersOf = (pid: number): ReadonlyArray<ProcessEntry> => {
  if (lastProcessId() === undefined) return groupOnly(pid).inside
  const members: Array<ProcessEntry> = []
  for (const entry of processesFrom(0)) if (entry.session === pid) members.push(entry)
  return members
}

/** Signals each process group once. A group that is gone (ESRCH) or not ours (EPERM) is no failure. */
export const signalGroups = (members: ReadonlyArray<ProcessEntry>, signal: "SIGTERM" | "SIGKILL" | "SIGCONT"): void => {
  for (const group of new Set(members.map((member) => member.group))) {
    if (group > 1) quietKill(-group, signal)
  }
}

/** Whether the group has a process, zombies included. */
export const groupExists = (group: number): boolean => {
  try {
    process.kill(-group, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** What a process was started as, cut to `max` characters; empty where it cannot be known. */
export const commandLine = (pid: number, max: number): string => {
  const raw = readProc(`/proc/${pid}/cmdline`) ?? ""
  const line = raw.replaceAll("\0", " ").trim()
  return line.length > max ? `${line.slice(0, max)}…`.toWellFormed() : line
}

const quietKill = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // ESRCH: gone in the meantime. EPERM: it runs as somebody else.
  }
}

const groupOnly = (pid: number): Leftovers =>
  groupExists(pid) ? { inside: [{ pid, group: pid, session: pid }], outside: [] } : nothingLeft

/** The id given out last, or undefined where there is no Linux `/proc`. */
const lastProcessId = (): number | undefined => {
  const load = process.platform === "linux" ? readProc("/proc/loadavg") : undefined
  const last = Number(load?.trim().split(" ")[4])
  return Number.isInteger(last) && last > 0 ? last : undefined
}

/** Living processes with a higher id; a zombie only waits for its parent. */
function* processesFrom(id: number): Generator<ProcessEntry> {
  for (const name of fs.readdirSync("/proc")) {
    const pid = Number(name)
    if (!(pid > id)) continue
    const stat = readProc(`/proc/${name}/stat`)
    const entry = stat === undefined ? undefined : parseStat(pid, stat)
    if (entry !== undefined && entry.state !== "Z" && entry.state !== "X") yield entry
  }
}

const hasMark = (pid: number, mark: string): boolean => {
  const environment = readProc(`/proc/${pid}/environ`)
  return environment !== undefined && `\0${environment}\0`.includes(`\0${mark}\0`)
}

const readProc = (file: string): string | undefined => {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}
