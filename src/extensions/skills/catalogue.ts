/** How skills are told: to the model in the fixed prompt, to a person as a list (MAIA §11.3, seed 003 "Skills"). Pure. */
import { text, type Text } from "../../domain/text.ts"
import { nearest } from "../../config/nearest.ts"
import { MAX_DESCRIPTION, type Skill } from "./skill.ts"

/** One line a skill, in order of names: the same bytes as long as no skill changes. */
export const catalogue = (skills: ReadonlyArray<Skill>): string =>
  [
    "# Skills",
    "",
    "When a request fits a skill below, by its description or keywords, call Skill with its name first and carry out its steps yourself in the same turn.",
    ...skills.map(({ name, description, keywords }) => {
      const words = keywords.length === 0 ? "" : ` [keywords: ${keywords.join(", ")}]`
      return `- ${name}: ${shortened(description)}${words}`
    })
  ].join("\n")

const shortened = (description: string): string =>
  description.length <= MAX_DESCRIPTION ? description : `${description.slice(0, MAX_DESCRIPTION)}…`.toWellFormed()

/** For the model. */
export const unknownSkillForModel = (name: string, skills: ReadonlyArray<Skill>): string => {
  const names = skills.map((skill) => skill.name)
  return `[skill: no skill named ${JSON.stringify(name)} — available: ${names.join(", ") || "none"}]`
}

/** For the user. */
export const unknownSkill = (name: string, skills: ReadonlyArray<Skill>): Text => {
  const names = skills.map((skill) => skill.name)
  if (names.length === 0) {
    return text(
      `There is no skill "${name}", and no other: skills are folders with a SKILL.md in .maia/skills or ~/.maia/skills.`,
      `Il n'y a pas de skill « ${name} », ni aucun autre : un skill est un dossier avec un SKILL.md dans .maia/skills ou ~/.maia/skills.`
    )
  }
  return text(
    `There is no skill "${name}"${meant(name, names, "; did you mean ")} Available: ${names.join(", ")}`,
    `Il n'y a pas de skill « ${name} »${meant(name, names, " ; vouliez-vous dire ")} Disponibles : ${names.join(", ")}`
  )
}

const meant = (name: string, names: ReadonlyArray<string>, before: string): string => {
  const [near] = nearest(name, names, 1)
  return near === undefined ? "." : `${before}${near}?`
}
