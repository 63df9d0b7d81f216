import { assert, describe, it } from "@effect/vitest"
import { findSections } from "../../../src/extensions/agents/sections.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const found = (body: string) => findSections(body).found

describe("the three sections of AGENT.md", () => {
  it("are found at any level, in any case, with or without accents", () => {
    for (const [instructions, missions, output] of [
      ["# Instructions system", "# Missions", "# Output"],
      ["### INSTRUCTIONS SYSTÈME", "# missions", "###### OUTPUT"],
      ["## Instructions systeme:", "## **Missions**", "## Output ##"],
      ["##\tInstructions  Système", "   ## Missions", "# `Output`"]
    ]) {
      assert.deepStrictEqual(found(`intro\n${instructions}\na\n${missions}\nb\n${output}\nc\n`), {
        instructions: "a",
        missions: "b",
        output: "c"
      })
    }
  })

  it("end at a title of the same level or higher, or at another of the three", () => {
    const body = [
      "## Instructions system",
      "a",
      "### Detail",
      "b",
      "## Other",
      "not a part",
      "## Missions",
      "c",
      "#### Output",
      "d",
      "##### Form",
      "e",
      "# Annex",
      "not a part either"
    ].join("\n")
    assert.deepStrictEqual(found(body), {
      instructions: "a\n### Detail\nb",
      missions: "c",
      output: "d\n##### Form\ne"
    })
  })

  it("titles in code blocks are no titles", () => {
    const body = [
      "# Instructions system",
      "```md",
      "# Missions",
      "```",
      "~~~~",
      "# Output",
      "~~~",
      "```",
      "~~~~",
      "    # Output",
      "# Missions",
      "``` not `a` fence",
      "# Output",
      "ok"
    ].join("\n")
    assert.deepStrictEqual(Object.keys(found(body)), ["instructions", "missions", "output"])
    assert.strictEqual(found(body).output, "ok")
    assert.include(found(body).instructions, "    # Output")
  })

  it("a block that never ends hides what follows", () => {
    assert.deepStrictEqual(found("# Missions\n```\n# Output\nx"), { missions: "```\n# Output\nx" })
  })

  it("words that only begin alike, or titles without a space, are no titles", () => {
    assert.deepStrictEqual(found("# Outputs\n# Mission\n#Missions\n# Instructions\nMissions\n"), {})
  })

  it("a section that comes twice: the first counts, the second is told; a deeper title of its own name is content", () => {
    const { found: sections, repeated } = findSections("# Output\na\n## Output\nb\n# Missions\nm\n# Output\nc")
    assert.deepStrictEqual(sections, { output: "a\n## Output\nb", missions: "m" })
    assert.deepStrictEqual(repeated, [{ name: "output", line: 7 }])
  })

  it("reads a long file in time that grows with its length", () => {
    const body = `# Output\n${"#".repeat(50_000)}\n${"# x # ".repeat(50_000)}\n${"`".repeat(50_000)}`
    const start = cpuTime()
    findSections(body)
    assert.isBelow(cpuTime() - start, 1_000)
  })
})
