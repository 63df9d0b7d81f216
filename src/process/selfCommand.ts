/**
 * How to start this program once more: the compiled executable itself, else Bun with the program's source. For parts of
 * maia that run in a process of their own.
 */
import { fileURLToPath } from "node:url"

/** Program and first arguments; the words of the command line follow. */
export const selfCommand = (): ReadonlyArray<string> =>
  isCompiled(import.meta.url)
    ? [process.execPath]
    : [process.execPath, fileURLToPath(new URL("../main.ts", import.meta.url))]

/** Compiled modules say they lie in a virtual folder (`/$bunfs/root`, `B:/~BUN/root`). */
export const isCompiled = (moduleUrl: string): boolean => /\/(?:\$bunfs|%7EBUN|~BUN)\//i.test(moduleUrl)
