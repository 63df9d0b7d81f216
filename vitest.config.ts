import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: {
    alias: [
      { find: /^maia$/, replacement: `${import.meta.dirname}/src/index.ts` },
      { find: /^maia\/testing$/, replacement: `${import.meta.dirname}/src/testing/index.ts` }
    ]
  },
  test: { include: ["test/**/*.test.{ts,tsx}", "examples/**/*.test.ts"], testTimeout: 30_000 }
})
