/**
 * Recognises a server that takes no tools for a model (spec 06), in the words of each kind of server, and says what to do: a
 * flag of the server, or another model. Pure; one row a server.
 */
import { text, type Text } from "../domain/text.ts"

interface Row {
  readonly server: string
  readonly says: RegExp
  readonly advice: Text
}

const rows: ReadonlyArray<Row> = [
  {
    server: "llama.cpp",
    says: /--jinja|tools param requires|unsupported param: tools\b/i,
    advice: text(
      "Start llama-server with --jinja (llama-server -m model.gguf --jinja)",
      "Lancez llama-server avec --jinja (llama-server -m model.gguf --jinja)"
    )
  },
  {
    server: "vLLM",
    says: /enable-auto-tool-choice|tool-call-parser/i,
    advice: text(
      "Start vllm serve with --enable-auto-tool-choice and the --tool-call-parser of the model",
      "Lancez vllm serve avec --enable-auto-tool-choice et le --tool-call-parser du modèle"
    )
  },
  {
    server: "OpenRouter",
    says: /no endpoints found that support (?:tool|the provided 'tool)/i,
    advice: text(
      "Choose a model that has tools (openrouter.ai/models?supported_parameters=tools)",
      "Choisissez un modèle qui a les outils (openrouter.ai/models?supported_parameters=tools)"
    )
  },
  {
    server: "Ollama",
    says: /\bdoes(?: not|n't) support tools\b/i,
    advice: text(
      'Choose a model that has tools (with Ollama, "ollama show MODEL" lists them among its capabilities), or start llama-server with --jinja',
      "Choisissez un modèle qui a les outils (avec Ollama, « ollama show MODÈLE » les compte parmi ses capacités), ou lancez llama-server avec --jinja"
    )
  },
  {
    server: "others",
    says: new RegExp(
      [
        String.raw`(?:tool|function)[ -]?(?:calls?|calling|use|usage)\W{0,3}(?:is|are) (?:not|currently not|not yet) (?:supported|enabled|available|allowed)`,
        String.raw`(?:does|do)(?: not|n't) (?:yet )?support (?:\w+ ){0,2}(?:tool|function)[ -]?(?:calls?|calling|use)`,
        String.raw`does(?: not|n't) support parameters?\W{1,6}tools\b`,
        String.raw`(?:unsupported|unrecognized|unknown|unexpected|invalid)\b.{0,40}(?:param|parameter|argument|field|key)s?\b.{0,20}['"\[\x60: ]tools\b`
      ].join("|"),
      "i"
    ),
    advice: text("Choose another model, one that has tools", "Choisissez un autre modèle, qui a les outils")
  }
]

/** The line for people about what the server said, or undefined where it is about something else. */
export const noTools = (said: { readonly all: string; readonly message: string }, model: string): Text | undefined => {
  const advice = rows.find(({ says }) => says.test(said.all))?.advice
  if (advice === undefined) return undefined
  const [en, fr] = said.message === "" ? ["", ""] : [`: ${said.message}`, ` : ${said.message}`]
  return text(
    `The server takes no tool calls for the model "${model}", and maia cannot work without them. ${advice.en}. It says${en || " nothing more."}`,
    `Le serveur n'accepte pas les appels d'outils pour le modèle « ${model} », et maia ne peut pas travailler sans eux. ${advice.fr}. Il dit${fr || " seulement cela."}`
  )
}
