/** Dangerous uses of the programs that pack, unpack and copy trees. */
import {
  always,
  deletes,
  isFile,
  overwrites,
  type Program,
  runs,
  sends,
  unpacks,
  type Use,
  without,
  writes
} from "./table.ts"

/** `host:path`, `host::module` or `rsync://…`: a copy from or to another machine. */
const remotePath = (use: Use): string | undefined => use.words.find((word) => /^(?:[^/:]+:|rsync:\/\/)/.test(word))

export const archives = (): ReadonlyArray<Program> => [
  {
    names: "tar gtar bsdtar",
    syntax: {
      takes:
        "-f -b -C -F -g -I -T -X --file --directory --to-command --use-compress-program --info-script " +
        "--new-volume-script --checkpoint-action --rsh-command --rmt-command --exclude --transform --owner --group --mode",
      plain: "--list",
      bundled: true
    },
    rows: [
      {
        flags:
          "-I --use-compress-program --to-command --checkpoint-action -F --info-script --new-volume-script --rsh-command --rmt-command -T --files-from",
        why: runs
      },
      { flags: "-f --file", value: (value) => /^[^/]*:/.test(value), why: runs },
      { flags: "--remove-files --delete --recursive-unlink --unlink-first", why: deletes },
      { flags: "-P --absolute-names", why: unpacks },
      { flags: "-x --extract --get", why: unpacks },
      { flags: "-c -r -u -A --create --append --update --catenate --concatenate", why: writes },
      { flags: "-g --listed-incremental --index-file", why: writes }
    ]
  },
  {
    names: "zip",
    rows: [
      { flags: "-T -TT --test --unzip-command", why: runs },
      { flags: "-m --move -d --delete", why: deletes },
      { when: always, alone: "-h -v -L", why: writes }
    ]
  },
  {
    names: "unzip",
    syntax: { takes: "-d -P -O -I", style: "exact" },
    rows: [{ when: without("-l -t -v -Z -p -c -z", always), alone: "-h", why: unpacks }]
  },
  {
    names: "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd compress uncompress pigz brotli",
    syntax: { takes: "-S --suffix -o -D -C -F", plain: "--keep --force --quiet --verbose" },
    rows: [
      { flags: "-o --output", value: isFile, why: writes },
      {
        when: without("-c --stdout --to-stdout -l --list -t --test", (use) => use.words.find(isFile)),
        why: overwrites
      }
    ]
  },
  {
    names: "rsync",
    syntax: {
      takes: "-e -f -T -B -M --rsh --rsync-path --filter --exclude --include --files-from --temp-dir --log-file"
    },
    rows: [
      { flags: "-e --rsh --rsync-path -M --remote-option --daemon --early-input", why: runs },
      {
        flags:
          "--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded --remove-source-files",
        why: deletes
      },
      { flags: "--log-file --write-batch --only-write-batch --backup-dir --password-file --config", why: writes },
      { when: remotePath, why: sends },
      { when: without("-n --dry-run --list-only", (use) => use.words[1]), alone: "-V", why: writes }
    ]
  },
  {
    names: "cpio",
    syntax: { takes: "-F -O -I -D -E -H -C -M -R --file --directory" },
    rows: [
      { flags: "--rsh-command", why: runs },
      { flags: "-F --file -O -I", value: (value) => /^[^/]*:/.test(value), why: runs },
      { flags: "-i --extract -p --pass-through", why: unpacks },
      { flags: "-O -o --create", why: writes }
    ]
  },
  {
    names: "7z 7za 7zz 7zr rar unrar",
    subs: { "*": { style: "single" } },
    known: "l lt lb t h i v vt vb",
    rows: [{ sub: "x e a u d rn", when: always, why: unpacks }]
  },
  {
    names: "ar",
    syntax: { bundled: true },
    rows: [{ flags: "-d -m -q -r -s -x", why: overwrites }]
  }
]
