import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { include: ["test/**/*.test.ts", "test/**/*.test.tsx", "examples/**/*.test.ts"], testTimeout: 30_000 }
})
