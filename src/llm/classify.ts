/**
 * From what went wrong to a typed error with one line that says what to do (spec 01, "Failure"). Pure: the facts come in,
 * the error comes out, together with whether trying again can help.
 */
import { text, type Text } from "../domain/text.ts"
import { LlmError, type LlmErrorCode } from "./errors.ts"
import { noTools } from "./noTools.ts"
import { overflowOf } from "./overflow.ts"
import { isBadKey, isFailureWithoutKey, refusedKeyText } from "./refusedKey.ts"
import { serverSaid, type ServerSaid } from "./serverSaid.ts"
import { shownUrl, starterOf } from "./serverUrl.ts"
import { closed } from "./warnings.ts"

/** What the texts are about. */
export interface Facts {
  /** The address the request went to. */
  readonly url: string
  readonly model: string
  readonly hasKey: boolean
}

/** `retry`: `connection` and `status` may be tried again by the schedule, `once` a single time (mid-stream), `never` not. */
export interface Judged {
  readonly error: LlmError
  readonly retry: "connection" | "status" | "once" | "never"
}

interface Extra {
  readonly status?: number
  readonly retryAfter?: number
  readonly limit?: number
  readonly cause?: unknown
}

export const isLlmError = (value: unknown): value is LlmError => value instanceof LlmError

const make = (code: LlmErrorCode, message: Text, extra: Extra = {}): LlmError =>
  new LlmError({ code, text: message, ...extra })

const judged = (error: LlmError, retry: Judged["retry"]): Judged => ({ error, retry })

// --- the server answered with an error ---------------------------------------------------------------------------

export interface HttpFailure {
  readonly status: number
  readonly body: string
  /** Seconds. */
  readonly retryAfter: number | undefined
}

export const judgeResponse = (failure: HttpFailure, facts: Facts): Judged => {
  const { status } = failure
  const said = serverSaid(failure.body)
  const extra: Extra = {
    status,
    cause: said.message === "" ? `HTTP ${status}` : said.message,
    ...(failure.retryAfter === undefined ? {} : { retryAfter: failure.retryAfter })
  }
  if (!said.isHtml) {
    const overflow = overflowOf(status, said.all)
    if (overflow !== undefined) return judged(overflowError(said, overflow.limit, extra), "never")
    const toolless = noTools(said, facts.model)
    if (toolless !== undefined) return judged(make("bad_request", toolless, extra), "never")
    if (isUnknownModel(status, said)) return judged(unknownModel(facts, [], extra), "never")
  }
  if (isBadKey(status, said)) return judged(refusedKey(status, said, facts, extra), "never")
  if (status === 402 || isOutOfQuota(said)) return judged(outOfQuota(said, extra), "never")
  if (status === 429) {
    return isTooLargeForRate(said)
      ? judged(tooLargeForRate(said, extra), "never")
      : judged(rateLimit(said, extra), "status")
  }
  if (status === 408)
    return judged(
      make("timeout", serverSays("The server gave up waiting", "Le serveur a cessé d'attendre", status, said), extra),
      "status"
    )
  if (status === 409)
    return judged(
      make(
        "overloaded",
        serverSays("The server reports a conflict", "Le serveur signale un conflit", status, said),
        extra
      ),
      "status"
    )
  if (status >= 500 && isLacking(said)) return judged(refused(status, said, extra), "never")
  if (isFailureWithoutKey(status, said, facts)) return judged(refusedKey(status, said, facts, extra), "never")
  if (status >= 500)
    return judged(
      make("overloaded", serverSays("The server fails", "Le serveur est en erreur", status, said), extra),
      "status"
    )
  if (said.isHtml || status === 404 || status === 405) return judged(wrongPage(status, said, facts, extra), "never")
  return judged(refused(status, said, extra), "never")
}

/** LiteLLM, OpenAI, Ollama and vLLM word it differently; a bare 404 is a wrong address, not a wrong model. */
const isUnknownModel = (status: number, said: ServerSaid): boolean =>
  (status === 400 || status === 404) &&
  /model_not_found|invalid model name|model .{0,200}(?:does not exist|not found|is not available|not supported)|unknown model|no such model|not a valid model/i.test(
    said.all
  )

