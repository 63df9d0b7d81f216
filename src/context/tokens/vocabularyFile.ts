/**
 * Where the packed vocabulary is: inside the executable when compiled, in this folder otherwise. Bun resolves the import to a
 * path; the tests' bundler is told to do the same (`vitest.config.ts`).
 */

/** Path of `o200k_base.bin`, which `scripts/packVocabulary.ts` makes. */
export const vocabularyFile = async (): Promise<string> => {
  const asset = await import("./o200k_base.bin", { with: { type: "file" } })
  return asset.default
}
