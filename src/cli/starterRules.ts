/** Allow rules that `maia init --rules` adds: reading, and commands that only look. Data. */
export const STARTER_RULES: ReadonlyArray<string> = [
  "Read(**)",
  "Glob(**)",
  "Grep(**)",
  "Bash(ls *)",
  "Bash(pwd)",
  "Bash(git status *)",
  "Bash(git diff *)",
  "Bash(git log *)",
  "Bash(git show *)"
]
