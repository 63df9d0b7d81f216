/**
 * How LiteLLM words the errors of the providers behind it (recorded from 1.106.2): class names before, the router's remarks
 * after, the provider's body quoted in between. Pure.
 */
import { fieldsOf, parseJson, stringOf } from "./wire.ts"

/** What only LiteLLM writes. */
const isProxys = /litellm\.\w|LiteLLM: model group|Received Model Group=|pre-call-checks=|^\w+(?:Exception|Error) - /

/** What the router appends, from its first remark to the end. */
const remarks =
  /\s*(?:\n\n(?:LiteLLM: model group '|Set '\w+_fallbacks?')|\nmodel=\S* [a-z_]*fallbacks?=|\.? ?Received Model Group=|\.? Passed model=\S+ pre-call-checks=| ?LiteLLM Retried: \d)[\s\S]*$/

/** What became of the model that was to stand in. */
const fallback = /Fallback to (\S+) also failed: ([\s\S]+)$/

/** `litellm.RateLimitError: RateLimitError: OpenAIException - `, in any number and order. */
const classNames = /^(?:(?:litellm\.)?[A-Z]\w*(?:Error|Exception)(?: [A-Z]\w*Error)?(?:: | - )\s*)+/

/**
 * The provider and what it said (`OpenAI: Rate limit reached …`), without what LiteLLM put around it. A text that is not
 * LiteLLM's comes back unchanged.
 */
export const plainWords = (message: string): string => {
  if (!isProxys.test(message)) return message
  const text = message.replace(remarks, "")
  const names = classNames.exec(text)?.[0] ?? ""
  const said = quoted(text.slice(names.length)).trim()
  if (said === "") return message
  const provider = /(\w+?)_?(?:chat)?(?:Exception|Error)(?: \w+)? - $/.exec(names)?.[1] ?? ""
  const [, standIn, theirs] = fallback.exec(message) ?? []
  const also = theirs === undefined ? "" : ` Its fallback ${standIn ?? ""} failed too: ${plainWords(theirs)}`
  return `${provider === "" || provider === "API" ? said : `${provider}: ${said}`}${also}`
}

/** The body of the provider's answer, as Python prints bytes (`b'{…}'`) or as JSON. */
const quoted = (text: string): string => {
  const body = /^b'([\s\S]*)'$|^b"([\s\S]*)"$/.exec(text.trim())
  const json = body?.[1] ?? body?.[2] ?? text
  const value = parseJson(json.trim())
  const error = fieldsOf(value)["error"]
  const inner = stringOf(fieldsOf(error)["message"]) || stringOf(error) || stringOf(fieldsOf(value)["message"])
  return inner === "" ? text : inner
}

/** The proxy holds a key that its provider refused: no fault of the user's own key. */
export const isProvidersRefusal = (said: string): boolean =>
  /litellm\.(?:AuthenticationError|PermissionDeniedError)\b/.test(said)

/** A proxy without a database knows one key only, and calls any other one a missing database. */
export const isKeyUnknownToProxy = (said: string): boolean => /no_db_connection|^No connected db/im.test(said)
