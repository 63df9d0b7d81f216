/** Files that ask even where a wide rule allows them (spec 03): they hold secrets, or decide what maia and git may run. Pure. */
import { text, type Text } from "../domain/text.ts"
import { isInside, type PathPlaces } from "./paths.ts"

const EXAMPLES = /\.(?:example|sample|template|dist|test)$/
const SECRET_NAMES = [
  /^\.env(?:\..+)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:[_.](?!pub$).*)?$/,
  /\.(?:pem|key|p12|pfx|keystore|jks|kdbx)$/,
  /^\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|vault-token)$/,
  /^\.(?:bash|zsh|python|node_repl|psql|mysql|sqlite)_history$/,
  /^(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|env))?$/
]
const SECRET_FOLDERS = [".ssh", ".aws", ".gnupg", ".kube", ".docker", ".maia", ".config/gcloud", ".config/gh", ".azure"]

const isSecretName = (name: string): boolean => {
  const lower = name.toLowerCase()
  return !EXAMPLES.test(lower) && SECRET_NAMES.some((pattern) => pattern.test(lower))
}

/** Why a path asks; undefined for an ordinary one. `write` is stricter: it also guards what decides what may run. */
export const guardedPath = (path: string, places: PathPlaces, write: boolean): Text | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  if (isSecretName(name)) return text("it may hold secrets", "il peut contenir des secrets")
  if (SECRET_FOLDERS.some((folder) => isInside(path, `${places.home}/${folder}`))) {
    return text("it lies in a private folder", "il est dans un dossier privé")
  }
  if (!write) return undefined
  if (/\/\.maia(?:\/|$)/.test(path)) return text("it decides what maia may do", "il décide de ce que maia peut faire")
  if (
    /\/\.git(?:$|\/(?:hooks(?:\/|$)|config(?:\.worktree)?$|info\/|modules\/))/.test(path) ||
    /\/\.git(?:modules|attributes)$/.test(path) ||
    // Where projects keep the hooks that git runs, and what these run.
    /\/\.(?:husky|githooks)(?:\/|$)/.test(path) ||
    /\/\.?lefthook[\w.-]*\.ya?ml$|\/\.pre-commit-config\.ya?ml$/.test(path)
  ) {
    return text("git would run what it says", "git exécuterait ce qu'il contient")
  }
  return undefined
}
