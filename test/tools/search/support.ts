/** A small project with ignored, secret and binary files. */
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export const put = (root: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
}

const PROJECT = {
  ".gitignore": "dist/\n*.log\n!keep.log\n",
  "src/a.ts": "export const alpha = 1\nexport const beta = 2\n",
  "src/deep/b.ts": "import { alpha } from '../a'\nALPHA\n",
  "src/deep/.gitignore": "local.txt\n",
  "src/deep/local.txt": "alpha\n",
  ".github/ci.yml": "run: alpha\n",
  ".git/config": "alpha\n",
  ".env": "KEY=alpha\n",
  "dist/out.js": "alpha\n",
  "debug.log": "alpha\n",
  "keep.log": "alpha\n",
  "bin.dat": "al\0pha alpha\n",
  "README.md": "alpha\nbeta\ngamma\nalpha beta\n"
}

export const project = (root: string) => Effect.sync(() => put(root, PROJECT))
