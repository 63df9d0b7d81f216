/**
 * A tool call there and back (spec 06): a harmless tool of the doctor's own is declared, called, answered, and its result must
 * be used. Where the model would not call it, it is told to by `tool_choice`.
 */
import { Effect } from "effect"
import type { LlmRequest, ToolSpec } from "../domain/llm.ts"
import type { ToolCall } from "../domain/message.ts"
import { text } from "../domain/text.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"
import { DeclaredTools } from "../llm/textCalls/DeclaredTools.ts"
import { TextCallRecogniser } from "../llm/textCalls/TextCallRecogniser.ts"
import { adviceFor, figures, problemText } from "./answerChecks.ts"
import { ask, type Deadline, type Probe } from "./probe.ts"
import { failure, ok, warning, type Finding } from "./report.ts"
import { briefly, requestTo, type Subject } from "./subject.ts"

const TOOL: ToolSpec = {
  name: "maia_check",
  description: "Looks up the code number of a colour. Changes nothing.",
  parameters: {
    type: "object",
    properties: { colour: { type: "string", description: "Name of the colour, for example: red" } },
    required: ["colour"]
  }
}
const QUESTION = "Call the tool maia_check to look up the code number of the colour blue, then tell me that number."
const CODE = "48173"

/** What the exchange brought, each part only where it was reached. */
export interface ToolTrip {
  readonly asked: Probe
  /** The same question with `tool_choice`. */
  readonly forced?: Probe
  /** After the result was sent. */
  readonly final?: Probe
  /** What the server says of the model's chat template, asked where no call came. */
  readonly templateHasTools?: boolean
}

export const toolTrip = (subject: Subject, deadline: Deadline): Effect.Effect<ToolTrip, never, LiteLlm> =>
  Effect.gen(function* () {
    const asked = yield* ask(question(subject, {}), deadline)
    if (asked.problem !== undefined) return { asked }
    const [call] = asked.calls
    if (call !== undefined) return { asked, final: yield* giveResult(subject, asked, call, deadline) }
    const forced = yield* ask(question(subject, { toolChoice: { name: TOOL.name } }), deadline)
    const [later] = forced.calls
    if (forced.problem !== undefined || later === undefined) {
      const templateHasTools = yield* (yield* LiteLlm).templateHasTools
      return { asked, forced, ...(templateHasTools === undefined ? {} : { templateHasTools }) }
    }
    return { asked, forced, final: yield* giveResult(subject, forced, later, deadline) }
  })

const question = (subject: Subject, extra: Partial<LlmRequest>): LlmRequest =>
  requestTo(subject, QUESTION, { ...briefly(subject), tools: [TOOL], ...extra })

const giveResult = (
  subject: Subject,
  { text: said, calls }: Probe,
  call: ToolCall,
  deadline: Deadline
): Effect.Effect<Probe, never, LiteLlm> =>
  ask(
    question(subject, {
      messages: [
        { role: "user", text: QUESTION },
        { role: "assistant", text: said, toolCalls: calls.slice(0, 1) },
        {
          role: "tool",
          toolCallId: call.id,
          toolName: call.name,
          text: `The code number of blue is ${CODE}.`,
          isError: false
        }
      ]
    }),
    deadline
  )

export const judgeTools = (trip: ToolTrip): Finding => {
  const { asked, forced, final } = trip
  const details = {
    asked: figures(asked),
    ...(final === undefined ? {} : { final: figures(final) }),
    forced: forced !== undefined
  }
  if (asked.problem !== undefined) return failure(problemText(asked.problem), { ...adviceFor(asked.problem), details })
  const call = asked.calls[0] ?? forced?.calls[0]
  if (call === undefined) {
    if (trip.templateHasTools === false) return failure(noPlaceForTools, { advice: otherTemplate, details })
    if (isCallInText(asked.text) && trip.templateHasTools === true)
      return warning(notMarked, { advice: otherModel, details })
    if (isCallInText(asked.text)) return warning(writtenAsText, { advice: parseCalls, details })
    const said = forced?.problem
    return said === undefined
      ? failure(neverCalls, { advice: otherModel, details })
      : failure(text(`${neverCalls.en} (${said.text.en})`, `${neverCalls.fr} (${said.text.fr})`), {
          advice: otherModel,
          details
        })
  }
  if (final?.problem !== undefined) {
    const why = problemText(final.problem)
    return failure(
      text(`The result of a call is not taken: ${why.en}`, `Le résultat d'un appel n'est pas accepté : ${why.fr}`),
      {
        advice: fixTemplate,
        details
      }
    )
  }
  const wrong = faultOf(call)
  if (wrong !== undefined) return warning(wrong, { advice: repaired, details })
  if (asked.calls.length === 0) return warning(onlyForced, { advice: otherModel, details })
  if (final !== undefined && !final.text.replaceAll(/[\s.,]/g, "").includes(CODE)) {
    return warning(resultUnused, { advice: otherModel, details })
  }
  const seconds = ((asked.millis + (final?.millis ?? 0)) / 1000).toFixed(1)
  return ok(text(`called, answered and used (${seconds} s)`, `appelé, répondu et utilisé (${seconds} s)`), { details })
}

