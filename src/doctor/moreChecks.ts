/** Image input and the reuse of the server's cache: what a model or server may lack without being broken (spec 06). */
import { Effect } from "effect"
import type { Usage } from "../domain/message.ts"
import { text } from "../domain/text.ts"
import type { LiteLlm } from "../llm/LiteLlm.ts"
import { adviceFor, problemText } from "./answerChecks.ts"
import { ask, type Deadline, type Probe, type Problem } from "./probe.ts"
import { ok, skipped, warning, type Finding } from "./report.ts"
import { briefly, requestTo, settingFor, type Subject } from "./subject.ts"

const isLate = ({ code }: Problem): boolean => code === "too_slow" || code === "unended"

// --- images ----------------------------------------------------------------------------------------------------------

/** 64 by 64 pixels, all red: smaller ones are refused by some vision models. */
const RED_SQUARE =
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsItw/dMZxQi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEB" +
  "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywLQTQDx3uY1cQAAAABJRU5ErkJggg=="

export const askImage = (subject: Subject, deadline: Deadline): Effect.Effect<Probe, never, LiteLlm> =>
  ask(
    requestTo(subject, "", {
      ...briefly(subject),
      messages: [
        {
          role: "user",
          text: "Which colour fills this picture? Answer with one word; say “none” if you see no picture.",
          attachments: [{ type: "image", mediaType: "image/png", data: RED_SQUARE, name: "square.png" }]
        }
      ]
    }),
    deadline
  )

export const judgeImages = (subject: Subject, probe: Probe): Finding => {
  const { problem } = probe
  if (problem !== undefined && isLate(problem)) return warning(problemText(problem), adviceFor(problem))
  if (problem === undefined && /\b(?:red|rouge|crimson|scarlet)\b/i.test(probe.text)) {
    return ok(text("understood", "comprises"), { details: { supported: true } })
  }
  const refused = problem !== undefined
  const details = { supported: false, said: problem?.text.en ?? probe.text.slice(0, 200) }
  const expected = subject.settings.images === true
  const found = refused
    ? text("not supported: the server refuses them", "non prises en charge : le serveur les refuse")
    : text("not supported: the model does not see them", "non prises en charge : le modèle ne les voit pas")
  const setting = settingFor(subject, '"images": false')
  const advice = text(`So that none are sent: ${setting}.`, `Pour qu'aucune ne soit envoyée : ${setting}.`)
  return expected ? warning(found, { advice, details }) : ok(found, { advice, details })
}

export const imagesOff: Finding = skipped(
  text("Settings or profile say: none for this model.", "Réglages ou profil : aucune pour ce modèle.")
)

// --- cache -----------------------------------------------------------------------------------------------------------

/** Lines of the common beginning; about 14 tokens each, and providers keep nothing below 1 024 tokens. */
const LINES = 100
const FEW_LINES = 40
/** Part of the prompt that must come from the cache. */
const REUSED = 0.5

const prefix = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `Rule ${n + 1}: item ${n * 37 + 11} belongs on shelf ${(n * 13) % 17}.`).join(
    "\n"
  )

/** Two requests that begin alike. */
export const askTwice = (
  subject: Subject,
  window: number | undefined,
  deadline: Deadline
): Effect.Effect<readonly [first: Probe, second: Probe], never, LiteLlm> => {
  const system = prefix(window !== undefined && window < 4_096 ? FEW_LINES : LINES)
  const one = (question: string) =>
    ask(requestTo(subject, question, { system, thinking: false, maxTokens: 16 }), deadline)
  return Effect.gen(function* () {
    const first = yield* one("On which shelf does item 11 belong?")
    return [first, first.problem === undefined ? yield* one("Which item belongs on shelf 4?") : first] as const
  })
}

export const judgeCache = ([first, second]: readonly [Probe, Probe]): Finding => {
  const problem = first.problem ?? second.problem
  if (problem !== undefined && isLate(problem)) return warning(problemText(problem), adviceFor(problem))
  if (problem !== undefined) return skipped(problemText(problem))
  const { usage } = second
  const details = {
    first: figuresOf(first.usage),
    second: figuresOf(usage),
    seconds: [first.millis / 1000, second.millis / 1000]
  }
  if (usage === undefined || usage.cachedTokens === undefined) {
    return skipped(text("The server does not say.", "Le serveur ne le dit pas."), { details })
  }
  const { cachedTokens, inputTokens } = usage
  const share = `${cachedTokens}/${inputTokens}`
  if (inputTokens > 0 && cachedTokens / inputTokens >= REUSED) {
    return ok(text(`${share} tokens came from the cache`, `${share} tokens viennent du cache`), { details })
  }
  return warning(text(`only ${share} tokens came from the cache`, `seulement ${share} tokens viennent du cache`), {
    advice: keepCache,
    details
  })
}

const figuresOf = (usage: Usage | undefined) =>
  usage === undefined
    ? null
    : {
        inputTokens: usage.inputTokens,
        cachedTokens: usage.cachedTokens ?? null,
        promptPerSecond: usage.promptPerSecond ?? null
      }

const keepCache = text(
  "Let the server keep the prompt (llama-server: one slot, -np 1, or --cache-reuse 256; vLLM: --enable-prefix-caching), else each request is read from the start.",
  "Laissez le serveur garder le prompt (llama-server : un seul slot, -np 1, ou --cache-reuse 256 ; vLLM : --enable-prefix-caching), sinon chaque requête est relue depuis le début."
)
