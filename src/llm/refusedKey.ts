/** A refused or missing key (spec 01, "Failure"): whose it is, and what to do about it. Pure. */
import { text, type Text } from "../domain/text.ts"
import type { Facts } from "./classify.ts"
import { isKeyUnknownToProxy, isProvidersRefusal } from "./proxyWords.ts"
import type { ServerSaid } from "./serverSaid.ts"

export const isBadKey = (status: number, said: ServerSaid): boolean =>
  status === 401 ||
  status === 403 ||
  (status === 400 &&
    (isKeyUnknownToProxy(said.all) || /invalid_api_key|api key not valid|incorrect api key/i.test(said.all)))

export const refusedKeyText = (status: number, said: ServerSaid, facts: Facts): Text => {
  const en = said.message === "" ? " nothing more." : `: ${said.message}`
  const fr = said.message === "" ? " seulement cela." : ` : ${said.message}`
  if (isProvidersRefusal(said.all)) {
    return text(
      `The provider behind the proxy refused the proxy's own key for "${facts.model}" (HTTP ${status}), not yours: correct the model's api_key where LiteLLM is configured. It says${en}`,
      `Le fournisseur derrière le proxy a refusé la clé du proxy pour « ${facts.model} » (HTTP ${status}), non la vôtre : corrigez l'api_key du modèle dans la configuration de LiteLLM. Il dit${fr}`
    )
  }
  return facts.hasKey
    ? text(
        `The server refused the API key (HTTP ${status}): check LITELLM_API_KEY or LiteLLM_API_Key in ~/.maia/settings.json. It says${en}`,
        `Le serveur a refusé la clé d'API (HTTP ${status}) : vérifiez LITELLM_API_KEY ou LiteLLM_API_Key dans ~/.maia/settings.json. Il dit${fr}`
      )
    : text(
        `The server wants an API key (HTTP ${status}) and none is set: set LITELLM_API_KEY, or LiteLLM_API_Key in ~/.maia/settings.json.`,
        `Le serveur demande une clé d'API (HTTP ${status}) et aucune n'est définie : définissez LITELLM_API_KEY, ou LiteLLM_API_Key dans ~/.maia/settings.json.`
      )
}

/** LiteLLM without a database fails with a bare 500 where no key comes with a request. */
export const isFailureWithoutKey = (status: number, said: ServerSaid, facts: Facts): boolean =>
  status === 500 && !facts.hasKey && /^internal server error$/i.test(said.message.trim())
