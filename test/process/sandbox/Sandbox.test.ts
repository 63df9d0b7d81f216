import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { Sandbox } from "../../../src/process/sandbox/Sandbox.ts"
import { eventually } from "../support/shell.ts"
import { folders, type Folders, noSandbox, type Options, run, sandboxed } from "./support.ts"

if (noSandbox !== undefined) console.warn(`The sandbox is not tested here: ${noSandbox}`)

const git = (cwd: string, ...args: ReadonlyArray<string>) =>
  Bun.spawnSync(["git", "-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd }
  })

const repository = ({ project }: Folders): void => void git(project, "init", "-q")

const put = (folder: string, name: string, content: string): string => {
  const file = path.join(folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, content)
  return file
}

/** A test on folders of its own, with the sandbox required unless it says otherwise. */
const inSandbox = (
  what: string,
  body: (at: Folders) => Effect.Effect<unknown, unknown>,
  options: Options = {},
  prepare: (at: Folders) => void = () => undefined
) =>
  it.live.skipIf(noSandbox !== undefined)(what, () =>
    Effect.gen(function* () {
      const at = yield* folders
      prepare(at)
      yield* body(at).pipe(Effect.provide(sandboxed(at, options)))
    })
  )

describe("a command in the sandbox", () => {
  inSandbox("runs: output, exit code and arguments come through", (at) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* run(at, "echo out; echo err >&2; pwd; exit 7"), {
        code: 7,
        out: `out\n${at.project}\n`,
        err: "err\n"
      })
      assert.strictEqual((yield* run(at, "kill -TERM $$")).code, 143)
      assert.strictEqual((yield* run(at, "echo x >/dev/null; cat /dev/null; head -c 3 /dev/zero | wc -c")).out, "3\n")
    })
  )

  inSandbox("writes in the launch folder and in its own /tmp, which stays from one command to the next", (at) =>
    Effect.gen(function* () {
      const { code } = yield* run(at, "mkdir -p src && echo 1 >src/a && mv src/a src/b && echo kept >/tmp/note")
      assert.strictEqual(code, 0)
      assert.strictEqual(fs.readFileSync(path.join(at.project, "src/b"), "utf8"), "1\n")
      assert.isFalse(fs.existsSync("/tmp/note"))
      assert.strictEqual((yield* run(at, "cat /tmp/note; echo $TMPDIR")).out, "kept\n/tmp\n")
    })
  )

  inSandbox("writes in the folder of whole outputs", (at) =>
    Effect.gen(function* () {
      const output = path.join(at.home, ".cache/maia/output")
      assert.strictEqual((yield* run(at, `echo 1 >'${output}/x'`)).code, 0)
      assert.strictEqual(fs.readFileSync(path.join(output, "x"), "utf8"), "1\n")
    })
  )

  for (const target of ["$HOME/x", "../x", "/usr/x", "/etc/x", "/var/tmp/x", "/x", "$HOME/.bashrc"]) {
    inSandbox(`cannot write ${target}`, (at) =>
      Effect.gen(function* () {
        const { code, err } = yield* run(at, `echo x >${target}`)
        assert.strictEqual(code, 1)
        assert.match(err, /Read-only file system|Permission denied/)
      })
    )
  }

  inSandbox(
    "cannot undo its mounts, not even in a namespace of its own",
    (at) =>
      Effect.gen(function* () {
        yield* run(
          at,
          "mount -o remount,rw,bind /usr; unshare -Urm sh -c 'umount .maia; mount -o remount,rw /; mount -o remount,rw,bind .maia'"
        )
        const { err } = yield* run(at, "unshare -Urm sh -c 'umount .maia; echo x >.maia/settings.json'; echo x >/usr/x")
        assert.include(err, "/usr/x: Read-only file system")
        assert.isFalse(fs.existsSync(path.join(at.project, ".maia/settings.json")))
      }),
    {},
    (at) => fs.mkdirSync(path.join(at.project, ".maia"))
  )

  inSandbox("sees and signals no process but its own; what it starts ends with it", (at) =>
    Effect.gen(function* () {
      const { out } = yield* run(at, `kill -0 ${process.pid} 2>/dev/null && echo reached; ls -d /proc/[0-9]* | wc -l`)
      assert.notInclude(out, "reached")
      assert.isBelow(Number(out), 8)
      const mark = `maia-sandbox-${path.basename(at.root)}`
      yield* run(
        at,
        `(exec -a ${mark} sleep 300) >/dev/null 2>&1 & (setsid bash -c 'exec -a ${mark} sleep 300' >/dev/null 2>&1 &) ; sleep 0.1`
      )
      const isAlive = () => fs.readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(mark))
      yield* eventually("nothing is left", () => !isAlive())
    })
  )
})