const faultOf = (call: ToolCall) => {
  if (call.problem !== undefined)
    return text("The arguments of the call are not JSON", "Les arguments de l'appel ne sont pas du JSON")
  if (call.name !== TOOL.name)
    return text(
      `The model called ${call.name}, which does not exist`,
      `Le modèle a appelé ${call.name}, qui n'existe pas`
    )
  return /"colou?r"\s*:\s*"[^"]*blue/i.test(call.arguments)
    ? undefined
    : text("The arguments of the call are not what was asked for", "Les arguments de l'appel ne sont pas ceux demandés")
}

/** The whole answer is a call, in one of the forms that maia reads. */
const isCallInText = (answer: string): boolean => {
  const recogniser = new TextCallRecogniser(new DeclaredTools([TOOL]))
  return recogniser.push(answer) && recogniser.end("end_turn") !== undefined
}

const writtenAsText = text(
  "The model writes its calls as text; the server does not make them calls",
  "Le modèle écrit ses appels dans le texte ; le serveur n'en fait pas des appels"
)
/** llama.cpp parses calls, so it is the model that does not begin them as its template wants. */
const notMarked = text(
  "The model writes its calls as text, without the marks by which the server knows them; maia reads the usual forms itself",
  "Le modèle écrit ses appels dans le texte, sans les marques auxquelles le serveur les reconnaît ; maia lit lui-même les formes usuelles"
)
const noPlaceForTools = text(
  "The model's chat template has no place for tools: the server drops them without a word",
  "Le gabarit de conversation du modèle n'a pas de place pour les outils : le serveur les écarte sans rien dire"
)
const otherTemplate = text(
  "Start llama-server with a template that has them (--chat-template-file), or use a model made for tool calls.",
  "Lancez llama-server avec un gabarit qui en a une (--chat-template-file), ou prenez un modèle fait pour les appels d'outils."
)
const parseCalls = text(
  "Switch on tool calls in the server (llama-server: --jinja; vLLM: --enable-auto-tool-choice --tool-call-parser); until then maia reads the usual forms itself.",
  "Activez les appels d'outils du serveur (llama-server : --jinja ; vLLM : --enable-auto-tool-choice --tool-call-parser) ; d'ici là maia lit lui-même les formes usuelles."
)
const neverCalls = text("The model makes no tool call", "Le modèle ne fait aucun appel d'outil")
const onlyForced = text(
  "The model calls a tool only when it is forced to",
  "Le modèle n'appelle un outil que s'il y est forcé"
)
const resultUnused = text(
  "The model does not use the result of its call",
  "Le modèle n'utilise pas le résultat de son appel"
)
const otherModel = text(
  "Use a model made for tool calls (its card says “tool use” or “function calling”).",
  "Utilisez un modèle fait pour les appels d'outils (sa fiche dit « tool use » ou « function calling »)."
)
const fixTemplate = text(
  "Use the chat template that came with the model (llama-server: --jinja).",
  "Utilisez le modèle de chat fourni avec le modèle (llama-server : --jinja)."
)
const repaired = text(
  "maia tells the model what was wrong, which costs a request each time; a larger or less quantised model errs less.",
  "maia dit au modèle ce qui n'allait pas, ce qui coûte une requête à chaque fois ; un modèle plus grand ou moins quantifié se trompe moins."
)
