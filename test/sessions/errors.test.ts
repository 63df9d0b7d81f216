/** Why a session cannot be saved, said in words (spec 04). */
import { assert, describe, it } from "@effect/vitest"
import { PlatformError } from "effect"
import { diskProblem } from "../../src/sessions/errors.ts"

const failed = (code: string) =>
  PlatformError.systemError({
    _tag: "Unknown",
    module: "FileSystem",
    method: "writeAll",
    cause: Object.assign(new Error(`${code}: x`), { code })
  })

describe("diskProblem", () => {
  it("says that the disk is full, read-only or closed instead of the platform's words", () => {
    assert.strictEqual(diskProblem(failed("ENOSPC")).en, "the disk is full")
    assert.strictEqual(diskProblem(failed("EROFS")).fr, "le disque est en lecture seule")
    assert.include(diskProblem(failed("EACCES")).en, "may not be written")
  })

  it("keeps the words for what it does not know", () => {
    const error = failed("EWHAT")
    assert.strictEqual(diskProblem(error).en, error.message)
    assert.strictEqual(diskProblem(new Error("plain")).fr, "plain")
  })
})