const commandOf = (pid: string): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}

describe("what would run later, outside", () => {
  const attempts = [
    "echo x >.maia/settings.json",
    "echo x >.maia/new",
    "rm -rf .maia",
    "mv .maia elsewhere",
    "ln -sfn /tmp .maia",
    "echo x >.git/hooks/pre-commit",
    "rm -rf .git/hooks && mkdir .git/hooks",
    "mv .git/hooks .git/old",
    "echo x >>.git/config",
    "git config core.fsmonitor /tmp/x",
    "mv .git/config .git/old",
    "mv .git old",
    "rm -rf .git/modules .git/config",
    "echo ../evil >.git/commondir",
    "rm -f .git/commondir",
    "echo x >.git/modules/sub/config",
    'p=$PWD; cd / && echo x >"$p/./.git/../.maia/settings.json"',
    "ln -s .maia/settings.json link && echo x >link",
    "ln .maia/settings.json hard && echo x >hard"
  ]
  for (const command of attempts) {
    inSandbox(
      `cannot be changed: ${command}`,
      (at) =>
        Effect.gen(function* () {
          const before = protectedFiles(at)
          const { code } = yield* run(at, command)
          assert.notStrictEqual(code, 0)
          assert.deepStrictEqual(protectedFiles(at), before)
        }),
      {},
      (at) => {
        repository(at)
        put(at.project, ".maia/settings.json", "{}")
        put(at.project, ".git/modules/sub/config", "")
      }
    )
  }

  inSandbox("cannot be made where it is missing, and nothing empty stays behind", (at) =>
    Effect.gen(function* () {
      for (const command of [
        "mkdir -p .maia && echo x >.maia/settings.json",
        "git init -q && git status",
        "mkdir -p .git/hooks",
        "ln -s /tmp .git"
      ]) {
        assert.notStrictEqual((yield* run(at, command)).code, 0, command)
      }
    }).pipe(
      Effect.provide(sandboxed(at)),
      Effect.andThen(Effect.sync(() => assert.deepStrictEqual(fs.readdirSync(at.project), [])))
    )
  )

  inSandbox(
    "a repository without hooks and config gets neither",
    (at) =>
      Effect.gen(function* () {
        for (const command of ["echo x >.git/hooks/x", "echo x >.git/config"]) {
          assert.notStrictEqual((yield* run(at, command)).code, 0, command)
        }
      }),
    {},
    (at) => {
      repository(at)
      fs.rmSync(path.join(at.project, ".git/hooks"), { recursive: true })
      fs.rmSync(path.join(at.project, ".git/config"))
    }
  )

  inSandbox(
    "the rest of git works, and the repository is as it was afterwards",
    (at) =>
      Effect.gen(function* () {
        const { code, err } = yield* run(
          at,
          "export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t; echo 1 >a && git add a && git commit -q -m one && git branch side && git checkout -q side && git stash list && git gc -q && git log --oneline | grep one"
        )
        assert.strictEqual(code, 0, err)
      }).pipe(
        Effect.provide(sandboxed(at)),
        Effect.andThen(
          Effect.sync(() => {
            assert.isFalse(fs.existsSync(path.join(at.project, ".git/commondir")))
            assert.include(git(at.project, "status").stdout.toString(), "On branch side")
          })
        )
      ),
    {},
    repository
  )

  inSandbox(
    "the file .git of a worktree stays, and so does what it leads to inside the folder",
    (at) =>
      Effect.gen(function* () {
        for (const command of [
          "echo 'gitdir: evil' >.git",
          "rm .git",
          "mv .git old",
          "echo x >>store/config",
          "echo x >store/hooks/a",
          "mv store other"
        ]) {
          assert.notStrictEqual((yield* run(at, command)).code, 0, command)
        }
        assert.strictEqual((yield* run(at, "git status --short | grep -c new")).out, "1\n")
      }),
    {},
    (at) => {
      git(at.project, "init", "-q", `--separate-git-dir=${path.join(at.project, "store")}`)
      put(at.project, "new", "")
    }
  )

  inSandbox(
    "hooks that are a link are closed with their whole folder",
    (at) =>
      Effect.gen(function* () {
        for (const command of [
          "echo x >.git/hooks/a",
          "rm .git/hooks",
          "echo x >tools/hooks/a",
          "ln -sfn /tmp .git/hooks"
        ]) {
          assert.notStrictEqual((yield* run(at, command)).code, 0, command)
        }
        assert.strictEqual((yield* run(at, "echo 1 >tools/a")).code, 0)
      }),
    {},
    (at) => {
      repository(at)
      fs.mkdirSync(path.join(at.project, "tools/hooks"), { recursive: true })
      fs.rmSync(path.join(at.project, ".git/hooks"), { recursive: true })
      fs.symlinkSync("../tools/hooks", path.join(at.project, ".git/hooks"))
    }
  )

  for (const name of [".maia", ".git"]) {
    inSandbox(
      `a ${name} that is a link cannot be protected: nothing runs, with auto neither`,
      (at) =>
        Effect.gen(function* () {
          const sandbox = yield* Sandbox
          const { message } = yield* Effect.flip(sandbox.wrap(["true"]))
          assert.include(message, `${path.join(at.project, name)} is a link`)
        }),
      { sandbox: "auto" },
      (at) => {
        fs.mkdirSync(path.join(at.project, "real"))
        fs.symlinkSync("real", path.join(at.project, name))
      }
    )
  }
})

