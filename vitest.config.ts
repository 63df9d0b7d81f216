import { defineConfig } from "vitest/config"

/** What Bun does for `with { type: "file" }`: the import's value is the file's path. */
const fileImports = {
  name: "file-imports",
  enforce: "pre" as const,
  load: (id: string) => (id.endsWith(".bin") ? `export default ${JSON.stringify(id)}` : undefined)
}

export default defineConfig({
  plugins: [fileImports],
  resolve: {
    alias: [
      { find: /^maia$/, replacement: `${import.meta.dirname}/src/index.ts` },
      { find: /^maia\/testing$/, replacement: `${import.meta.dirname}/src/testing/index.ts` }
    ]
  },
  test: {
    include: ["test/**/*.test.{ts,tsx}", "examples/**/*.test.ts"],
    // Real servers: npm run test:real.
    exclude: ["**/node_modules/**", "test/real/**"],
    testTimeout: 30_000,
    // Real process trees on a loaded machine: a second try tells a race with the machine from a fault.
    retry: 1
  }
})
