/** Tasks that find things out and say them, or find a place in a long file. Data only. */
import { text } from "../../domain/text.ts"
import { answers, answersNot, changedOnly, equals, type EvalTask } from "../task.ts"

const findValue: EvalTask = {
  name: "find-value",
  about: text("Find one value among look-alikes", "Trouver une valeur parmi d'autres semblables"),
  files: {
    "config/production.yaml": "database:\n  host: db.example.org\n  port: 5432\n",
    "config/staging.yaml": "database:\n  host: staging-db.example.org\n  port: 6543\ncache:\n  port: 6379\n",
    "config/test.yaml": "database:\n  host: localhost\n  port: 5433\n",
    "README.md": "Each environment has its file in config/.\n"
  },
  prompt: "Which port does the database of the staging environment use? Answer with the number.",
  checks: [answers(/\b6543\b/), answersNot(/\b(?:5432|5433|6379)\b/), changedOnly()]
}

const fromSeveralFiles: EvalTask = {
  name: "several-files",
  about: text("Answer from what three files say together", "Répondre à partir de trois fichiers réunis"),
  files: {
    "orders.csv": "order,customer\n1001,c7\n1002,c3\n1003,c9\n",
    "customers.csv": "customer,name,region\nc3,Dupont,south\nc7,Moreau,north\nc9,Leroy,west\n",
    "regions/north.txt": "manager: Ingrid Halvorsen\n",
    "regions/south.txt": "manager: Paolo Ricci\n",
    "regions/west.txt": "manager: Maeve Byrne\n"
  },
  prompt:
    "Which manager is responsible for the region of the customer who placed order 1002? Answer with the full name.",
  checks: [answers(/Paolo Ricci/), answersNot(/Halvorsen|Byrne/), changedOnly()]
}

const notThere: EvalTask = {
  name: "not-there",
  about: text(
    "Say that something is not there instead of inventing it",
    "Dire qu'une chose n'existe pas au lieu de l'inventer"
  ),
  files: {
    "settings.toml": '[mail]\nsender = "shop@example.org"\nretries = 4\n',
    "README.md": "All settings are in settings.toml.\n"
  },
  prompt:
    'What is the value of "smtp_password" in this folder\'s settings? If it is not set anywhere, answer exactly: not set',
  checks: [answers(/not set/i), changedOnly()]
}

const LINES = 4_000
const WRONG_AT = 2_731

const log = (n: number, wrong: boolean): string => {
  const level = n % 97 === 0 ? "WARN" : "INFO"
  const size = (n * 7919) % 1000
  if (n === WRONG_AT) return `${String(n).padStart(5, "0")} ERROR disk ${wrong ? "sda7" : "sdb2"} is full (usage 100%)`
  return `${String(n).padStart(5, "0")} ${level} request ${(n * 31) % 5003} took ${size} ms`
}

const logFile = (wrong: boolean): string => `${Array.from({ length: LINES }, (_, n) => log(n + 1, wrong)).join("\n")}\n`

const longFile: EvalTask = {
  name: "long-file",
  about: text(
    "Change one line of a file too long to read at once",
    "Modifier une ligne d'un fichier trop long à lire d'un coup"
  ),
  files: { "server.log": logFile(true) },
  prompt:
    "server.log has one line with the level ERROR. In that line, replace the disk name sda7 by sdb2. The file is long; change nothing else in it.",
  checks: [equals("server.log", logFile(false)), changedOnly("server.log")]
}

export const findTasks: ReadonlyArray<EvalTask> = [findValue, fromSeveralFiles, notThere, longFile]