/** Names and contents of what must not change. */
const protectedFiles = ({ project }: Folders): ReadonlyArray<string> =>
  [".maia", ".git/hooks", ".git/modules"]
    .flatMap((folder) =>
      fs.lstatSync(path.join(project, folder)).isDirectory()
        ? fs
            .readdirSync(path.join(project, folder), { recursive: true, encoding: "utf8" })
            .map((name) => path.join(folder, name))
        : [`${folder} is no folder`]
    )
    .concat(".git/config", ".git/HEAD")
    .filter((name) => fs.statSync(path.join(project, name)).isFile())
    .map((name) => `${name}: ${fs.readFileSync(path.join(project, name), "utf8")}`)
    .sort()

describe("secrets", () => {
  const secrets = [
    ".ssh/id",
    ".aws/credentials",
    ".gnupg/secring",
    ".netrc",
    ".maia/settings.json",
    ".npmrc",
    ".config/gh/hosts.yml",
    ".docker/config.json"
  ]
  for (const name of secrets) {
    inSandbox(
      `~/${name} cannot be read`,
      (at) =>
        Effect.gen(function* () {
          const { out, code } = yield* run(
            at,
            `cat ~/${name}; cat /proc/1/root$HOME/${name}; grep -r s3cret ~/ 2>/dev/null; exit $?`
          )
          assert.notInclude(out, "s3cret")
          assert.notStrictEqual(code, 0)
        }),
      {},
      (at) => put(at.home, name, "s3cret")
    )
  }

  inSandbox(
    "behind a link in the home folder they are hidden too",
    (at) => Effect.map(run(at, "cat ~/.ssh/id ~/keys/id"), ({ out }) => assert.strictEqual(out, "")),
    {},
    (at) => {
      put(at.home, "keys/id", "s3cret")
      fs.symlinkSync("keys", path.join(at.home, ".ssh"))
    }
  )

  inSandbox(
    "started at home: readable and writable but for secrets and ~/.maia",
    (at) => {
      const home = { ...at, project: at.home }
      return Effect.gen(function* () {
        assert.strictEqual((yield* run(home, "echo 1 >notes; cat .ssh/id .maia/settings.json 2>/dev/null")).out, "")
        assert.notStrictEqual((yield* run(home, "echo x >.maia/settings.json")).code, 0)
        assert.strictEqual(fs.readFileSync(path.join(at.home, "notes"), "utf8"), "1\n")
      }).pipe(Effect.provide(sandboxed(home)))
    },
    {},
    (at) => {
      put(at.home, ".ssh/id", "s3cret")
      put(at.home, ".maia/settings.json", "s3cret")
    }
  )

  inSandbox("agents are out of reach", (at) =>
    Effect.gen(function* () {
      assert.strictEqual(
        (yield* run(
          at,
          'echo "$SSH_AUTH_SOCK$DBUS_SESSION_BUS_ADDRESS"; ls -A /run | grep -v -E "^(systemd|resolvconf|NetworkManager|nscd|current-system|opengl-driver)$"'
        )).out,
        "\n"
      )
    })
  )
})

