/** The value of an import `with { type: "file" }`: the file's path. */
declare module "*.bin" {
  const path: string
  export default path
}
