/** Dangerous uses of the programs that touch the system, its files and its processes. */
import {
  access,
  always,
  anyWord,
  deletes,
  destroys,
  edits,
  isFile,
  type Program,
  runs,
  system as systemWhy,
  type Use,
  writes
} from "./table.ts"

/** The output of dd, when it is a file or a device. */
const ddOutput = (use: Use): string | undefined =>
  use.words.find((word) => word.startsWith("of=") && isFile(word.slice(3)))

/** The command after the assignments of env. */
const envCommand = (use: Use): string | undefined => use.words.find((word) => !/^[A-Za-z_]\w*=/.test(word))

/** `date 010112002027` sets the clock; with `-j` (macOS) it only converts. */
const setsClock = (use: Use): string | undefined =>
  use.has("-j -d --date -r --reference") ? undefined : use.words.find((word) => !word.startsWith("+"))

export const system = (): ReadonlyArray<Program> => [
  // `ip netns exec`, `jobs -x` and the agent run the command behind them; `ip` also sets the network up.
  {
    names: "ip",
    rows: [
      { flags: "-b -batch --batch -force", why: systemWhy },
      {
        when: (use) => use.words.find((word) => /^(?:exec|add|del\w*|set|change|replace|flush|up|down)$/.test(word)),
        why: systemWhy
      }
    ]
  },
  { names: "jobs", rows: [{ flags: "-x", why: runs }] },
  { names: "ssh-agent sshpass start-stop-daemon run-parts", rows: [{ when: always, alone: "-V -h", why: runs }] },
  { names: "dd dcfldd", rows: [{ when: ddOutput, why: writes }] },
  { names: "ln link", rows: [{ when: always, why: writes }] },
  { names: "rm grm", rows: [{ flags: "-r -R --recursive --no-preserve-root", why: deletes }] },
  { names: "truncate shred srm install mkfifo mknod fallocate", rows: [{ when: always, why: destroys }] },
  { names: "chmod chown chgrp chattr setfacl xattr chcon", rows: [{ when: always, why: access }] },
  {
    names: "date gdate",
    syntax: { takes: "-d --date -f -r --reference -s --set -v", attached: "-I" },
    rows: [
      { flags: "-s --set", why: systemWhy },
      { when: setsClock, why: systemWhy }
    ]
  },
  {
    names: "mount umount",
    rows: [{ when: (use) => use.words[0] ?? use.options[0]?.name, alone: "-l -V -h", why: systemWhy }]
  },
  {
    names: "env genv",
    syntax: { takes: "-u --unset -C --chdir -S --split-string -P", stops: true },
    rows: [
      { flags: "-S --split-string", why: runs },
      { when: envCommand, why: runs }
    ]
  },
  { names: "sudo doas su pkexec runuser run0", rows: [{ when: always, alone: "-l -V -h -k -K", why: runs }] },
  {
    names: "watch flock script unshare nsenter chroot systemd-run",
    rows: [{ when: always, alone: "-v -V -h", why: runs }]
  },
  {
    names: "systemctl",
    syntax: { takes: "-t --type --state -p --property -n -o" },
    before:
      "--user --system --no-pager -q --quiet -a --all --failed -t --type --state --no-legend --plain -l --full -h --help --version -p --property",
    subs: { "*": {} },
    known:
      "status show cat list-units list-unit-files list-timers list-sockets list-jobs list-dependencies is-active is-enabled " +
      "is-failed is-system-running get-default show-environment help",
    rows: [
      { sub: "*", flags: "-H --host -M --machine --root --image", why: systemWhy },
      {
        sub: "start stop restart reload enable disable mask unmask kill edit set-property daemon-reload",
        when: always,
        why: systemWhy
      }
    ]
  },
  {
    names: "launchctl",
    subs: { "*": {} },
    known: "list print version help",
    rows: [{ sub: "load unload bootstrap bootout kickstart submit", when: always, why: systemWhy }]
  },
  { names: "service", rows: [{ when: (use) => use.words.slice(1).find((word) => word !== "status"), why: systemWhy }] },
  { names: "crontab", rows: [{ when: always, alone: "-l", why: runs }] },
  { names: "at batch atrm", rows: [{ when: always, alone: "-l -V", why: runs }] },
  { names: "gdb lldb strace ltrace valgrind perf dtrace rr", rows: [{ when: always, alone: "-v -V -h", why: runs }] },
  {
    names: "tmux screen",
    rows: [
      {
        when: (use) =>
          use.words[0] === "ls" && use.words.length === 1 && use.options.length === 0 ? undefined : always(use),
        alone: "-V -v",
        why: runs
      }
    ]
  },
  { names: "tree", syntax: { takes: "-L -P -I -o -H -T", style: "exact" }, rows: [{ flags: "-o -R", why: writes }] },
  {
    names: "mktemp gmktemp",
    syntax: { takes: "-p", attached: "-t --tmpdir" },
    rows: [
      { flags: "-p --tmpdir", value: (value) => value !== "" && !/^\/tmp\/?$/.test(value), why: writes },
      { when: (use) => use.words.find((word) => word.includes("/") && !/^\/tmp\/[^/]+$/.test(word)), why: writes }
    ]
  },
  {
    names: "mkfs mke2fs fdisk sfdisk parted wipefs swapon swapoff losetup diskutil",
    rows: [{ when: always, alone: "-V -l", why: systemWhy }]
  },
  { names: "shutdown reboot halt poweroff init telinit", rows: [{ when: always, why: systemWhy }] },
  {
    names: "sysctl",
    rows: [
      { flags: "-w -p --write --load --system -f", why: systemWhy },
      { when: (use) => use.words.find((word) => word.includes("=")), why: systemWhy }
    ]
  },
  {
    names: "journalctl",
    rows: [
      {
        flags: "--vacuum-size --vacuum-time --vacuum-files --rotate --flush --setup-keys --update-catalog",
        why: destroys
      }
    ]
  },
  {
    names: "dmesg",
    rows: [{ flags: "-c -C --clear --read-clear -D -E -n --console-off --console-on --console-level", why: systemWhy }]
  },
  { names: "open xdg-open start gio", rows: [{ when: always, why: runs }] },
  { names: "visudo vipw sudoedit", rows: [{ when: always, why: edits }] },
  {
    names: "useradd usermod userdel groupadd passwd chsh chpasswd iptables nft ufw modprobe insmod rmmod",
    rows: [{ when: always, alone: "-V -h", why: systemWhy }]
  },
  {
    names: "apt apt-get dpkg brew dnf yum pacman apk zypper snap port",
    before: "-q -y -v --version -h --help",
    subs: { "*": {} },
    known: "list show search policy info outdated deps uses leaves help provides repolist",
    rows: [
      { sub: "*", flags: "-o --option -c --config-file", why: runs },
      {
        sub: "install remove purge update upgrade uninstall reinstall autoremove add del",
        when: always,
        why: systemWhy
      }
    ]
  },
  { names: "busybox toybox", rows: [{ when: anyWord, why: runs }] },
  { names: "tcpdump", syntax: { takes: "-w -z -r -i -F" }, rows: [{ flags: "-z -w -F", why: runs }] }
]
