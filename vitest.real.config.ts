import { defineConfig } from "vitest/config"

/** `npm run test:real`: servers that are started once for all files, which take them one after the other. */
export default defineConfig({
  test: {
    include: ["test/real/**/*.test.ts"],
    globalSetup: ["test/real/support/setup.ts"],
    fileParallelism: false,
    // A real model on one thread of a busy machine.
    testTimeout: 600_000,
    hookTimeout: 180_000,
    // A very small model on a machine that is shared: a second try tells chance from a fault.
    retry: 1
  }
})
