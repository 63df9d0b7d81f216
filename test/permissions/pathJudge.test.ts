import { assert, describe, it } from "@effect/vitest"
import { displaySubject } from "../../src/permissions/display.ts"
import { file, type World } from "./support.ts"

const everything: World = { rules: { allow: ["Read(**)", "Write(**)", "Edit(**)"] } }

describe("inside and outside", () => {
  it("a prefix without separator, parents and encodings", () => {
    assert.strictEqual(file("Read", "/w/app-evil/x", everything), "ask")
    assert.strictEqual(file("Read", "../app-evil/x", everything), "ask")
    assert.strictEqual(file("Read", "/w/app/../b", everything), "ask")
    assert.strictEqual(file("Read", "/w/app", everything), "allow")
    assert.strictEqual(file("Read", "/w/app/", everything), "allow")
    assert.strictEqual(file("Read", "%2e%2e/x", everything), "allow")
    assert.strictEqual(file("Read", "sub/../x", everything), "allow")
    assert.strictEqual(file("Read", "/anything", { ...everything, launchFolder: "/" }), "allow")
  })
  it("only an absolute rule reaches outside", () => {
    assert.strictEqual(file("Read", "/opt/data/x", { rules: { allow: ["Read(/opt/data/**)"] } }), "allow")
    assert.strictEqual(file("Read", "/opt/data/x", { rules: { allow: ["Read(/opt/data)"] } }), "allow")
    assert.strictEqual(file("Read", "/opt/database", { rules: { allow: ["Read(/opt/data)"] } }), "ask")
    assert.strictEqual(file("Read", "/home/me/notes/a", { rules: { allow: ["Read(~/notes/**)"] } }), "allow")
  })
  it("a bare tool covers the folder only", () => {
    assert.strictEqual(file("Read", "x", { rules: { allow: ["Read"] } }), "allow")
    assert.strictEqual(file("Read", "/etc/passwd", { rules: { allow: ["Read"] } }), "ask")
  })
})

describe("links", () => {
  const links = { "/w/app/out": "/w/outside", "/w/app/lnk": "/w/app/denied.txt" }
  it("what a link leads to decides", () => {
    assert.strictEqual(file("Write", "out/new.txt", { ...everything, links }), "ask")
    assert.strictEqual(
      file("Read", "lnk", { rules: { allow: ["Read(**)"], deny: ["Read(denied.txt)"] }, links }),
      "deny"
    )
    assert.strictEqual(file("Read", "lnk", { rules: { allow: ["Read(**)"], deny: ["Read(lnk)"] }, links }), "deny")
  })
})

describe("patterns", () => {
  it("names, folders, depth", () => {
    const denies = (pattern: string, path: string) =>
      file("Read", path, { rules: { allow: ["Read(**)"], deny: [`Read(${pattern})`] } })
    assert.strictEqual(denies(".env", "sub/.env"), "deny")
    assert.strictEqual(denies("secrets", "secrets/a/b"), "deny")
    assert.strictEqual(denies("secrets/", "secrets/a"), "deny")
    assert.strictEqual(denies("secrets/**", "secrets/a"), "deny")
    assert.strictEqual(denies("*.key.txt", "a/b.key.txt"), "deny")
    assert.strictEqual(denies("secrets", "secretsx"), "allow")
  })
  it("an allow rule for a name is for that file", () => {
    assert.strictEqual(file("Edit", "total.sh", { rules: { allow: ["Edit(total.sh)"] } }), "allow")
    assert.strictEqual(file("Edit", "sub/total.sh", { rules: { allow: ["Edit(total.sh)"] } }), "ask")
    assert.strictEqual(file("Edit", "src/a.ts", { rules: { allow: ["Edit(src/**)"] } }), "allow")
    assert.strictEqual(file("Edit", "a/src/a.ts", { rules: { allow: ["Edit(src/**)"] } }), "ask")
  })
  it("both Unicode forms are one name, and case where the file system ignores it", () => {
    const world: World = { rules: { allow: ["Read(**)"], deny: ["Read(caf\u00e9)"] } }
    assert.strictEqual(file("Read", "cafe\u0301", world), "deny")
    assert.strictEqual(file("Read", "CAF\u00c9", world), "allow")
    assert.strictEqual(file("Read", "CAF\u00c9", { ...world, ignoreCase: true }), "deny")
  })
  it("a denied read may not be searched either", () => {
    const world: World = { rules: { allow: ["Grep(**)", "Read(**)"], deny: ["Read(private/**)"] } }
    assert.strictEqual(file("Grep", "private/x", world), "deny")
    assert.strictEqual(file("Grep", "public", world), "allow")
  })
})

describe("guarded files ask even under a wide rule", () => {
  it("secrets, private folders, and what decides what may run", () => {
    for (const path of [
      ".env",
      ".env.local",
      "deploy/id_rsa",
      "a.pem",
      "/home/me/.ssh/config",
      "/home/me/.maia/settings.json"
    ]) {
      assert.strictEqual(file("Read", path, { rules: { allow: ["Read(**)", "Read(/**)"] } }), "ask", path)
    }
    for (const path of [".maia/settings.json", ".git/hooks/pre-commit", ".git/config", "sub/.git/hooks/x"]) {
      assert.strictEqual(file("Write", path, everything), "ask", path)
    }
    for (const path of [".env.example", ".git/HEAD", "env.ts", "key.ts"]) {
      assert.strictEqual(file("Read", path, everything), "allow", path)
    }
  })
  it("a rule that names the file is the user's word", () => {
    assert.strictEqual(file("Read", ".env", { rules: { allow: ["Read(.env)"] } }), "allow")
    assert.strictEqual(file("Read", "/home/me/.ssh/config", { rules: { allow: ["Read(~/.ssh/config)"] } }), "allow")
  })
  it("outputs that maia kept may be read", () => {
    assert.strictEqual(file("Read", "/home/me/.cache/maia/output/bash-1.log", { rules: {} }), "allow")
    assert.strictEqual(file("Write", "/home/me/.cache/maia/output/bash-1.log", { rules: {} }), "ask")
  })
})

describe("what is shown before a yes", () => {
  it("cannot hide anything", () => {
    assert.strictEqual(displaySubject("a\u001b[2K\rls"), "a\\u{001b}[2K\\u{000d}ls")
    assert.include(displaySubject("ls \u202e x"), "\\u{202e}")
    assert.strictEqual(displaySubject(`ls${" ".repeat(300)}; rm x`), "ls [300 blanks] ; rm x")
    assert.include(displaySubject("ls\n".repeat(200)), "[201 lines]")
    assert.strictEqual(displaySubject("écho «a»\n\tb"), "écho «a»\n\tb")
  })
})

describe("hooks that a project keeps in its files", () => {
  const world: World = { rules: { allow: ["Write(**)", "Edit(**)"] } }
  for (const path of [
    ".husky/pre-commit",
    "pkg/.husky/_/h",
    ".githooks/pre-push",
    "lefthook.yml",
    ".pre-commit-config.yaml"
  ])
    it(`are not changed under a wide rule: ${path}`, () => assert.strictEqual(file("Write", path, world), "ask"))
  for (const path of ["src/husky.ts", "docs/lefthook.md", "hooks/useThing.ts", "pre-commit-config.yaml"])
    it(`other files are: ${path}`, () => assert.strictEqual(file("Write", path, world), "allow"))
})
