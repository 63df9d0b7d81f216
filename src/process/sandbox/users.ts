/**
 * Which maias work in one sandboxed folder: what one has made so that it can be protected is another's protection too, and
 * only the last to leave may take it away. One small file for each, named after the folder, in the user's cache.
 */
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { isRunning, ownIdentity, type ProcessIdentity } from "../../config/processIdentity.ts"

export interface SandboxUser {
  /** To be called once, with what this one has made: gives what is to be taken away now, nothing while others work there. */
  readonly leave: (made: ReadonlySet<string>) => ReadonlySet<string>
}

/** Makes this process known as one that works in `folder`. */
export const enterSandbox = (cacheDir: string, folder: string): SandboxUser => {
  const name = crypto.createHash("sha256").update(folder).digest("hex").slice(0, 24)
  const room = path.join(cacheDir, "sandbox", name)
  fs.mkdirSync(room, { recursive: true, mode: 0o700 })
  // More than one of a process: a test, or a program that composes maia twice.
  const own = path.join(room, `${ownIdentity().pid}-${crypto.randomUUID()}.json`)
  fs.writeFileSync(own, JSON.stringify(ownIdentity()), { mode: 0o600 })
  return {
    leave: (made) => {
      fs.rmSync(own, { force: true })
      const left = path.join(room, LEFT)
      const all = new Set([...readPaths(left), ...made])
      const others = fs.readdirSync(room).filter((file) => file !== LEFT)
      if (others.some((file) => isAlive(path.join(room, file)))) {
        if (all.size > 0) fs.writeFileSync(left, [...all].join("\0"), { mode: 0o600 })
        return new Set()
      }
      for (const file of [...others, LEFT]) fs.rmSync(path.join(room, file), { force: true })
      return all
    }
  }
}

/** What those who have left had made, for the last one. */
const LEFT = "left"

const readPaths = (file: string): ReadonlyArray<string> => {
  try {
    return fs.readFileSync(file, "utf8").split("\0")
  } catch {
    return []
  }
}

/** What cannot be read is no sign of life. */
const isAlive = (file: string): boolean => {
  try {
    // Only maia writes here, as the user.
    return isRunning(JSON.parse(fs.readFileSync(file, "utf8")) as ProcessIdentity)
  } catch {
    return false
  }
}
