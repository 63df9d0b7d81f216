/** Files that the build embeds; see `scripts/build.ts`. */
declare module "maia-asset:ripgrep" {
  /** Path of the program inside the executable; undefined where the platform's package was not installed. */
  const path: string | undefined
  export default path
}
