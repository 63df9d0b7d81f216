import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { makeIgnoredFiles } from "../../../src/sessions/checkpoints/ignored.ts"

describe("which files git ignores", () => {
  it.effect("rules of the repository, of folders on the way and of info/exclude; the deepest one decides", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
      const launch = `${root}/app`
      const files: Readonly<Record<string, string>> = {
        ".git/info/exclude": "private.txt\n",
        ".gitignore": "*.log\n/app/dist/\nvendor/\n!keep.log\n.env*\n",
        "app/.gitignore": "!debug.log\nlocal/\n",
        "app/sub/.gitignore": "*.txt\n!/a.txt\n",
        "app/lib/.gitignore": "!vendor/\n"
      }
      for (const [name, content] of Object.entries(files)) {
        yield* fs.makeDirectory(`${root}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true })
        yield* fs.writeFileString(`${root}/${name}`, content)
      }
      const { isIgnored } = yield* makeIgnoredFiles(launch, `${launch}/.maia`)
      // As `git check-ignore` says it of the same tree.
      const expected: Readonly<Record<string, boolean>> = {
        "main.ts": false,
        "x.log": true,
        "keep.log": false,
        "debug.log": false,
        "dist/x.js": true,
        "sub/dist/x.js": false,
        "vendor/x.js": true,
        "vendor/keep.log": true,
        "lib/vendor/x.js": false,
        "lib/vendor/.env": true,
        "local/x": true,
        "sub/local/deep/x": true,
        "sub/b.txt": true,
        "sub/a.txt": false,
        "private.txt": true,
        ".env": true,
        ".env.local": true,
        ".git/config": true,
        ".maia/settings.json": true
      }
      for (const [name, ignored] of Object.entries(expected)) {
        assert.strictEqual(yield* isIgnored(`${launch}/${name}`), ignored, name)
      }
      yield* fs.writeFileString(`${launch}/.gitignore`, "main.ts\nlonger than before\n")
      assert.isTrue(yield* isIgnored(`${launch}/main.ts`))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
