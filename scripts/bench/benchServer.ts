/**
 * The server every contestant is measured against, in a process of its own so that its work is nobody's. The last word of
 * the request says what to answer: `short`, `tools-N` (N commands, one per answer), `stream-N` (N chunks).
 */
const encoder = new TextEncoder()
const chunk = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "test-model", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const end = (reason: string) =>
  `${chunk({}, reason)}data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\ndata: [DONE]\n\n`

interface Body {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>
}

const answer = (body: Body): string => {
  const asked = body.messages.findLast(({ role }) => role === "user")
  const word = /(short|tools-\d+|stream-\d+)/.exec(JSON.stringify(asked?.content ?? ""))?.[1] ?? "short"
  const [kind, count = "0"] = word.split("-")
  const done = body.messages.filter(({ role }) => role === "tool").length
  if (kind === "tools" && done < Number(count)) {
    const args = JSON.stringify({ command: `echo hi ${done}` })
    return (
      chunk({
        tool_calls: [{ index: 0, id: `call_${done}`, type: "function", function: { name: "Bash", arguments: args } }]
      }) + end("tool_calls")
    )
  }
  if (kind === "stream") return chunk({ content: "word " }).repeat(Number(count)) + end("stop")
  return chunk({ content: "A short answer." }) + end("stop")
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    if (request.method !== "POST") return Response.json({ object: "list", data: [{ id: "test-model" }] })
    // The body is what the contestants send; a field that is missing is answered like a short request.
    const body = (await request.json()) as Body
    return new Response(encoder.encode(answer(body)), { headers: { "content-type": "text/event-stream" } })
  }
})
console.log(`http://127.0.0.1:${server.port}`)
