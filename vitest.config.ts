import { defineConfig } from "vitest/config"

/** What Bun does for `with { type: "file" }`: the import's value is the file's path. */
const fileImports = {
  name: "file-imports",
  enforce: "pre" as const,
  load: (id: string) => (id.endsWith(".bin") ? `export default ${JSON.stringify(id)}` : undefined)
}

export default defineConfig({
  plugins: [fileImports],
  test: { include: ["test/**/*.test.ts", "test/**/*.test.tsx", "examples/**/*.test.ts"], testTimeout: 30_000 }
})
