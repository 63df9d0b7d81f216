/** Judges one plain answer: did it stream, what came before it, is there room for it (spec 06). Pure. */
import type { WindowSize } from "../context/ContextWindow.ts"
import { text, type Text } from "../domain/text.ts"
import type { Probe, Problem } from "./probe.ts"
import { failure, ok, skipped, warning, worst, type Finding } from "./report.ts"
import { settingFor, type Subject } from "./subject.ts"

/** Long enough to come in several pieces, short enough for a slow machine. */
export const QUESTION = "Count from one to twenty in English words, separated by commas. Write nothing else."

/** Tokens below which a model that reasons can be cut before it says anything (seed: 4 096 was too few). */
export const REASONING_OUTPUT = 8_192
/** Tokens below which the arguments of a Write are cut. */
const PLAIN_OUTPUT = 1_024
const GOOD_OUTPUT = 16_384
/** Characters that a stream does not send in one piece. */
const ONE_PIECE = 40
/** Milliseconds without a byte after which people think it hangs. */
const LONG_SILENCE = 30_000
/** Tokens below which maia works, but with little room. */
const SMALL_WINDOW = 8_192

export const judgeAnswer = (subject: Subject, probe: Probe): Finding => {
  const { problem } = probe
  if (problem !== undefined) return failure(problemText(problem), adviceFor(problem))
  const details = figures(probe)
  if (probe.text.trim() === "") {
    return probe.stop === "max_tokens"
      ? failure(onlyReasoning(subject.outputLimit), { advice: raiseLimit(subject), details })
      : failure(text("The answer holds no text", "La réponse ne contient aucun texte"), { advice: seeLog, details })
  }
  const rate = probe.usage?.outputPerSecond ?? tokensPerSecond(probe)
  const speed = rate === undefined ? "" : `, ${rate.toFixed(rate < 10 ? 1 : 0)} tokens/s`
  const first = ((probe.firstMillis ?? probe.millis) / 1000).toFixed(1)
  return worst(
    ok(text(`first token after ${first} s${speed}`, `premier token après ${first} s${speed}`), { details }),
    probe.pieces === 1 && probe.text.length > ONE_PIECE
      ? warning(notStreamed, { advice: unbuffer, details })
      : undefined,
    leaked.test(probe.text) ? warning(templateLeak(probe.text), { advice: fixTemplate, details }) : undefined,
    probe.usage === undefined ? warning(noUsage, { advice: countsItself, details }) : undefined,
    ...probe.warnings
      .filter(({ code }) => code === "parameters_refused" || code === "host_gateway" || code === "retry")
      .map(({ code, message }) =>
        warning(message, { ...(code === "parameters_refused" ? { advice: dropParameters(subject) } : {}), details })
      )
  )
}

export const judgeReasoning = (subject: Subject, probe: Probe): Finding => {
  if (probe.problem !== undefined && probe.thought === 0) return skipped(noAnswer)
  const tokens = probe.usage?.reasoningTokens ?? 0
  const details = { characters: probe.thought, tokens, field: probe.reasoningField ?? null }
  if (probe.warnings.some(({ code }) => code === "unclosed_thinking")) {
    return warning(unclosed, { advice: reasoningParser, details })
  }
  if (probe.reasoningField === "think") {
    return ok(
      text(
        "the model reasons inside its text; maia takes the <think> part out",
        "le modèle raisonne dans son texte ; maia en retire la partie <think>"
      ),
      { details }
    )
  }
  if (probe.thought > 0) {
    const field = probe.reasoningField ?? "reasoning"
    return ok(text(`the model reasons (${field})`, `le modèle raisonne (${field})`), { details })
  }
  if (tokens > 0) {
    const isSilent = (probe.firstMillis ?? 0) > LONG_SILENCE && subject.settings.silentReasoning !== true
    const message = text("the model reasons without showing it", "le modèle raisonne sans le montrer")
    return isSilent ? warning(message, { advice: beSilent(subject), details }) : ok(message, { details })
  }
  return ok(text("none seen", "aucun"), { details })
}

export const hasReasoned = ({ thought, usage }: Probe): boolean => thought > 0 || (usage?.reasoningTokens ?? 0) > 0

