/**
 * Who a process is, beyond its number, which the system uses again: a number with a start time names one process for good.
 * Used by locks. Asks the system directly, because no Effect service knows other processes.
 */
import { readFileSync } from "node:fs"
import { hostname } from "node:os"

export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** Start time as the system writes it, with the boot it belongs to; empty where the system does not say. */
  readonly start: string
}

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

const startTime = (pid: number): string => {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return ""
  // The program's name stands in parentheses and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const boot = (readText("/proc/sys/kernel/random/boot_id") ?? "").slice(0, 8)
  return `${fields[19] ?? ""}@${boot}`
}

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

let own: ProcessIdentity | undefined

export const ownIdentity = (): ProcessIdentity =>
  (own ??= { host: hostname(), pid: process.pid, start: startTime(process.pid) })

/** Whether the process still runs. One on another host is taken to run: there is no way to know. */
export const isRunning = (other: ProcessIdentity): boolean => {
  if (other.host !== ownIdentity().host) return true
  if (!Number.isSafeInteger(other.pid) || other.pid <= 0 || !exists(other.pid)) return false
  const start = startTime(other.pid)
  return other.start === "" || start === "" || start === other.start
}
