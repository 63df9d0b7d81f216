/** Language servers that maia knows by name: how they are started and for which files (spec 08 "LSP"). Data only. */

export interface KnownServer {
  /** Program and arguments; the program is looked for on PATH. */
  readonly argv: ReadonlyArray<string>
  /** Language id of the protocol by file name ending. */
  readonly files: Readonly<Record<string, string>>
  readonly initializationOptions?: Readonly<Record<string, unknown>>
}

const C = {
  ".c": "c",
  ".h": "c",
  ".cc": "cpp",
  ".cpp": "cpp",
  ".cxx": "cpp",
  ".hh": "cpp",
  ".hpp": "cpp",
  ".m": "objective-c",
  ".mm": "objective-cpp"
}
const PYTHON = { ".py": "python", ".pyi": "python" }

/** In the order in which they are tried where several fit a file. */
export const KNOWN_SERVERS: Readonly<Record<string, KnownServer>> = {
  typescript: {
    argv: ["typescript-language-server", "--stdio"],
    // Its syntax server answers while the project loads, and knows one file only: an import for its definition.
    initializationOptions: { tsserver: { useSyntaxServer: "never" } },
    files: {
      ".ts": "typescript",
      ".mts": "typescript",
      ".cts": "typescript",
      ".tsx": "typescriptreact",
      ".js": "javascript",
      ".mjs": "javascript",
      ".cjs": "javascript",
      ".jsx": "javascriptreact"
    }
  },
  basedpyright: { argv: ["basedpyright-langserver", "--stdio"], files: PYTHON },
  pyright: { argv: ["pyright-langserver", "--stdio"], files: PYTHON },
  gopls: { argv: ["gopls"], files: { ".go": "go", ".mod": "go.mod" } },
  "rust-analyzer": { argv: ["rust-analyzer"], files: { ".rs": "rust" } },
  clangd: { argv: ["clangd"], files: C }
}