export const judgeOutputLimit = (subject: Subject, probe: Probe, window: WindowSize | undefined): Finding => {
  const limit = subject.outputLimit
  const reasons = hasReasoned(probe)
  const details = { limit: limit ?? null, reasons }
  if (limit === undefined) {
    const message = text("none is sent: the server's own holds", "aucune n'est envoyée : celle du serveur s'applique")
    return probe.stop === "max_tokens"
      ? warning(text("The server cuts answers by itself", "Le serveur coupe lui-même les réponses"), {
          advice: raiseLimit(subject),
          details
        })
      : ok(message, { details })
  }
  if (window !== undefined && limit > window.tokens / 2) {
    return warning(
      text(
        `${limit} tokens are kept for the answer out of a context of ${window.tokens}`,
        `${limit} tokens sont réservés à la réponse sur un contexte de ${window.tokens}`
      ),
      { advice: lowerLimit(subject, window.tokens), details }
    )
  }
  if (reasons && limit < REASONING_OUTPUT) {
    return warning(
      text(
        `${limit} tokens are few for a model that reasons: its reasoning counts too`,
        `${limit} tokens, c'est peu pour un modèle qui raisonne : son raisonnement compte aussi`
      ),
      { advice: raiseLimit(subject), details }
    )
  }
  if (limit < PLAIN_OUTPUT) {
    return warning(
      text(`${limit} tokens cut longer edits`, `${limit} tokens coupent les modifications un peu longues`),
      {
        advice: raiseLimit(subject),
        details
      }
    )
  }
  return ok(text(`${limit} tokens`, `${limit} tokens`), { details })
}

export const judgeWindow = (subject: Subject, size: WindowSize | undefined, why: Text | undefined): Finding => {
  const advice = text(
    `Set it in ~/.maia/settings.json: ${settingFor(subject, '"contextWindow": 32768')}.`,
    `Indiquez-la dans ~/.maia/settings.json : ${settingFor(subject, '"contextWindow": 32768')}.`
  )
  if (size === undefined) {
    const because = why === undefined ? text("", "") : text(` (${why.en})`, ` (${why.fr})`)
    return warning(text(`unknown${because.en}`, `inconnue${because.fr}`), { advice })
  }
  const details = { tokens: size.tokens, source: size.source }
  const message = text(`${size.tokens} tokens (${size.origin.en})`, `${size.tokens} tokens (${size.origin.fr})`)
  if (size.source === "model") return warning(message, { advice: modelsGuess(advice), details })
  if (size.tokens < SMALL_WINDOW) return warning(message, { advice: loadLarger, details })
  return ok(message, { details })
}

/** What to do about a request that failed; nothing where the message says it already. */
export const adviceFor = (problem: Problem): { readonly advice?: Text } => {
  switch (problem.code) {
    case "too_slow":
      return { advice: moreTime }
    case "unended":
      return { advice: moreTimeOrLess }
    case "server_error":
    case "stream_broken":
    case "empty_answer":
    case "bad_request":
    case "overloaded":
      return { advice: seeLog }
    case "unknown_model":
      return {
        advice: text('"maia models" shows what the server has.', "« maia models » montre ce que le serveur propose.")
      }
    case "rate_limit":
      return { advice: text("Wait, or use another model.", "Attendez, ou utilisez un autre modèle.") }
    default:
      return {}
  }
}

export const problemText = ({ text: said }: Problem): Text => said

export const figures = (probe: Probe): Readonly<Record<string, unknown>> => ({
  firstTokenMilliseconds: probe.firstMillis === undefined ? null : Math.round(probe.firstMillis),
  milliseconds: Math.round(probe.millis),
  pieces: probe.pieces,
  usage: probe.usage ?? null,
  stop: probe.stop ?? null
})

const tokensPerSecond = ({ usage, firstMillis, millis }: Probe): number | undefined => {
  const seconds = (millis - (firstMillis ?? millis)) / 1000
  const tokens = usage?.completionTokens ?? usage?.outputTokens
  return tokens === undefined || seconds < 0.05 ? undefined : tokens / seconds
}

/** Control words of chat templates that a server should have taken out. */
const leaked = /<\|[a-z_]{2,20}\|>|<\/s>|\[\/?INST\]|<(?:start|end)_of_turn>/

