/** Tasks that write something new, run it, or take several steps. Data only. */
import { text } from "../../domain/text.ts"
import { answers, changedOnly, equals, holds, holdsNot, prints, withFile, type EvalTask } from "../task.ts"

const newScript: EvalTask = {
  name: "new-script",
  about: text("Write a script, run it, report its result", "Écrire un script, l'exécuter, dire son résultat"),
  files: {
    "data/a.txt": "one\ntwo\nthree\n",
    "data/b.txt": "one\n",
    "data/c.txt": "one\ntwo\nthree\nfour\nfive\n"
  },
  prompt:
    'Write a shell script total.sh that prints the total number of lines of all .txt files in the folder data, as a bare number. Run it with "sh total.sh" and tell me the number.',
  checks: [
    prints("sh total.sh", "9"),
    answers(/\b9\b|\bnine\b/i),
    withFile("data/d.txt", "x\ny\n", prints("sh total.sh", "11"))
  ]
}

const ITEMS = 120
const itemLine = (n: number): string => `item ${n}: ${n} squared is ${n * n}`
const itemFile = `${Array.from({ length: ITEMS }, (_, n) => itemLine(n + 1)).join("\n")}\n`

const longWrite: EvalTask = {
  name: "long-write",
  about: text("Produce a long file with exact content", "Produire un long fichier au contenu exact"),
  files: { "README.md": "The list goes into squares.txt.\n" },
  prompt: `Create the file squares.txt with ${ITEMS} lines, for n from 1 to ${ITEMS}: "item N: N squared is M", for example the third line is "${itemLine(3)}". A script may produce it; leave only squares.txt behind.`,
  checks: [equals("squares.txt", itemFile), changedOnly("squares.txt")]
}

const release: EvalTask = {
  name: "release-steps",
  about: text("Several steps, kept in a task list", "Plusieurs étapes, tenues dans une liste"),
  files: {
    "version.txt": "0.9.3\n",
    "main.sh": 'VERSION=0.9.3\necho "app $VERSION"\n',
    "CHANGELOG.md": "# Changelog\n\n## 0.9.3\n\n- Faster start.\n",
    "docs/install.md": "Download app-0.9.3.tar.gz and unpack it.\n",
    "notes/todo.txt": "- release 0.9.3 (done)\n"
  },
  prompt: `Prepare the release 1.0.0. Keep a task list and work through it:
1. version.txt and the VERSION in main.sh say 1.0.0.
2. docs/install.md names app-1.0.0.tar.gz.
3. CHANGELOG.md gets a section "## 1.0.0" above the section of 0.9.3, with the one entry "- First stable release."
4. A new file RELEASED contains the single line 1.0.0.
Files in notes stay as they are. Run "sh main.sh" at the end to check.`,
  checks: [
    equals("version.txt", "1.0.0\n"),
    prints("sh main.sh", "app 1.0.0"),
    equals("docs/install.md", "Download app-1.0.0.tar.gz and unpack it.\n"),
    holds("CHANGELOG.md", /^## 1\.0\.0\n+- First stable release\.\n+## 0\.9\.3\n+- Faster start\.\n*$/m),
    holds("RELEASED", /^1\.0\.0\n?$/),
    changedOnly("version.txt", "main.sh", "docs/install.md", "CHANGELOG.md", "RELEASED")
  ]
}

const followErrors: EvalTask = {
  name: "follow-errors",
  about: text(
    "Put right what a failing command asks for, step by step",
    "Corriger ce que demande une commande en échec, pas à pas"
  ),
  files: {
    "check.sh": `[ -f build/config.txt ] || { echo "error: build/config.txt is missing; copy it from templates/config.txt"; exit 1; }
grep -q '^mode=release$' build/config.txt || { echo "error: build/config.txt must say mode=release"; exit 2; }
[ -s build/version ] || { echo "error: build/version is empty; it must hold what version.sh prints"; exit 3; }
[ "$(cat build/version)" = "$(sh version.sh)" ] || { echo "error: build/version is not what version.sh prints"; exit 4; }
echo "check passed"
`,
    "templates/config.txt": "mode=debug\nlevel=3\n",
    "version.sh": "echo 7.2.$((3 * 5))\n"
  },
  prompt:
    'Run "sh check.sh" and put right what it complains about, until it says "check passed". Change only files in the folder build.',
  checks: [
    changedOnly("build/config.txt", "build/version"),
    prints("sh check.sh", "check passed"),
    equals("build/config.txt", "mode=release\nlevel=3\n")
  ]
}

const moveFile: EvalTask = {
  name: "move-file",
  about: text("Rename a file and all that refers to it", "Renommer un fichier et tout ce qui y renvoie"),
  files: {
    "util.sh": 'hello() { echo "hello $1"; }\n',
    "main.sh": ". ./util.sh\nhello world\n",
    "tools/run.sh": 'cd "$(dirname "$0")/.." && . ./util.sh && hello tools\n',
    "README.md": "Helpers are in util.sh.\n"
  },
  prompt:
    "Rename util.sh to lib/helpers.sh and correct every reference to it, so that main.sh and tools/run.sh still work.",
  checks: [
    holds("lib/helpers.sh", /hello\(\)/),
    prints("sh main.sh && sh tools/run.sh && [ ! -e util.sh ] && echo gone", "hello world\nhello tools\ngone"),
    holdsNot("README.md", /util\.sh/),
    changedOnly("util.sh", "lib/helpers.sh", "main.sh", "tools/run.sh", "README.md")
  ]
}

export const makeTasks: ReadonlyArray<EvalTask> = [newScript, longWrite, release, followErrors, moveFile]
