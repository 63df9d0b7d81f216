/** What well-known programs do with the files in their arguments (field case C19). Data, and the little that reads it. Pure. */

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "))

/** Their arguments are text, numbers or names, never files they open. */
export const NAMELESS = names(
  "echo printf true false : exit return break continue sleep seq date expr basename dirname type which kill set unset shift " +
    "export wait umask ulimit whoami id uname hostname uptime nproc command builtin let test [ yes factor"
)

/** They read the files in their arguments and change none. */
export const READERS = names(
  "cat tac head tail less more grep egrep fgrep zgrep rg ag ack ls dir vdir exa eza tree wc diff cmp comm stat file find fd " +
    "fdfind git cut uniq jq yq du df md5sum sha1sum sha256sum sha512sum cksum b2sum nl od xxd hexdump strings bat batcat cd " +
    "pushd realpath readlink column fold expand tsc eslint fmt pr paste join zcat bzcat xzcat awk"
)

/** They change, create or remove the files in their arguments. */
export const CHANGERS = names(
  "rm rmdir mv cp tee touch truncate ln link unlink install dd chmod chown chgrp shred mkdir mkfifo mknod sed rsync patch " +
    "split csplit setfacl chattr"
)

/** Subcommands of git that put, move or remove the files they name. */
const GIT_CHANGERS = names("checkout restore rm mv clean apply am stash reset checkout-index read-tree sparse-checkout")

/** What a program does with the files in its arguments: `any` where it is not known. */
export const fileUse = (name: string, argv: ReadonlyArray<string>): "read" | "change" | "any" => {
  if (name === "git" && GIT_CHANGERS.has(gitSubcommand(argv) ?? "")) return "any"
  return READERS.has(name) ? "read" : CHANGERS.has(name) ? "change" : "any"
}

/** The first word behind git's own options. */
const gitSubcommand = (argv: ReadonlyArray<string>): string | undefined =>
  argv.find((word, at) => at > 0 && !word.startsWith("-") && !/^-[Cc]$/.test(argv[at - 1] ?? ""))

/** The words by which `git checkout` may mean files, whose changes it would throw away. */
export const checkedOut = (name: string, argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (name !== "git" || gitSubcommand(argv) !== "checkout") return []
  const words = argv.slice(argv.indexOf("checkout") + 1)
  return words.some((word) => /^(?:-[bB]|--orphan)/.test(word)) ? [] : words.filter((word) => !word.startsWith("-"))
}

const SEARCHERS = names("rg ag ack ugrep")
const GREPS = names("grep egrep fgrep zgrep ggrep")
const COPIERS = names("cp scp gcp")

/**
 * Whether the program goes through whole folders and shows or copies what is in them; `visible` where it leaves out names
 * that begin with a dot. Undefined: only the files it names.
 */
export const searchedFolders = (name: string, argv: ReadonlyArray<string>): "all" | "visible" | undefined => {
  const has = (short: string, long: string): boolean =>
    argv.some((word) =>
      word.startsWith("--")
        ? word.length > 3 && long.split(" ").some((one) => `--${one}`.startsWith(word.split("=")[0] ?? ""))
        : /^-[A-Za-z]/.test(word) && short.split("").some((letter) => word.includes(letter, 1))
    )
  if (SEARCHERS.has(name)) return has("u.", "hidden no-ignore unrestricted") ? "all" : "visible"
  if (GREPS.has(name)) return has("rRd", "recursive dereference-recursive directories") ? "all" : undefined
  if (COPIERS.has(name)) return has("rRa", "recursive archive") ? "all" : undefined
  if (name === "diff") return has("r", "recursive") ? "all" : undefined
  if (name === "zip") return has("r", "recurse-paths") ? "all" : undefined
  if (name === "rsync") return has("ra", "recursive archive") ? "all" : undefined
  if (name === "tar" || name === "bsdtar" || name === "7z") return "all"
  if (name === "find" || name === "gfind") return argv.some((word) => /^-(?:exec|ok)/.test(word)) ? "all" : undefined
  if (name === "fd" || name === "fdfind") return has("xX", "exec exec-batch") ? "visible" : undefined
  if (name === "git") return argv.some((word) => word === "grep" || word === "archive") ? "all" : undefined
  return undefined
}
