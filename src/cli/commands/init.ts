/**
 * `maia init`: writes `~/.maia/settings.json`, asking in a terminal for what the flags do not say, and tests the
 * connection. Without a terminal the flags say it all.
 */
import { Effect, Redacted, Stdio, Stream } from "effect"
import { Prompt } from "effect/cli"
import { text, type Text } from "../../domain/text.ts"
import { Output } from "../../process/stdout.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { Launch } from "../Launch.ts"
import { isHttpUrl, serverModels, writeAnswers, type Answers } from "../setUp.ts"

export interface InitFlags {
  readonly url: string | undefined
  readonly key: string | undefined
  readonly keyStdin: boolean
  readonly model: string | undefined
  readonly rules: boolean
  readonly noCheck: boolean
}

export const init = (flags: InitFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const stdio = yield* Stdio.Stdio
      const terminal = (yield* stdio.stdinIsTerminal) && (yield* stdio.stdoutIsTerminal)
      const answers = terminal && flags.url === undefined ? yield* askAll(flags) : yield* fromFlags(flags)
      if (answers === undefined) {
        yield* reportErrors([URL_MISSING])
        return EXIT.usage
      }
      if (!isHttpUrl(answers.url)) {
        yield* reportErrors([badUrl(answers.url)])
        return EXIT.usage
      }
      const file = yield* writeAnswers(answers)
      const output = yield* Output
      yield* output.out(`${file}\n`)
      return flags.noCheck ? EXIT.done : yield* check(answers)
    })
  )

const URL_MISSING = text(
  "Without a terminal, name the server: maia init --url http://localhost:4000 [--key-stdin] [--model NAME] [--rules]",
  "Sans terminal, indiquez le serveur : maia init --url http://localhost:4000 [--key-stdin] [--model NOM] [--rules]"
)

const badUrl = (url: string): Text =>
  text(
    `${JSON.stringify(url)} is no URL that starts with http:// or https://. Example: --url http://localhost:4000`,
    `${JSON.stringify(url)} n'est pas une URL qui commence par http:// ou https://. Exemple : --url http://localhost:4000`
  )

const fromFlags = Effect.fnUntraced(function* (flags: InitFlags) {
  if (flags.url === undefined) return undefined
  const key = flags.keyStdin ? (yield* readStdin).trim() : flags.key
  const answers: Answers = { url: flags.url, key: key === "" ? undefined : key, model: flags.model, rules: flags.rules }
  return answers
})

const readStdin = Effect.flatMap(Stdio.Stdio, (stdio) => Stream.mkString(Stream.decodeText(stdio.stdin))).pipe(
  Effect.orDie
)

const askAll = Effect.fnUntraced(function* (flags: InitFlags) {
  const { language } = yield* Launch
  const say = (en: string, fr: string) => (language === "fr" ? fr : en)
  const url = yield* Prompt.String({ message: say("Server URL", "URL du serveur"), default: "http://localhost:4000" })
  const key = yield* Prompt.Password({ message: say("API key (empty for none)", "Clé d'API (vide s'il n'y en a pas)") })
  const model =
    flags.model ??
    (yield* Prompt.String({ message: say("Default model (may be empty)", "Modèle par défaut (peut rester vide)") }))
  const rules = yield* Prompt.Confirm({
    message: say("Add a starter set of permission rules?", "Ajouter des règles de permission de départ ?"),
    initial: true
  })
  const secret = Redacted.value(key)
  const answers: Answers = {
    url: url.trim(),
    key: secret === "" ? undefined : secret,
    model: model.trim() === "" ? undefined : model.trim(),
    rules
  }
  return answers
}, Effect.orDie)

const check = Effect.fnUntraced(function* (answers: Answers) {
  const { language } = yield* Launch
  const output = yield* Output
  const found = yield* serverModels()
  yield* output.out(
    language === "fr"
      ? `${answers.url} répond : ${found.length} modèle(s).\n`
      : `${answers.url} answers: ${found.length} model(s).\n`
  )
  return EXIT.done
})
