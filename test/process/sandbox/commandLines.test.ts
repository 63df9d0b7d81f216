import { assert, describe, it } from "@effect/vitest"
import { bubblewrapCommand, explainBubblewrap } from "../../../src/process/sandbox/bubblewrap.ts"
import { withoutContradictions, type SandboxPlan } from "../../../src/process/sandbox/plan.ts"
import { seatbeltCommand, seatbeltProfile } from "../../../src/process/sandbox/seatbelt.ts"

const plan: SandboxPlan = {
  writable: ["/home/ann/work", "/home/ann/.cache/maia/output"],
  pinned: ["/home/ann/work/.git"],
  fixed: ["/home/ann/work/.maia", "/home/ann/work/.git/hooks", "/home/ann/work/.git/config"],
  hiddenFolders: ["/home/ann/.ssh", "/run"],
  hiddenFiles: ["/home/ann/.netrc"],
  shown: ["/run/systemd/resolve"],
  temporary: "/tmp/maia-sandbox-1",
  network: false
}

const argv = ["bash", "-c", "echo $1"]

/** The arguments, one option with its values a line. */
const lines = (command: ReadonlyArray<string>): ReadonlyArray<string> =>
  command.join(" ").replaceAll(" --", "\n--").split("\n")

describe("the command line of bubblewrap", () => {
  it("mounts from the root down, so that nothing covers what was mounted before", () => {
    assert.deepStrictEqual(lines(bubblewrapCommand("/usr/bin/bwrap", plan, argv, "/home/ann/work/src")), [
      "/usr/bin/bwrap",
      "--die-with-parent",
      "--new-session",
      "--unshare-pid",
      "--unshare-ipc",
      "--unshare-uts",
      "--unshare-cgroup-try",
      "--unshare-net",
      "--cap-drop ALL",
      "--ro-bind / /",
      "--dev /dev",
      "--proc /proc",
      "--bind /tmp/maia-sandbox-1 /tmp",
      "--perms 0555",
      "--tmpfs /run",
      "--perms 0555",
      "--tmpfs /home/ann/.ssh",
      "--ro-bind /dev/null /home/ann/.netrc",
      "--ro-bind /run/systemd/resolve /run/systemd/resolve",
      "--bind /home/ann/work /home/ann/work",
      "--bind /home/ann/work/.git /home/ann/work/.git",
      "--ro-bind /home/ann/work/.maia /home/ann/work/.maia",
      "--bind /home/ann/.cache/maia/output /home/ann/.cache/maia/output",
      "--ro-bind /home/ann/work/.git/hooks /home/ann/work/.git/hooks",
      "--ro-bind /home/ann/work/.git/config /home/ann/work/.git/config",
      "--remount-ro /run",
      "--remount-ro /home/ann/.ssh",
      "--unsetenv SSH_AUTH_SOCK",
      "--unsetenv SSH_AGENT_PID",
      "--unsetenv GPG_AGENT_INFO",
      "--unsetenv DBUS_SESSION_BUS_ADDRESS",
      "--unsetenv XDG_RUNTIME_DIR",
      "--unsetenv DISPLAY",
      "--unsetenv WAYLAND_DISPLAY",
      "--unsetenv XAUTHORITY",
      "--setenv TMPDIR /tmp",
      "--setenv XDG_CACHE_HOME /tmp/.cache",
      "--setenv npm_config_cache /tmp/.cache/npm",
      "--chdir /home/ann/work/src",
      "-- bash -c echo $1"
    ])
  })

  it("the network stays when it is allowed; arguments are handed on untouched", () => {
    const command = bubblewrapCommand("bwrap", { ...plan, network: true }, ["a b", "--bind", "", "$x"], undefined)
    assert.notInclude(command, "--unshare-net")
    assert.notInclude(command, "--chdir")
    assert.deepStrictEqual(command.slice(-5), ["--", "a b", "--bind", "", "$x"])
  })
})

