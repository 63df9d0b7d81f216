/** Dangerous uses of the programs that talk to other machines. Reading a page is not one: it writes and runs nothing. */
import {
  always,
  configures,
  isFile,
  loads,
  type Program,
  reads,
  remote,
  runs,
  sends,
  type Use,
  without,
  writes
} from "./table.ts"

const localFile = (value: string): boolean => /^file:/i.test(value)
/** `--variable name@file`, `--variable %NAME`: a file, or a variable of the environment, in what is sent. */
const fromOutside = (value: string): boolean => /^[^=]*@|^%/.test(value)
const fromFile = (value: string): boolean => value.startsWith("@")

/** wget writes a file unless told otherwise. */
const download = (use: Use): string | undefined =>
  use.values("-O --output-document").some((value) => value === "-" || value === "/dev/null") ? undefined : use.words[0]

export const network = (): ReadonlyArray<Program> => [
  {
    names: "curl",
    syntax: {
      takes:
        "-A -b -c -C -d -D -e -E -F -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --output --output-dir --upload-file --config " +
        "--data --data-ascii --data-binary --data-raw --data-urlencode --json --form --form-string --url-query --header --cookie " +
        "--cookie-jar --dump-header --request --user --user-agent --referer --max-time --connect-timeout --retry --write-out --url " +
        "--proxy --trace --trace-ascii --stderr --libcurl --unix-socket --proto-default --variable"
    },
    rows: [
      {
        flags:
          "-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc",
        value: isFile,
        why: writes
      },
      { flags: "-O --remote-name --remote-name-all -J --remote-header-name --output-dir --create-dirs", why: writes },
      { flags: "-w --write-out", value: (value) => fromFile(value) || value.includes("%output{"), why: writes },
      { flags: "-T --upload-file", why: sends },
      { flags: "-d --data --data-ascii --data-binary --json -H --header --proxy-header", value: fromFile, why: sends },
      { flags: "--data-urlencode --url-query --variable", value: fromOutside, why: sends },
      // `--expand-output {{x}}` is `--output` with what a variable holds.
      { when: (use) => use.options.find(({ name }) => name.startsWith("--expa"))?.name, why: loads },
      { flags: "--proto-default", value: (value) => /^file/i.test(value), why: reads },
      { flags: "-F --form", value: (value) => /=\s*"?[@<]|;headers=/.test(value), why: sends },
      { flags: "-b --cookie", value: (value) => !value.includes("="), why: sends },
      { flags: "-n --netrc --netrc-file --netrc-optional", why: sends },
      {
        flags: "-Q --quote -X --request",
        value: (value) => /^[-+*]|^(?:DELE|RMD|RNFR|RNTO|rm|rename|SITE)\b/i.test(value),
        why: remote
      },
      { flags: "-K --config --engine", why: loads },
      { flags: "--unix-socket --abstract-unix-socket", why: remote },
      { flags: "--url", value: (value) => fromFile(value) || localFile(value), why: reads },
      { when: (use) => use.words.find(localFile), why: reads }
    ]
  },
  {
    names: "wget wget2",
    syntax: { takes: "-O -o -a -e -i -P -U -t -T -w -Q -B -l -A -R -D -I -X --output-document" },
    rows: [
      { flags: "--use-askpass", why: runs },
      { flags: "-e --execute --config", why: configures },
      { flags: "--post-file --body-file", why: sends },
      {
        flags:
          "-O --output-document -o --output-file -a --append-output --save-cookies --warc-file --rejected-log --hsts-file",
        value: isFile,
        why: writes
      },
      { flags: "-r --recursive -m --mirror -p --page-requisites -P --directory-prefix -b --background", why: writes },
      { flags: "-i --input-file", why: reads },
      { when: without("--spider", download), alone: "-V -h", why: writes }
    ]
  },
  {
    names: "ssh autossh mosh slogin",
    syntax: { takes: "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w", stops: true, style: "exact" },
    rows: [
      {
        flags: "-o",
        value: (value) =>
          /^\s*(?:proxycommand|localcommand|permitlocalcommand|knownhostscommand|match|include)/i.test(value),
        why: runs
      },
      { flags: "-F -I", why: loads },
      { when: always, alone: "-V", why: remote }
    ]
  },
  {
    names: "scp sftp",
    syntax: { style: "exact", takes: "-c -D -F -i -J -l -o -P -S -X -b -B -R -s" },
    rows: [
      { flags: "-S -D -o -F -b", why: runs },
      { when: always, why: sends }
    ]
  },
  {
    names: "nc ncat netcat socat telnet ftp lftp tftp",
    rows: [{ when: always, alone: "-h -V", why: remote }]
  },
  { names: "mail mailx sendmail mutt", rows: [{ when: always, why: sends }] }
]
