/** What is said about loops: to the model as an instruction, to people as one line. Pure. */
import { text, type Text } from "../../domain/text.ts"
import type { Loop } from "./LoopDetector.ts"

/** Appended to the result of the call that closed the circle. */
export const loopNotice = (loop: Loop): string => {
  const what =
    loop.period === 1
      ? `you have made this same call ${loop.times} times in a row, and its result is the same each time`
      : `you have made the same ${loop.period} calls (${loop.tools.join(", ")}) ${loop.times} times over, with the same results`
  return `[LOOP_DETECTED: ${what}. Making it again will not change anything. ${advice(loop)} If you cannot go on, say what blocks you and ask the user.]`
}

const advice = ({ tools }: Loop): string => {
  if (tools.includes("Edit")) {
    return 'Read the lines around the place again, copy them exactly into "old", and quote fewer lines.'
  }
  if (tools.every((tool) => tool === "BashOutput")) {
    return "The job prints nothing new: wait with Bash (sleep 20), or do something else meanwhile."
  }
  return "Use what you already know, or try a different approach: another tool, other arguments, a smaller step."
}

const named = ({ tools }: Loop): string => [...new Set(tools)].join(", ")

export const loopWarning = (loop: Loop): Text =>
  text(
    `The model repeats itself: ${named(loop)} ${loop.times} times with the same result. It has been told.`,
    `Le modèle se répète : ${named(loop)} ${loop.times} fois avec le même résultat. Il en a été averti.`
  )

export const loopStopped = (loop: Loop): Text =>
  text(
    `Stopped: the model goes round in circles (${named(loop)}, ${loop.times} times with the same result, although it was told). Say it another way, give it what it lacks, or try another model.`,
    `Arrêt : le modèle tourne en rond (${named(loop)}, ${loop.times} fois avec le même résultat malgré l'avertissement). Reformulez, donnez-lui ce qui lui manque, ou essayez un autre modèle.`
  )
