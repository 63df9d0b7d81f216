/** Every task can be solved, and is not solved by doing nothing or by a near miss. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { allTasks } from "../../src/eval/tasks/index.ts"
import { commandsThen, play } from "./support.ts"

interface Solution {
  readonly commands: ReadonlyArray<string>
  readonly answer?: string
  /** What a careless model does; must not pass. */
  readonly nearMiss: ReadonlyArray<string>
  readonly wrongAnswer?: string
}

const solutions: Readonly<Record<string, Solution>> = {
  "rename-function": {
    commands: [
      "sed -i.bak 's/calc_total_tax/KEEP/g; s/calc_total/sum_prices/g; s/KEEP/calc_total_tax/g' lib/math.sh cart.sh invoice.sh docs/usage.md && rm lib/*.bak *.bak docs/*.bak"
    ],
    nearMiss: [
      "sed -i.bak 's/calc_total/sum_prices/g' lib/math.sh cart.sh invoice.sh docs/usage.md && rm lib/*.bak *.bak docs/*.bak"
    ]
  },
  "fix-failing-test": {
    commands: ["sed -i.bak 's/-le/-lt/' strings.sh && rm strings.sh.bak", "sh test.sh"],
    nearMiss: ["echo 'echo all tests passed' > test.sh"]
  },
  "add-field": {
    commands: [
      `cat > contact.sh <<'X'
make_contact() { echo "$1;$2;$3"; }
show_contact() {
  echo "Name: $(echo "$1" | cut -d';' -f1)"
  echo "Age: $(echo "$1" | cut -d';' -f2)"
  echo "City: $(echo "$1" | cut -d';' -f3)"
}
X
printf '. ./contact.sh\\nshow_contact "$(make_contact Ann 30 Oslo)"\\n' > main.sh`
    ],
    nearMiss: [`printf 'echo "Name: Ann"; echo "Age: 30"; echo "City: Oslo"' > main.sh`]
  },
  "crlf-file": {
    commands: [
      "awk '/server/ {s=1} s {sub(/timeout=30/, \"timeout=90\")} {print}' settings.ini > new && mv new settings.ini"
    ],
    nearMiss: ["tr -d '\\r' < settings.ini | sed '7s/30/90/' > new && mv new settings.ini"]
  },
  "tabs-file": {
    commands: [
      `awk '{print} /for _, name/ {print "\\t\\tif name == \\"\\" {"; print "\\t\\t\\tcontinue"; print "\\t\\t}"}' greet.go > new && mv new greet.go`
    ],
    nearMiss: [
      `awk '{print} /for _, name/ {print "        if name == \\"\\" {"; print "            continue"; print "        }"}' greet.go > new && mv new greet.go`
    ]
  },
  "odd-names": {
    commands: [`f="notes d'été/liste n°1.txt"; printf "pain\\nlait d'amande\\nœufs\\n" > "$f"`],
    nearMiss: [`for f in notes*/*.txt; do sed "s/^lait$/lait d'amande/" "$f" > new && mv new "$f"; done`]
  },
  "json-edit": {
    commands: [
      `sed 's/1.4.2/2.0.0/; /colors/d; s/"test": "sh test.sh",/"test": "sh test.sh", "lint": "sh lint.sh",/' package.json > new && mv new package.json`
    ],
    nearMiss: [
      `sed 's/1.4.2/2.0.0/; /colors/d; s/"sh main.sh"/"sh main.sh", "lint": "sh lint.sh",/' package.json > new && mv new package.json`
    ]
  },
  "dead-code": {
    commands: ["awk '/^lower/ {skip=1} !skip {print} skip && /^$/ {skip=0}' lib.sh > new && mv new lib.sh"],
    nearMiss: ["awk '/^trim/ {skip=1} !skip {print} skip && /^$/ {skip=0}' lib.sh > new && mv new lib.sh"]
  },
  "find-value": { commands: ["cat config/staging.yaml"], answer: "6543", nearMiss: [], wrongAnswer: "5432" },
  "several-files": {
    commands: ["cat orders.csv customers.csv regions/south.txt"],
    answer: "Paolo Ricci",
    nearMiss: [],
    wrongAnswer: "Ingrid Halvorsen"
  },
  "not-there": { commands: ["cat settings.toml"], answer: "Not set.", nearMiss: [], wrongAnswer: "hunter2" },
  "long-file": {
    commands: ["sed -i.bak '/ERROR/s/sda7/sdb2/' server.log && rm server.log.bak"],
    nearMiss: ["grep ERROR server.log | sed 's/sda7/sdb2/' > new && mv new server.log"]
  },
  "new-script": {
    commands: ["echo \"cat data/*.txt | wc -l | tr -d ' '\" > total.sh", "sh total.sh"],
    answer: "There are 9 lines.",
    nearMiss: ["echo 'echo 9' > total.sh"],
    wrongAnswer: "There are 9 lines."
  },
  "long-write": {
    commands: ['for n in $(seq 1 120); do echo "item $n: $n squared is $((n * n))"; done > squares.txt'],
    nearMiss: ['for n in $(seq 1 119); do echo "item $n: $n squared is $((n * n))"; done > squares.txt']
  },
  "release-steps": {
    commands: [
      "echo 1.0.0 > version.txt; echo 1.0.0 > RELEASED; for f in main.sh docs/install.md; do sed 's/0.9.3/1.0.0/' $f > new && mv new $f; done",
      "printf '# Changelog\\n\\n## 1.0.0\\n\\n- First stable release.\\n\\n## 0.9.3\\n\\n- Faster start.\\n' > CHANGELOG.md"
    ],
    nearMiss: [
      "for f in version.txt main.sh docs/install.md CHANGELOG.md notes/todo.txt; do sed 's/0.9.3/1.0.0/' $f > new && mv new $f; done; echo 1.0.0 > RELEASED"
    ]
  },
  "follow-errors": {
    commands: [
      "mkdir build && sed 's/debug/release/' templates/config.txt > build/config.txt && sh version.sh > build/version",
      "sh check.sh"
    ],
    nearMiss: ["echo 'echo check passed' > check.sh"]
  },
  "move-file": {
    commands: [
      "mkdir lib && mv util.sh lib/helpers.sh && for f in main.sh tools/run.sh; do sed 's|./util.sh|./lib/helpers.sh|' $f > new && mv new $f; done; sed 's|util.sh|lib/helpers.sh|' README.md > new && mv new README.md"
    ],
    nearMiss: ["mkdir lib && cp util.sh lib/helpers.sh"]
  }
}