const isOutOfQuota = (said: ServerSaid): boolean =>
  /insufficient_quota|exceeded your current quota|budget has been exceeded|ExceededBudget|insufficient (?:balance|credits)/i.test(
    said.all
  )

/** One request above the limit per minute: waiting never helps (field case A34). */
const isTooLargeForRate = (said: ServerSaid): boolean => /request too large/i.test(said.all)

/** llama.cpp says 500 where it means 400: no images without a projector. Asking again is vain. */
const isLacking = (said: ServerSaid): boolean =>
  /does not support (?:images?|vision)|(?:image|audio) input is not supported|mmproj/i.test(said.all)

const quoted = (said: ServerSaid): string => (said.message === "" ? "" : `: ${said.message}`)
const french = (said: ServerSaid): string => (said.message === "" ? "" : ` : ${said.message}`)

const serverSays = (en: string, fr: string, status: number, said: ServerSaid): Text =>
  text(`${en} (HTTP ${status})${quoted(said)}`, `${fr} (HTTP ${status})${french(said)}`)

const overflowError = (said: ServerSaid, limit: number | undefined, extra: Extra): LlmError =>
  make(
    "context_overflow",
    text(
      `The conversation is longer than the model's context window${limit === undefined ? "" : ` (${limit} tokens)`}: use /compact or a model with a larger window. The server says${quoted(said) || " nothing more."}`,
      `La conversation dépasse la fenêtre de contexte du modèle${limit === undefined ? "" : ` (${limit} tokens)`} : utilisez /compact ou un modèle à plus grande fenêtre. Le serveur dit${french(said) || " seulement cela."}`
    ),
    { ...extra, ...(limit === undefined ? {} : { limit }) }
  )

/** The unknown model, with the near names of the server's list once those are known; it may be in the list itself. */
export const unknownModel = (facts: Facts, near: ReadonlyArray<string>, extra: Extra = {}): LlmError =>
  make("unknown_model", unknownModelText(facts.model, near, extra), extra)

const unknownModelText = (model: string, near: ReadonlyArray<string>, extra: Extra): Text => {
  if (near.includes(model)) {
    const said = typeof extra.cause === "string" ? `: ${extra.cause}` : "."
    return text(
      `The server lists the model "${model}", but what serves it does not know it${said}`,
      `Le serveur propose le modèle « ${model} », mais ce qui le sert ne le connaît pas${said.replace(":", " :")}`
    )
  }
  return near.length === 0
    ? text(
        `The server does not know the model "${model}". /model shows those it has.`,
        `Le serveur ne connaît pas le modèle « ${model} ». /model affiche ceux qu'il propose.`
      )
    : text(
        `The server does not know the model "${model}". Near names: ${near.join(", ")}.`,
        `Le serveur ne connaît pas le modèle « ${model} ». Noms proches : ${near.join(", ")}.`
      )
}

const refusedKey = (status: number, said: ServerSaid, facts: Facts, extra: Extra): LlmError =>
  make("refused_key", refusedKeyText(status, said, facts), extra)

const outOfQuota = (said: ServerSaid, extra: Extra): LlmError =>
  make(
    "rate_limit",
    text(
      `The account's credit or budget is used up${quoted(said)}`,
      `Le crédit ou le budget du compte est épuisé${french(said)}`
    ),
    extra
  )

const tooLargeForRate = (said: ServerSaid, extra: Extra): LlmError =>
  make(
    "rate_limit",
    text(
      `This one request is larger than the account's limit per minute, so waiting does not help: use /compact or another model${quoted(said)}`,
      `Cette seule requête dépasse la limite par minute du compte, attendre n'y change rien : utilisez /compact ou un autre modèle${french(said)}`
    ),
    extra
  )

const rateLimit = (said: ServerSaid, extra: Extra): LlmError =>
  make(
    "rate_limit",
    text(`Too many requests (HTTP 429)${quoted(said)}`, `Trop de requêtes (HTTP 429)${french(said)}`),
    extra
  )

const wrongPage = (status: number, said: ServerSaid, facts: Facts, extra: Extra): LlmError =>
  make(
    "not_openai",
    text(
      `${shownUrl(facts.url)} is not an OpenAI-format address (HTTP ${status}${said.isHtml ? ", a web page" : ""}): check LiteLLM_URL and OpenAI_EndPoint${quoted(said)}`,
      `${shownUrl(facts.url)} n'est pas une adresse au format OpenAI (HTTP ${status}${said.isHtml ? ", une page web" : ""}) : vérifiez LiteLLM_URL et OpenAI_EndPoint${french(said)}`
    ),
    extra
  )