const templateLeak = (answer: string): Text => {
  const [word = ""] = leaked.exec(answer) ?? []
  return text(
    `The answer holds a control word of the template: ${word}`,
    `La réponse contient un mot de contrôle du modèle de chat : ${word}`
  )
}

const onlyReasoning = (limit: number | undefined): Text =>
  limit === undefined
    ? text(
        "The server's output limit was used up before the answer began",
        "La limite de sortie du serveur a été épuisée avant la réponse"
      )
    : text(
        `All ${limit} output tokens were used up before the answer began`,
        `Les ${limit} tokens de sortie ont été épuisés avant la réponse`
      )

const raiseLimit = (subject: Subject): Text => {
  const setting = settingFor(subject, `"maxOutputTokens": ${GOOD_OUTPUT}`)
  return text(`Give the answer more room: ${setting}.`, `Laissez plus de place à la réponse : ${setting}.`)
}

const lowerLimit = (subject: Subject, window: number): Text => {
  const setting = settingFor(subject, `"maxOutputTokens": ${Math.floor(window / 4)}`)
  return text(
    `Keep less: ${setting}, or load the model with a larger context.`,
    `Réservez moins : ${setting}, ou chargez le modèle avec un contexte plus grand.`
  )
}

const dropParameters = (subject: Subject): Text =>
  text(
    `maia leaves them out by itself; to be rid of the extra request, remove them from the settings of ${subject.model}.`,
    `maia les omet de lui-même ; pour éviter la requête de trop, retirez-les des réglages de ${subject.model}.`
  )

const beSilent = (subject: Subject): Text => {
  const setting = settingFor(subject, '"silentReasoning": true')
  return text(
    `So that long silences are waited for: ${setting}.`,
    `Pour que les longs silences soient attendus : ${setting}.`
  )
}

const modelsGuess = (advice: Text): Text =>
  text(`The model's own word is often wrong. ${advice.en}`, `La réponse du modèle est souvent fausse. ${advice.fr}`)

const noAnswer = text("No answer to judge by.", "Aucune réponse à examiner.")
const moreTime = text(
  "Ask again with a longer --timeout: the server may be loading the model.",
  "Recommencez avec un --timeout plus long : le serveur charge peut-être le modèle."
)
const moreTimeOrLess = text(
  "Ask again with a longer --timeout, or limit what the model writes with MaxOutputTokens.",
  "Recommencez avec un --timeout plus long, ou limitez ce que le modèle écrit avec MaxOutputTokens."
)
const seeLog = text(
  "Look at the log of the server (or of the proxy in front of it).",
  "Regardez le journal du serveur (ou du proxy devant lui)."
)
const notStreamed = text("The whole answer came in one piece", "Toute la réponse est arrivée d'un bloc")
const unbuffer = text(
  "Switch off buffering in the proxy or server, so that answers are shown as they are written.",
  "Désactivez la mise en tampon du proxy ou du serveur, pour voir les réponses au fil de l'écriture."
)
const noUsage = text("The server sends no token counts", "Le serveur n'envoie pas le nombre de tokens")
const countsItself = text(
  "maia counts by itself; a server that honours stream_options.include_usage is more exact.",
  "maia compte lui-même ; un serveur qui respecte stream_options.include_usage est plus exact."
)
const fixTemplate = text(
  "Give the server the model's own chat template (llama-server: --jinja).",
  "Donnez au serveur le modèle de chat du modèle (llama-server : --jinja)."
)
const unclosed = text("The model never closes its <think> part", "Le modèle ne referme jamais sa partie <think>")
const reasoningParser = text(
  "Start the server with its reasoning parser (llama-server: --reasoning-format deepseek; vLLM: --reasoning-parser).",
  "Lancez le serveur avec son analyseur de raisonnement (llama-server : --reasoning-format deepseek ; vLLM : --reasoning-parser)."
)
const loadLarger = text(
  "Load the model with a larger context (llama-server: -c 16384; Ollama: num_ctx).",
  "Chargez le modèle avec un contexte plus grand (llama-server : -c 16384 ; Ollama : num_ctx)."
)