/** A server on the loopback address, outside of the sandbox. */
const server = Effect.acquireRelease(
  Effect.callback<net.Server>((resume) => {
    const listening = net.createServer((socket) => socket.end("hello\n"))
    listening.listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
  }),
  (listening) => Effect.sync(() => listening.close())
)
const portOf = (listening: net.Server): number => {
  const address = listening.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

describe("the network", () => {
  const connect = (port: number) => `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`
  const reach = (at: Folders) =>
    Effect.scoped(Effect.flatMap(server, (listening) => run(at, connect(portOf(listening)))))

  inSandbox("a server outside cannot be reached", (at) =>
    Effect.map(reach(at), ({ code, out, err }) => {
      assert.strictEqual(out, "")
      assert.notStrictEqual(code, 0)
      assert.include(err, "Connection refused")
    })
  )

  inSandbox(
    "sandboxNetwork allows it",
    (at) => Effect.map(reach(at), ({ out }) => assert.strictEqual(out, "hello\n")),
    {
      sandboxNetwork: true
    }
  )
})

describe("off, auto, required", () => {
  const wrapped = (at: Folders, options: Options) =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      return { result: yield* Effect.result(sandbox.wrap(["true"])), warning: yield* sandbox.warning }
    }).pipe(Effect.provide(sandboxed(at, options)))
  const argvOf = (result: { readonly _tag: string; readonly success?: { readonly argv: ReadonlyArray<string> } }) =>
    result.success?.argv

  it.live("off changes nothing and makes nothing", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const { result, warning } = yield* wrapped(at, { sandbox: "off" })
      assert.deepStrictEqual(argvOf(result), ["true"])
      assert.isUndefined(warning)
      assert.deepStrictEqual(fs.readdirSync(at.project), [])
    })
  )

  const missing = [
    ["bubblewrap is not installed", { env: { PATH: "/nowhere" } }],
    ["there is none for win32", { platform: "win32" }]
  ] as const
  for (const [why, options] of missing) {
    const really =
      why.startsWith("bubblewrap") &&
      ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"].some((file) => fs.existsSync(file))
    it.live.skipIf(really)(`auto without one runs the command and says why: ${why}`, () =>
      Effect.gen(function* () {
        const { result, warning } = yield* wrapped(yield* folders, { ...options, sandbox: "auto" })
        assert.deepStrictEqual(argvOf(result), ["true"])
        assert.include(warning?.en, why)
      })
    )
    it.live.skipIf(really)(`required without one runs nothing and says why: ${why}`, () =>
      Effect.gen(function* () {
        const { result } = yield* wrapped(yield* folders, { ...options, sandbox: "required" })
        assert.strictEqual(result._tag, "Failure")
        if (result._tag === "Failure") assert.include(result.failure.text.en, why)
      })
    )
  }

  /** A bubblewrap on PATH that the kernel forbids. */
  const forbidden = (at: Folders): Options => {
    const bin = put(
      at.root,
      "bin/bwrap",
      "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n"
    )
    fs.chmodSync(bin, 0o755)
    return { env: { PATH: `${path.dirname(bin)}:/usr/bin:/bin` }, platform: "linux" }
  }

  it.live("a kernel that forbids user namespaces is said, by auto and by required", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const auto = yield* wrapped(at, { ...forbidden(at), sandbox: "auto" })
      assert.deepStrictEqual(argvOf(auto.result), ["true"])
      assert.match(auto.warning?.en ?? "", /without a sandbox.*the kernel forbids user namespaces.*Permission denied/)
      const { result } = yield* wrapped(at, { ...forbidden(at), sandbox: "required" })
      assert.strictEqual(result._tag, "Failure")
      assert.deepStrictEqual(fs.readdirSync(at.project), [])
    })
  )

  it.live("a bwrap that the repository brings along is not used", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const bin = put(at.project, "bin/bwrap", '#!/bin/sh\ntouch "$0.ran"\n')
      fs.chmodSync(bin, 0o755)
      const { result } = yield* wrapped(at, { env: { PATH: path.dirname(bin) }, platform: "linux", sandbox: "auto" })
      assert.notInclude(argvOf(result) ?? [], bin)
      assert.isFalse(fs.existsSync(`${bin}.ran`))
    })
  )

  it.live("the whole file system as launch folder is refused", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const { result } = yield* wrapped({ ...at, project: "/" }, { ...forbidden(at), sandbox: "auto" })
      assert.strictEqual(result._tag, "Failure")
    })
  )

  inSandbox("auto uses it where it works, and says nothing", (at) =>
    Effect.gen(function* () {
      const { result, warning } = yield* wrapped(at, { sandbox: "auto" })
      assert.match(argvOf(result)?.[0] ?? "", /bwrap$/)
      assert.isUndefined(warning)
    })
  )

  inSandbox("the private folder goes with maia", (at) =>
    Effect.gen(function* () {
      const tmp = path.join(at.root, "tmp")
      fs.mkdirSync(tmp)
      yield* Effect.gen(function* () {
        yield* run(at, "echo 1 >/tmp/a")
        assert.strictEqual(fs.readdirSync(tmp).length, 1)
      }).pipe(Effect.provide(sandboxed(at, { env: { TMPDIR: tmp, PATH: process.env["PATH"] } })))
      assert.deepStrictEqual(fs.readdirSync(tmp), [])
    })
  )
})
