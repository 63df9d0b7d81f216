/** Ctrl+O: prints the last output whole, at a permission question what is to be allowed. Pure. */
import { append } from "./log.ts"
import type { UiState } from "./state.ts"

/** The newest tool result or thinking, whole; nothing where there is none. */
export const expandLast = (state: UiState): UiState => {
  const last = state.items.findLast(({ type }) => type === "tool" || type === "shell" || type === "thinking")
  if (last === undefined) return state
  switch (last.type) {
    case "tool":
      return append(state, { type: "plain", text: last.tool.result.text })
    case "shell":
      return append(state, { type: "plain", text: last.shown })
    case "thinking":
      return append(state, { type: "thought", text: last.text })
    default:
      return state
  }
}

/** All of what the permission question may have had to cut; nothing at other questions. */
export const expandQuestion = (state: UiState): UiState => {
  const { question } = state
  if (question?.type !== "permission") return state
  return append(state, { type: "proposal", subject: question.question.subject, diff: question.diff })
}
