import { assert, describe, it } from "@effect/vitest"
import { staysInside } from "../../src/eval/EvalApprover.ts"

const folder = "/tmp/maia-eval-x/project"
const roots = new Set(["bin", "dev", "etc", "home", "tmp", "usr", "var"])
const stays = (command: string) => staysInside(command, folder, roots)

describe("commands of a model under evaluation, without a sandbox", () => {
  for (const command of [
    "sh test.sh",
    "rm -r build",
    "sed -i 's/a/b/; /ERROR/s/sda7/sdb2/' server.log",
    'for f in *.txt; do wc -l "$f"; done > out.txt 2>/dev/null',
    `cat ${folder}/a.txt && cd ${folder}/lib && ls`,
    "chmod +x run.sh && ./run.sh",
    "#!/bin/sh\necho hi",
    "/bin/sh test.sh",
    "awk '/^lower/ {skip=1} !skip {print}' lib.sh",
    "echo 1..5",
    "git log a..b",
    "find . -name '*.sh' -exec grep -n foo {} +"
  ]) {
    it(`stay: ${command}`, () => assert.isTrue(stays(command)))
  }

  for (const command of [
    "rm -rf /",
    "rm -rf /*",
    "cat /etc/passwd",
    "cp x /usr/local/bin/",
    "cat ../secret",
    "cd .. && ls",
    "cd; ls",
    "cd - && ls",
    "ls ~",
    "rm -rf $HOME/x",
    "sudo ls",
    "echo hi; kill 1",
    "echo x >/tmp/y",
    "cat </etc/passwd",
    `ls ${folder}/../..`,
    "python3 -c 'open(\"/etc/passwd\")'"
  ]) {
    it(`leave: ${command}`, () => assert.isFalse(stays(command)))
  }
})
