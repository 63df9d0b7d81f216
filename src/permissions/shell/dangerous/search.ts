/** Dangerous uses of the programs that look for files and text. */
import { always, deletes, loads, type Program, reads, runs, writes } from "./table.ts"

const findTests =
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -newer " +
  "-anewer -cnewer -size -mtime -mmin -atime -amin -ctime -cmin -used -user -group -uid -gid -perm -links -inum -samefile " +
  "-fstype -printf -lname -ilname -context -D"

export const search = (): ReadonlyArray<Program> => [
  {
    names: "find gfind",
    syntax: { style: "single", takes: `${findTests} -files0-from -fprint -fprint0 -fls` },
    rows: [
      { flags: "-exec -execdir -ok -okdir", why: runs },
      { flags: "-delete", why: deletes },
      { flags: "-fprint -fprint0 -fprintf -fls", why: writes },
      { flags: "-files0-from", why: reads }
    ]
  },
  {
    names: "fd fdfind",
    syntax: {
      style: "exact",
      takes:
        "-d --max-depth --min-depth --exact-depth -E --exclude -t --type -e --extension -S --size -c --color -j --threads " +
        "--changed-within --changed-before -o --owner --max-results --base-directory --path-separator --search-path --and --format"
    },
    rows: [{ flags: "-x --exec -X --exec-batch", why: runs }]
  },
  {
    names: "rg",
    syntax: {
      style: "exact",
      takes:
        "-A -B -C -E -M -T -d -e -f -g -j -m -r -t --after-context --before-context --color --colors --context " +
        "--context-separator --dfa-size-limit --encoding --engine --field-context-separator --field-match-separator --file --glob " +
        "--hostname-bin --hyperlink-format --iglob --ignore-file --max-columns --max-count --max-depth --max-filesize " +
        "--path-separator --pre --pre-glob --regex-size-limit --regexp --replace --sort --sortr --threads --type --type-add " +
        "--type-clear --type-not"
    },
    rows: [
      { flags: "--pre --hostname-bin", why: runs },
      { flags: "-z --search-zip", why: runs }
    ]
  },
  {
    names: "ag ack",
    syntax: {
      style: "exact",
      takes: "-A -B -C -G -m -p --ignore --ignore-dir --depth --pager --file-search-regex --path-to-ignore --workers"
    },
    rows: [
      { flags: "--pager", why: runs },
      { flags: "-z --search-zip", why: runs },
      { flags: "--ackrc", why: loads },
      { flags: "--output", value: (value) => /\$\{?`|@\{/.test(value), why: runs }
    ]
  },
  {
    names: "fzf sk",
    syntax: {
      style: "exact",
      takes: "-q --query -f --filter -d --delimiter -n --nth -m --preview --bind --prompt --height"
    },
    rows: [{ flags: "--preview --bind --execute --listen --listen-unsafe -c --cmd --become", why: runs }]
  },
  { names: "entr parallel rush", rows: [{ when: always, alone: "-V -h", why: runs }] }
]
