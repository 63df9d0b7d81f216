/** Time of one permission decision on a shell command, parser loaded: `bun scripts/bench/permissions.ts`. The bar is 1 ms. */
import * as parser from "unbash"
import { judge } from "../../src/permissions/judge.ts"
import { parseRule } from "../../src/permissions/rules.ts"
import { namesIn, pathExists, realOrParent } from "../../src/process/paths.ts"

const COMMANDS = [
  "git status",
  "npm test && git push origin main",
  "find . -name '*.ts' -type f | xargs grep -n foo | head -20",
  "cd src && cat a.ts | sed -n '1,20p' > out.txt 2>/dev/null",
  'for f in $(ls); do echo "$f" | wc -c; done',
  "bash -c 'timeout 5 rm -rf x; echo done'"
]
const RULES = [
  ...Array.from({ length: 40 }, (_, n) => ({ text: `Bash(tool${n} *)`, kind: "allow" as const })),
  { text: "Bash(git *)", kind: "allow" as const },
  { text: "Bash(rm *)", kind: "deny" as const },
  { text: "Read(secrets/**)", kind: "deny" as const }
]

const launchFolder = process.cwd()
const context = {
  rules: RULES.flatMap((rule) => parseRule({ ...rule, scope: "user" as const, file: "bench", line: 1 }) ?? []),
  parser,
  places: { launchFolder, home: "/root", outputDir: "/tmp/none", ignoreCase: false },
  facts: { real: realOrParent, exists: pathExists, names: namesIn }
}
const decide = (command: string) => judge({ tool: "Bash", input: { command }, fallback: "ask" }, context)

for (const command of COMMANDS) for (let n = 0; n < 200; n++) decide(command)
const times: Array<number> = []
for (let n = 0; n < 500; n++) {
  for (const command of COMMANDS) {
    const started = performance.now()
    decide(command)
    times.push(performance.now() - started)
  }
}
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
console.log(
  `one decision: median ${at(0.5).toFixed(3)} ms, 99 % ${at(0.99).toFixed(3)} ms (bar 1 ms, ${times.length} decisions)`
)
