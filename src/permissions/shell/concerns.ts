/** Why no rule that allows covers a command (spec 03). Data only. */
import { text, type Text } from "../../domain/text.ts"

export interface Concern {
  readonly text: Text
  /** A rule that spells this very command out, without `*`, covers it all the same. */
  readonly exactCovers?: boolean
  /** What runs, or with which flags, cannot be seen: it may be something a rule denies. */
  readonly hides?: boolean
}

const concern = (en: string, fr: string): Concern => ({ text: text(en, fr) })
const hiding = (en: string, fr: string): Concern => ({ text: text(en, fr), hides: true })

export const says = {
  long: hiding("the command is too long to be judged", "la commande est trop longue pour être jugée"),
  deep: hiding("the command is nested too deeply", "la commande est imbriquée trop profondément"),
  syntax: hiding("the command does not parse", "la commande ne se laisse pas analyser"),
  substitution: concern("it holds a substitution", "elle contient une substitution"),
  background: concern("it runs in the background (&)", "elle s'exécute en arrière-plan (&)"),
  function: concern("it defines a function", "elle définit une fonction"),
  variable: hiding("the program is not written out", "le programme n'est pas écrit en clair"),
  blanks: concern("the program's name holds blanks", "le nom du programme contient des blancs"),
  expansion: hiding(
    "it holds an expansion that cannot be seen through",
    "elle contient une expansion qu'on ne peut pas suivre"
  ),
  evaluation: hiding(
    "the shell would evaluate the content of a variable or of a subscript",
    "le shell y évaluerait le contenu d'une variable ou d'un indice"
  ),
  shellChange: hiding(
    "it changes how the shell reads or finds commands",
    "elle change la façon dont le shell lit ou trouve les commandes"
  ),
  hereDocument: hiding(
    "an interpreter reads it from a here-document",
    "un interpréteur la lit dans un document en ligne"
  ),
  folder: concern(
    "the folder it would run in is not known",
    "le dossier dans lequel elle s'exécuterait n'est pas connu"
  ),
  network: concern("it redirects to the network", "elle redirige vers le réseau"),
  hidden: {
    ...hiding("what it runs cannot be seen here", "ce qu'elle exécute n'est pas visible ici"),
    exactCovers: true
  }
} satisfies Record<string, Concern>

export const assignment = (name: string): Concern =>
  concern(`it sets ${name} for what it runs`, `elle définit ${name} pour ce qu'elle exécute`)
