/** What the terminal on standard output can do, as far as it and the environment tell. */

export interface TerminalFacts {
  readonly isTerminal: boolean
  /** A person can type. */
  readonly isInputTerminal: boolean
  readonly columns: number | undefined
  readonly rows: number | undefined
}

/** As of now: the size changes with the window. */
export const terminalFacts = (): TerminalFacts => ({
  isTerminal: process.stdout.isTTY === true,
  isInputTerminal: process.stdin.isTTY === true,
  columns: process.stdout.columns,
  rows: process.stdout.rows
})