const refused = (status: number, said: ServerSaid, extra: Extra): LlmError =>
  make(
    "bad_request",
    serverSays("The server refused the request", "Le serveur a refusé la requête", status, said),
    extra
  )

/** `Retry-After` above the ceiling: says when to come back. */
export const waitTooLong = (error: LlmError, seconds: number, now: number): LlmError => {
  const at = new Date(now + seconds * 1000).toISOString().slice(0, 16).replace("T", " ")
  return make(
    error.code,
    text(
      `${closed(error.text.en)} The server asks to wait ${Math.ceil(seconds)} s: try again after ${at} UTC.`,
      `${closed(error.text.fr)} Le serveur demande d'attendre ${Math.ceil(seconds)} s : réessayez après ${at} UTC.`
    ),
    { retryAfter: seconds, cause: error, ...(error.status === undefined ? {} : { status: error.status }) }
  )
}

// --- an error inside a stream, or a 200 with an error ---------------------------------------------------------------

/** `said` is what the stream held: a chunk with `error`, or text. */
export const judgeStreamError = (body: unknown, facts: Facts): Judged => {
  const said = serverSaid(body)
  const status = said.status ?? 0
  if (status >= 400 && status < 500) {
    const answer = judgeResponse(
      { status, body: typeof body === "string" ? body : JSON.stringify(body), retryAfter: undefined },
      facts
    )
    return answer.retry === "status" ? judged(answer.error, "once") : answer
  }
  const extra: Extra = { cause: said.message, ...(status === 0 ? {} : { status }) }
  const overflow = said.all.trim() === "" ? undefined : overflowOf(status, said.all)
  if (overflow !== undefined) return judged(overflowError(said, overflow.limit, extra), "never")
  const toolless = noTools(said, facts.model)
  if (toolless !== undefined) return judged(make("bad_request", toolless, extra), "never")
  if (isTooLargeForRate(said)) return judged(tooLargeForRate(said, extra), "never")
  if (isOutOfQuota(said)) return judged(outOfQuota(said, extra), "never")
  if (/rate.?limit|throttl|too many (?:tokens|requests)/i.test(said.all)) return judged(rateLimit(said, extra), "once")
  const code = /overload|unavailable|busy|capacity/i.test(said.all) ? "overloaded" : "server_error"
  return judged(
    make(code, text(`LiteLLM server error${quoted(said)}`, `Erreur du serveur LiteLLM${french(said)}`), extra),
    /invalid_request|BadRequestError|authentication/i.test(said.all) ? "never" : "once"
  )
}

// --- no answer at all -----------------------------------------------------------------------------------------------

const words = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const code = "code" in cause ? String(cause.code) : ""
  return `${code} ${cause.message} ${cause.cause === undefined ? "" : words(cause.cause)}`
}

/** True where nothing listens on the address. */
export const isRefused = (cause: unknown): boolean =>
  /ECONNREFUSED|ConnectionRefused|connection refused/i.test(words(cause))