describe("tasks of maia eval", () => {
  it("there are at least twelve, with names of their own, and each has a solution here", () => {
    assert.isAtLeast(allTasks.length, 12)
    assert.strictEqual(new Set(allTasks.map(({ name }) => name)).size, allTasks.length)
    assert.sameMembers(
      allTasks.map(({ name }) => name),
      Object.keys(solutions)
    )
  })

  for (const task of allTasks) {
    const { commands = [], answer = "Done.", nearMiss = [], wrongAnswer = "Done." } = solutions[task.name] ?? {}

    it.live(`${task.name}: solved by a solution`, () =>
      Effect.gen(function* () {
        const played = yield* play(task, commandsThen(commands, answer))
        assert.strictEqual(played.fault, undefined, JSON.stringify(played.fault))
        assert.isTrue(played.solved)
        assert.strictEqual(played.calls, commands.length)
        assert.strictEqual(played.errors, 0)
      })
    )

    it.live(`${task.name}: not solved by a claim alone`, () =>
      Effect.gen(function* () {
        const played = yield* play(task, commandsThen([], "All done, I have made the changes and checked them."))
        assert.isFalse(played.solved)
        assert.isDefined(played.fault)
      })
    )

    it.live(`${task.name}: not solved by a near miss`, () =>
      Effect.gen(function* () {
        const played = yield* play(task, commandsThen(nearMiss, wrongAnswer))
        assert.isFalse(played.solved)
        assert.strictEqual(played.errors, 0, "the commands of the near miss must run")
      })
    )
  }
})
