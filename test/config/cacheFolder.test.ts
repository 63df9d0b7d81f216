/** A home that cannot be written: commands keep their output in a folder of our own among the temporary ones. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { cacheFolder } from "../../src/config/cacheFolder.ts"

const root = fs.mkdtempSync(path.join(os.tmpdir(), "maia-cache-"))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const folder = (name: string): string => {
  const made = path.join(root, name)
  fs.mkdirSync(made)
  return made
}
/** Nothing can be made below it, not even by root. */
const unwritable = path.join(root, "file")
fs.writeFileSync(unwritable, "")
const wanted = path.join(unwritable, ".cache", "maia")

describe("the cache folder", () => {
  it("is the user's where that can be made, and nothing is made yet", () => {
    const mine = path.join(root, "home", ".cache", "maia")
    const temporary = folder("temporary-1")
    assert.strictEqual(cacheFolder(mine, temporary), mine)
    assert.deepStrictEqual(fs.readdirSync(temporary), [])
  })

  it("is a folder for us alone in the temporary one where home cannot be written", () => {
    const found = cacheFolder(wanted, folder("temporary-2"))
    assert.strictEqual(path.dirname(found), path.join(root, "temporary-2"))
    assert.strictEqual(fs.statSync(found).mode & 0o077, 0)
    assert.strictEqual(cacheFolder(wanted, path.join(root, "temporary-2")), found)
  })

  it("is never one that somebody else may have put there", () => {
    const temporary = folder("temporary-3")
    const found = cacheFolder(wanted, temporary)
    fs.rmSync(found, { recursive: true })
    fs.symlinkSync(root, found)
    assert.strictEqual(cacheFolder(wanted, temporary), wanted)
    fs.rmSync(found)
    fs.mkdirSync(found)
    fs.chmodSync(found, 0o777)
    assert.strictEqual(cacheFolder(wanted, temporary), wanted)
  })
})
