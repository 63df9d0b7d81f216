/** What is said and asked about folder trust, in both languages. Pure; names come from the repository: print them as data. */
import { text, type Text } from "../../domain/text.ts"
import type { TrustReport } from "./FolderTrust.ts"

const SHOWN = 8

/** `settings.json, tools/format (changed)`; long lists are cut and counted. */
const partList = ({ parts, status }: TrustReport): Text => {
  const asked = parts.filter(({ state }) => state !== "known")
  const more = asked.length > SHOWN ? asked.length - SHOWN : 0
  const list = (changed: string, fresh: string): string =>
    asked
      .slice(0, SHOWN)
      .map(({ name, state }) => (status === "changed" ? `${name} (${state === "changed" ? changed : fresh})` : name))
      .join(", ")
  return text(
    list("changed", "new") + (more === 0 ? "" : `, and ${more} more`),
    list("modifié", "nouveau") + (more === 0 ? "" : `, et ${more} de plus`)
  )
}

/** The question of an interactive start; undefined where nothing is to be asked. A `problem` leaves nothing to answer. */
export const trustQuestion = (report: TrustReport): Text | undefined => {
  if (report.problem !== undefined || !isOpen(report)) return undefined
  const parts = partList(report)
  const { folder } = report
  return report.status === "changed"
    ? text(
        `What this folder brings along in .maia has changed since you trusted it: ${parts.en}. It can allow and run things on your behalf. Trust ${folder} as it is now?`,
        `Ce que ce dossier apporte dans .maia a changé depuis votre accord : ${parts.fr}. Cela peut autoriser et exécuter des actions en votre nom. Faire confiance à ${folder} tel qu'il est ?`
      )
    : text(
        `This folder brings along in .maia: ${parts.en}. It can allow and run things on your behalf. Trust ${folder}?`,
        `Ce dossier apporte dans .maia : ${parts.fr}. Cela peut autoriser et exécuter des actions en votre nom. Faire confiance à ${folder} ?`
      )
}

/** What a run without anyone to ask says, once; undefined where nothing is ignored. */
export const trustWarning = (report: TrustReport): Text | undefined => {
  if (!isOpen(report)) return undefined
  if (report.problem !== undefined) {
    return text(
      `This folder is not trusted: its allow rules are ignored and nothing of its .maia runs. ${report.problem.en}`,
      `Ce dossier n'est pas considéré comme fiable : ses règles allow sont ignorées et rien de son .maia n'est exécuté. ${report.problem.fr}`
    )
  }
  const parts = partList(report)
  const since = report.status === "changed" ? text(" any more", " (plus)") : text("", "")
  return text(
    `This folder is not trusted${since.en}: its allow rules are ignored and nothing of its .maia runs (${parts.en}). Start maia there and answer the question, or use --trust for one run.`,
    `Ce dossier n'est pas considéré comme fiable${since.fr} : ses règles allow sont ignorées et rien de son .maia n'est exécuté (${parts.fr}). Lancez-y maia et répondez à la question, ou utilisez --trust pour une exécution.`
  )
}

const isOpen = ({ status }: TrustReport): boolean => status === "untrusted" || status === "changed"
