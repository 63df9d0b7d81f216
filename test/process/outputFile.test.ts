import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { removeOldOutputs } from "../../src/process/outputFile.ts"
import { temporaryFolder } from "./support/shell.ts"

describe("outputs of earlier commands", () => {
  it.live("old ones go, then the oldest beyond the size; nothing else in the folder is touched", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const make = (name: string, size: number, seconds: number) => {
        fs.writeFileSync(path.join(folder, name), "x".repeat(size))
        fs.utimesSync(path.join(folder, name), seconds, seconds)
      }
      make("bash-1-a-1.log", 10, 100)
      make("bash-1-a-2.log", 60, 900)
      make("bash-1-a-3.log", 50, 950)
      make("bash-1-a-4.log", 40, 990)
      make("mine.txt", 1000, 1)
      removeOldOutputs(folder, 1_000_000, 500_000, 100)
      assert.deepStrictEqual(fs.readdirSync(folder).sort(), ["bash-1-a-3.log", "bash-1-a-4.log", "mine.txt"])
      removeOldOutputs(path.join(folder, "not-there"), 0, 0, 0)
    })
  )
})