describe("paths that contradict each other", () => {
  it("a launch folder below a hidden one is shown, with its protection", () => {
    const inside = withoutContradictions({
      ...plan,
      writable: ["/home/ann/.ssh/project"],
      pinned: [],
      fixed: ["/home/ann/.ssh/project/.maia"]
    })
    assert.deepStrictEqual(inside.fixed, ["/home/ann/.ssh/project/.maia"])
    const order = bubblewrapCommand("bwrap", inside, argv, undefined)
    assert.isBelow(order.indexOf("/home/ann/.ssh"), order.indexOf("/home/ann/.ssh/project"))
  })

  it("a launch folder that would be hidden itself is shown", () => {
    const same = withoutContradictions({ ...plan, writable: ["/home/ann/.ssh"] })
    assert.deepStrictEqual(same.hiddenFolders, ["/run"])
  })

  it("started at home, what is hidden stays hidden, ~/.maia too", () => {
    const home = withoutContradictions({
      ...plan,
      writable: ["/home/ann"],
      pinned: [],
      fixed: ["/home/ann/.maia"],
      hiddenFolders: ["/home/ann/.maia", "/home/ann/.ssh"]
    })
    assert.deepStrictEqual(home.hiddenFolders, ["/home/ann/.maia", "/home/ann/.ssh"])
    assert.deepStrictEqual(home.fixed, [])
  })
})

describe("why bubblewrap does not work", () => {
  for (const [printed, expected] of [
    [
      "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.",
      /the kernel forbids user namespaces/
    ],
    ["bwrap: setting up uid map: Permission denied", /the kernel forbids user namespaces/],
    ["bwrap: Creating new namespace failed: Operation not permitted", /the kernel forbids user namespaces/],
    [
      "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
      /cannot mount \/proc, as inside most containers/
    ],
    ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", /cannot make a network of its own/],
    ["bwrap: Unknown option --perms", /does not work here \(it says: bwrap: Unknown option --perms\)/],
    ["", /^bubblewrap does not work here$/]
  ] as const) {
    it(printed === "" ? "nothing printed" : printed, () => assert.match(explainBubblewrap(printed).en, expected))
  }
})

describe("the profile for macOS", () => {
  it("denies writing, opens the folders, closes what is protected; deeper paths come later", () => {
    assert.deepStrictEqual(seatbeltProfile(plan).split("\n"), [
      "(version 1)",
      "(allow default)",
      "(deny file-write*)",
      '(deny file-read* file-write* (subpath "/run"))',
      '(allow file-read* file-write* (subpath "/tmp/maia-sandbox-1"))',
      '(deny file-read* file-write* (subpath "/home/ann/.ssh"))',
      '(deny file-read* file-write* (subpath "/home/ann/.netrc"))',
      '(allow file-read* (subpath "/run/systemd/resolve"))',
      '(allow file-read* file-write* (subpath "/home/ann/work"))',
      '(deny file-write* (subpath "/home/ann/work/.maia"))',
      '(allow file-read* file-write* (subpath "/home/ann/.cache/maia/output"))',
      '(deny file-write* (subpath "/home/ann/work/.git/hooks"))',
      '(deny file-write* (subpath "/home/ann/work/.git/config"))',
      '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/stdout") (literal "/dev/stderr") (regex #"^/dev/tty") (subpath "/dev/fd"))',
      '(deny file-write-unlink (literal "/home/ann/work/.git"))',
      "(deny signal)",
      "(allow signal (target same-sandbox))",
      "(deny appleevent-send)",
      "(deny lsopen)",
      "(deny network*)"
    ])
  })

  it("a path cannot end its quotes", () => {
    const profile = seatbeltProfile({ ...plan, writable: ['/a"b\\c'] })
    assert.include(profile, '(subpath "/a\\"b\\\\c")')
  })

  it("names the private folder to programs; arguments are handed on untouched", () => {
    const command = seatbeltCommand({ ...plan, network: true }, argv)
    assert.deepStrictEqual(command.slice(0, 2), ["/usr/bin/sandbox-exec", "-p"])
    assert.notInclude(command[2], "network")
    assert.include(command, "TMPDIR=/tmp/maia-sandbox-1")
    assert.deepStrictEqual(command.slice(-3), argv)
  })
})
