import { assert, describe, it } from "@effect/vitest"
import { chunk, gate, hang, json, reset, sse, startScriptedServer, textAnswer } from "../support/scriptedServer.ts"

const post = (url: string, body: object, signal?: AbortSignal) =>
  fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal })
  })

describe("scripted server", () => {
  it("plays its script in order and records the requests", async () => {
    const server = await startScriptedServer([
      textAnswer("hello"),
      json(429, { error: "slow" }, { "retry-after": "3" })
    ])
    const first = await post(server.url, { model: "a" })
    assert.include(await first.text(), '"content":"hello"')
    const second = await post(server.url, { model: "b" })
    assert.strictEqual(second.status, 429)
    assert.strictEqual(second.headers.get("retry-after"), "3")
    assert.strictEqual((await post(server.url, {})).status, 400)
    assert.deepStrictEqual(
      server.chats.map((request) => request.body.model),
      ["a", "b", undefined]
    )
    assert.isFalse(await server.chats[0]?.aborted)
    await server.close()
  })

  it("destroys the socket in mid-stream", async () => {
    const server = await startScriptedServer([reset([chunk({ content: "half" })]), reset()])
    const response = await post(server.url, {})
    assert.strictEqual(response.status, 200)
    const failed = await response.text().then(
      (text) => `no failure: ${text}`,
      () => "failed"
    )
    assert.strictEqual(failed, "failed")
    const refused = await post(server.url, {}).then(
      () => "answered",
      () => "failed"
    )
    assert.strictEqual(refused, "failed")
    await server.close()
  })

  it("waits at a gate", async () => {
    const door = gate()
    const server = await startScriptedServer([sse([chunk({ content: "a" }), door, chunk({ content: "b" })])])
    const response = await post(server.url, {})
    const reader = response.body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    assert.include(first, '"a"')
    assert.notInclude(first, '"b"')
    door.open()
    let rest = ""
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      rest += new TextDecoder().decode(part.value)
    }
    assert.include(rest, '"b"')
    await server.close()
  })

  it("tells that the client left", async () => {
    const server = await startScriptedServer([hang([chunk({ content: "a" })])])
    const controller = new AbortController()
    const response = await post(server.url, {}, controller.signal)
    assert.strictEqual(response.status, 200)
    controller.abort()
    assert.isTrue(await (await server.chat(0)).aborted)
    await server.close()
  })

  it("serves the list of models and 404 for pages it was not given", async () => {
    const server = await startScriptedServer([], { models: ["m"], props: { n_ctx: 1 } })
    assert.include(await (await fetch(`${server.url}/v1/models`)).text(), '"m"')
    assert.strictEqual((await fetch(`${server.url}/model/info`)).status, 404)
    assert.include(await (await fetch(`${server.url}/props`)).text(), "n_ctx")
    await server.close()
  })
})
