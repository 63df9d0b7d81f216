import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { refusal } from "../../../src/tools/web/addresses.ts"
import { allowRule, callWebFetch, serve, withWebFetch, type Handler } from "./support.ts"

const hello: Handler = (_request, response) => response.writeHead(200, { "content-type": "text/plain" }).end("hello")

describe("addresses inside the network are refused", () => {
  const refused = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "169.254.1.1",
    "100.64.0.1",
    "100.127.255.255",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "fec0::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "::ffff:0:7f00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::808:808",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001:0:1::",
    "2001:db8::1",
    "not an address",
    ""
  ]
  for (const address of refused) {
    it(`${address || "an empty one"} is`, () => assert.isString(refusal(address)))
  }
  const open = ["93.184.216.34", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111"]
  const embedding = ["::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"]
  for (const address of [...open, ...embedding]) {
    it(`${address} is not`, () => assert.isUndefined(refusal(address)))
  }
})

describe("spellings of an inside address in a URL", () => {
  const spellings = [
    "http://2130706433/",
    "http://0x7f.1/",
    "http://017700000001/",
    "http://127.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://0/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://[fc00::1]/",
    "http://[fe80::1]/",
    "127.0.0.1:8080/x",
    "http//10.0.0.1"
  ]
  for (const url of spellings) {
    it.effect(`${url} is refused without a look-up`, () =>
      Effect.gen(function* () {
        const asked: Array<string> = []
        const { text, isError } = yield* callWebFetch(
          { url },
          {
            lookup: (host) => {
              asked.push(host)
              return ["93.184.216.34"]
            }
          }
        )
        assert.isTrue(isError)
        assert.match(text, /^\[WebFetch: error 2 \(refused address\).*private and internal addresses are refused/)
        assert.deepStrictEqual(asked, [])
      }).pipe(Effect.scoped)
    )
  }

  it.effect("localhost with a dot at the end is localhost", () =>
    Effect.gen(function* () {
      const { text } = yield* callWebFetch({ url: "http://localhost./" }, { names: { localhost: ["127.0.0.1"] } })
      assert.match(text, /localhost \(127\.0\.0\.1\) is a loopback address/)
    }).pipe(Effect.scoped)
  )
})

describe("names that point inside", () => {
  it.effect("are refused, also where only one of the answers is inside", () =>
    Effect.gen(function* () {
      const names = { "a.test": ["10.0.0.1"], "b.test": ["93.184.216.34", "127.0.0.1"], "c.test": ["::ffff:10.0.0.1"] }
      for (const host of Object.keys(names)) {
        assert.match((yield* callWebFetch({ url: `http://${host}/` }, { names })).text, /error 2 \(refused address\)/)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("that change their answer never get the connection: what was checked is what is connected to", () =>
    Effect.gen(function* () {
      const connected: Array<ReadonlyArray<string>> = []
      let lookups = 0
      const { text } = yield* callWebFetch(
        { url: "http://rebind.test/" },
        {
          lookup: () => (lookups++ === 0 ? ["93.184.216.34"] : ["127.0.0.1"]),
          transport: {
            get: ({ addresses }) => {
              connected.push(addresses)
              return Effect.succeed({ status: 404, headers: {}, body: Stream.empty })
            }
          }
        }
      )
      // robots.txt was asked for at the first answer; the page itself is a new request, and its answer is refused.
      assert.match(text, /error 2 \(refused address\).*rebind\.test \(127\.0\.0\.1\)/)
      assert.deepStrictEqual(connected, [["93.184.216.34"]])
      assert.strictEqual(lookups, 2)
    }).pipe(Effect.scoped)
  )

  it.live("are connected to at the address that was checked, with the name in Host", () =>
    Effect.gen(function* () {
      const hosts: Array<string | undefined> = []
      const server = yield* serve((request, response) => {
        hosts.push(request.headers.host)
        hello(request, response)
      })
      let lookups = 0
      const { text } = yield* callWebFetch(
        { url: `http://pinned.test:${server.port}/` },
        {
          allowed: ["pinned.test"],
          config: { settings: { webFetch: { robots: false } } },
          lookup: () => (lookups++ === 0 ? ["127.0.0.1"] : ["127.0.0.2"])
        }
      )
      assert.include(text, "hello")
      assert.deepStrictEqual(hosts, [`pinned.test:${server.port}`])
      assert.strictEqual(lookups, 1)
    }).pipe(Effect.scoped)
  )

  it.live("have their other addresses tried where the first does not answer", () =>
    Effect.gen(function* () {
      const server = yield* serve(hello)
      const names = { "two.test": ["::1", "127.0.0.1"] }
      const { text } = yield* callWebFetch({ url: `http://two.test:${server.port}/` }, { names, allowed: ["two.test"] })
      assert.include(text, "hello")
    }).pipe(Effect.scoped)
  )
})

describe("a rule of the user", () => {
  const tryWith = (rules: ReadonlyArray<ReturnType<typeof allowRule>>) =>
    Effect.gen(function* () {
      const server = yield* serve(hello)
      return yield* callWebFetch({ url: `http://127.0.0.1:${server.port}/` }, { rules })
    }).pipe(Effect.scoped)

  it.live("that names the host permits it, from settings or a flag", () =>
    Effect.gen(function* () {
      assert.include((yield* tryWith([allowRule("WebFetch(domain:127.0.0.1)")])).text, "hello")
      assert.include((yield* tryWith([allowRule("WebFetch(domain:127.0.0.1)", "flag")])).text, "hello")
    })
  )

  it.live("that is wide, of another host, of the project, of the session or no allow rule does not", () =>
    Effect.gen(function* () {
      for (const rules of [
        [allowRule("WebFetch")],
        [allowRule("WebFetch(domain:*)"), allowRule("WebFetch(domain:127.*)")],
        [allowRule("WebFetch(domain:127.0.0.2)"), allowRule("WebFetch(domain:localhost)")],
        [allowRule("WebFetch(domain:127.0.0.1)", "project")],
        [allowRule("WebFetch(domain:127.0.0.1)", "session")],
        [allowRule("WebFetch(domain:127.0.0.1)", "user", "ask")],
        [allowRule("Bash(domain:127.0.0.1)")]
      ]) {
        assert.match((yield* tryWith(rules)).text, /refused address.*WebFetch\(domain:127\.0\.0\.1\)/)
      }
    })
  )

  it.live("for an IPv6 host is understood with and without brackets", () =>
    Effect.gen(function* () {
      for (const host of ["::1", "[::1]"]) {
        yield* withWebFetch({ allowed: [host] }, (call) =>
          Effect.map(call({ url: "http://[::1]:9/" }), ({ text }) => assert.match(text, /error 2 \(unreachable\)/))
        )
      }
    }).pipe(Effect.scoped)
  )
})