export const judgeTransport = (cause: unknown, facts: Facts): Judged => {
  const said = words(cause)
  const url = shownUrl(facts.url)
  const unreachable = (en: string, fr: string) =>
    make("unreachable", text(`LiteLLM unreachable (${url}): ${en}`, `LiteLLM injoignable (${url}) : ${fr}`), { cause })
  if (isRefused(cause)) {
    const starter = starterOf(facts.url)
    return judged(
      starter === undefined
        ? unreachable(
            "nothing answers there. Start the server, or check LiteLLM_URL.",
            "rien n'y répond. Lancez le serveur, ou vérifiez LiteLLM_URL."
          )
        : unreachable(
            `nothing answers there. Start the server: ${starter}`,
            `rien n'y répond. Lancez le serveur : ${starter}`
          ),
      "connection"
    )
  }
  if (/ENOTFOUND|EAI_AGAIN|getaddrinfo|dns/i.test(said)) {
    return judged(
      unreachable(
        "the name is not known. Check LiteLLM_URL and the network.",
        "ce nom est inconnu. Vérifiez LiteLLM_URL et le réseau."
      ),
      "connection"
    )
  }
  if (/certificate|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY|LEAF_SIGNATURE/i.test(said)) {
    return judged(
      unreachable(
        `its certificate is not trusted (${oneWord(said)}). Name your authority in NODE_EXTRA_CA_CERTS.`,
        `son certificat n'est pas reconnu (${oneWord(said)}). Indiquez votre autorité dans NODE_EXTRA_CA_CERTS.`
      ),
      "never"
    )
  }
  if (/invalid url|ERR_INVALID_URL|unsupported protocol|protocol must be|url is invalid/i.test(said)) {
    return judged(
      make(
        "no_settings",
        text(`LiteLLM_URL is not a web address: ${url}`, `LiteLLM_URL n'est pas une adresse web : ${url}`),
        { cause }
      ),
      "never"
    )
  }
  return judged(
    unreachable(
      "the connection failed. Check the network and the server.",
      "la connexion a échoué. Vérifiez le réseau et le serveur."
    ),
    "connection"
  )
}

const oneWord = (said: string): string => said.trim().split(/\s+/)[0] ?? ""

// --- the rest ---------------------------------------------------------------------------------------------------------

export const noSettings = (): LlmError =>
  make(
    "no_settings",
    text(
      "No server is set: put LiteLLM_URL in ~/.maia/settings.json, or set LITELLM_URL.",
      "Aucun serveur n'est défini : indiquez LiteLLM_URL dans ~/.maia/settings.json, ou définissez LITELLM_URL."
    )
  )

export const brokenStream = (cause?: unknown): LlmError =>
  make(
    "stream_broken",
    text(
      "The server broke off its answer before the end. Ask again; if it happens often, look at the server's log.",
      "Le serveur a interrompu sa réponse avant la fin. Redemandez ; si cela arrive souvent, regardez le journal du serveur."
    ),
    { cause: cause ?? "end of stream without [DONE] or finish_reason" }
  )

export const emptyAnswer = (): LlmError =>
  make(
    "empty_answer",
    text(
      "Empty answer from the server: neither text nor tool call, twice. Its log or its proxy's may say why.",
      "Réponse vide du serveur : ni texte ni appel d'outil, deux fois. Son journal ou celui de son proxy dit peut-être pourquoi."
    )
  )

export const alienBody = (body: string, facts: Facts): LlmError => {
  const said = serverSaid(body)
  return make(
    "not_openai",
    text(
      `${shownUrl(facts.url)} answered with ${said.isHtml ? "a web page" : "something"} that is not in OpenAI's format: check LiteLLM_URL and OpenAI_EndPoint${quoted(said)}`,
      `${shownUrl(facts.url)} a répondu par ${said.isHtml ? "une page web" : "un contenu"} qui n'est pas au format OpenAI : vérifiez LiteLLM_URL et OpenAI_EndPoint${french(said)}`
    )
  )
}

export const windowOverflow = (): LlmError =>
  make(
    "context_overflow",
    text(
      "The conversation fills the model's context window: use /compact or a model with a larger window.",
      "La conversation remplit la fenêtre de contexte du modèle : utilisez /compact ou un modèle à plus grande fenêtre."
    ),
    { cause: "finish_reason model_context_window_exceeded" }
  )

/** Not a byte for `seconds` before the first token: of the request, or since the last the server told of the prompt. */
export const firstTokenTimeout = (seconds: number): LlmError =>
  make(
    "timeout",
    text(
      `The server sent nothing for ${seconds} s: it may still be loading the model or reading a long prompt. Raise firstTokenTimeout if that is normal here.`,
      `Le serveur n'a rien envoyé pendant ${seconds} s : il charge peut-être le modèle ou lit un long prompt. Augmentez firstTokenTimeout si c'est normal ici.`
    )
  )

/** Not a byte for `seconds` in the middle of an answer. */
export const stalled = (seconds: number): LlmError =>
  make(
    "stalled",
    text(
      `The answer stalled: not a byte for ${seconds} s. Raise idleTimeout if the model thinks in silence.`,
      `La réponse s'est figée : pas un octet pendant ${seconds} s. Augmentez idleTimeout si le modèle réfléchit en silence.`
    )
  )
