/**
 * Whether an answer is a summary (spec 04, fixed point 2; field case D3). Pure.
 */
import type { WholeAnswer } from "../readAnswer.ts"
import { withoutFileTags } from "./fileOperations.ts"
import { withoutRepeats } from "./repeats.ts"

export type Verdict =
  | { readonly verdict: "good"; readonly text: string }
  /** Cut off by the limit, or running in circles (folded): usable where nothing better is to be had. */
  | { readonly verdict: "cut"; readonly text: string; readonly repeats?: true }
  | { readonly verdict: "bad"; readonly problem: SummaryProblem }

export type SummaryProblem = "empty" | "only-reasoning" | "template" | "tool-call" | "filtered"

/** Reasoning text never counts, whatever the server did with it. */
export const judgeSummary = (answer: WholeAnswer): Verdict => {
  const text = withoutFileTags(answer.text.toWellFormed())
  if (answer.stop === "content_filter") return { verdict: "bad", problem: "filtered" }
  if (text === "") {
    if (answer.calls > 0) return { verdict: "bad", problem: "tool-call" }
    return { verdict: "bad", problem: answer.hasReasoning ? "only-reasoning" : "empty" }
  }
  if (isTemplate(text)) return { verdict: "bad", problem: "template" }
  const folded = withoutRepeats(text)
  if (folded !== undefined) return { verdict: "cut", text: folded, repeats: true }
  return answer.stop === "max_tokens" ? { verdict: "cut", text } : { verdict: "good", text }
}

/** Lines that say nothing: headings, rules, brackets still to be filled, "(none)". */
const NOTHING =
  /^(?:#{1,6}\s.*|\*\*[^*]*\*\*:?|-{3,}|[[(<][^\])>]*[\])>]|none|n\/?a|nothing|unknown|aucune?|néant|rien|\.{3}|…)?\.?$/i

/** A form that was given back without content. */
export const isTemplate = (text: string): boolean =>
  text.split("\n").every((line) => NOTHING.test(line.replace(/^\s*(?:(?:[-*+•]|\d+[.)])(?:\s+|$))?/, "").trim()))
